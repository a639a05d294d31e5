// Package realdata finds the real transcripts that are next to the project, for
// tests. They are never carried in it: where they are absent a test is skipped
// with a sentence that says so. Only tests import it.
package realdata

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// manifest lists the files with their counts; where it is, the set is.
const manifest = "MANIFEST.tsv"

// Root is the project's root: the folder with go.mod above the package under
// test.
func Root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			tb.Fatal("no go.mod above the test")
		}
		dir = up
	}
}

// Transcripts is the folder of the real transcripts, with a folder in it for
// each format. The test is skipped when it is not there.
func Transcripts(tb testing.TB) string {
	tb.Helper()
	dir, here := Look(tb)
	if !here {
		tb.Skip("the real transcripts of ../shared/data are not here")
	}
	return dir
}

// Look is [Transcripts] for a test that has something to do without them.
func Look(tb testing.TB) (dir string, here bool) {
	tb.Helper()
	dir = filepath.Join(Root(tb), "..", "shared", "data", "transcripts")
	_, err := os.Stat(filepath.Join(dir, manifest))
	return dir, err == nil
}

// Sources are what a person would open of the given formats, of all without
// one: files, and folders that hold one conversation's events a file each.
// Files that only describe another are left out.
func Sources(tb testing.TB, formats ...string) []string {
	tb.Helper()
	return list(tb, formats, true)
}

// Files are the sources that are files.
func Files(tb testing.TB, formats ...string) []string {
	tb.Helper()
	return list(tb, formats, false)
}

func list(tb testing.TB, formats []string, folders bool) (out []string) {
	tb.Helper()
	root := Transcripts(tb)
	if len(formats) == 0 {
		formats = []string{"."}
	}
	for _, format := range formats {
		err := filepath.WalkDir(filepath.Join(root, format), func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && strings.HasPrefix(e.Name(), "sdk_events_"):
				if folders {
					out = append(out, path)
				}
				return filepath.SkipDir
			case e.IsDir(), e.Name() == manifest, strings.HasSuffix(path, ".meta.json"):
				return nil
			}
			out = append(out, path)
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

// Row is what the manifest says of a file.
type Row struct {
	Path            string // where the file is
	File            string // its name in the manifest, with slashes
	Format          string
	Messages, Calls int // native items and tool calls, sub-agents included
}

// Manifest returns the rows of the given formats, all without one.
func Manifest(tb testing.TB, formats ...string) []Row {
	tb.Helper()
	dir := Transcripts(tb)
	text, err := os.ReadFile(filepath.Join(dir, manifest))
	if err != nil {
		tb.Fatal(err)
	}
	var out []Row
	for line := range strings.Lines(string(text)) {
		f := strings.Split(line, "\t")
		if len(f) < 7 || f[0] == "file" || !wanted(formats, f[1]) {
			continue
		}
		r := Row{Path: filepath.Join(dir, filepath.FromSlash(f[0])), File: f[0], Format: f[1]}
		if r.Messages, err = strconv.Atoi(f[5]); err != nil {
			tb.Fatalf("%s of %s: messages: %v", manifest, r.File, err)
		}
		if r.Calls, err = strconv.Atoi(f[6]); err != nil {
			tb.Fatalf("%s of %s: calls: %v", manifest, r.File, err)
		}
		out = append(out, r)
	}
	return out
}

func wanted(formats []string, format string) bool {
	for _, f := range formats {
		if f == format {
			return true
		}
	}
	return len(formats) == 0
}
