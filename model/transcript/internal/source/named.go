package source

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sure are how names of files end that are text and mostly histories, where they are
// looked for.
var sure = []string{".jsonl", ".json", ".ndjson", ".traj", ".eval", ".af"}

// Named reports whether a file may be a history. Its name decides where hardly anything
// else has such a name; of Markdown, a database and a zip archive the file's own head does.
func Named(path string) bool {
	base := strings.ToLower(filepath.Base(path))
	if strings.HasPrefix(base, "._") {
		return false
	}
	bare := base
	for _, packed := range packings {
		bare = strings.TrimSuffix(bare, packed)
	}
	switch end := filepath.Ext(bare); {
	case strings.HasSuffix(bare, ".meta.json"): // what a tool keeps beside a session
		return false
	case slices.Contains(sure, end), end == ".tar", end == ".tgz":
		return true
	case bare != base:
		return false
	case end == ".md":
		head := headOf(path)
		return markdownReader(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))) != nil
	case end == ".db", end == ".sqlite", end == ".sqlite3", end == ".vscdb":
		return keepsHistories(append(headOf(path), headOf(path+"-wal")...)) // its tables may be in its log still
	case end == ".zip":
		return zipHolds(path)
	}
	return false
}

// IsDatabase reports whether a file is an SQLite database.
func IsDatabase(path string) bool { return isDatabase(headOf(path)) }

func headOf(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, headBytes))
	return head
}

// keepsHistories reports whether the head of a database names the tables of a tool.
func keepsHistories(head []byte) bool {
	tools, err := register()
	return err == nil && isDatabase(head) && slices.ContainsFunc(tools, func(t tool) bool {
		for table, columns := range t.Has {
			for _, word := range append(columns, table) {
				if !bytes.Contains(head, []byte(word)) {
					return false
				}
			}
		}
		return true
	})
}

func zipHolds(path string) bool {
	z, err := zip.OpenReader(path)
	if err != nil {
		return false
	}
	defer z.Close()
	return slices.ContainsFunc(entriesOf(&z.Reader), func(name string) bool { return mayBeHistory(filepath.Base(name)) })
}
