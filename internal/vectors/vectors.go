// Package vectors provides the golden vectors of the four history systems to
// tests. They are stored here, compressed; testdata/README.md gives the schema
// of each file. Only tests import it.
package vectors

import (
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/internal/realdata"
)

// Variable names the environment variable that holds the folder of another
// set of vectors of the same shape, which is then read in place of ours. A
// relative path counts from the project's root.
const Variable = "PALIMPSEST_VECTORS"

//go:embed testdata/*.json.gz
var carried embed.FS

// Cases decodes the cases of a vector file, for example "b_events". It ends
// the test when the file can't be read or holds no case; a set named by
// [Variable] may lack a file, which skips the test and says so.
func Cases[C any](tb testing.TB, name string) []C {
	tb.Helper()
	text := read(tb, name)
	var file struct{ Cases []C }
	if err := json.Unmarshal(text, &file); err != nil {
		tb.Fatalf("vectors %s: %v", name, err)
	}
	if len(file.Cases) == 0 {
		tb.Fatalf("vectors %s: no cases", name)
	}
	return file.Cases
}

func read(tb testing.TB, name string) []byte {
	tb.Helper()
	text, from, err := open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && from != "":
		tb.Skipf("vectors: %s holds no %s.json", from, name)
	case err != nil:
		tb.Fatalf("vectors %s: %v", name, err)
	case from != "":
		tb.Logf("vectors %s from %s", name, from)
	}
	return text
}

// open reads a file from the folder of [Variable], else ours. A wrong name of a folder is an
// error: silently testing with ours would say that theirs pass.
func open(name string) (text []byte, from string, err error) {
	files, in := fs.FS(carried), "testdata/"
	if from = os.Getenv(Variable); from != "" {
		if !filepath.IsAbs(from) {
			from = filepath.Join(realdata.Above(), from) // a test runs in the folder of its package
		}
		if info, err := os.Stat(from); err != nil || !info.IsDir() {
			return nil, "", errors.New(Variable + " names " + from + ", which is no folder")
		}
		files, in = os.DirFS(from), ""
	}
	if text, err = fs.ReadFile(files, in+name+".json"); err == nil {
		return text, from, nil
	}
	packed, err := files.Open(in + name + ".json.gz")
	if err != nil {
		return nil, from, err
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		return nil, from, err
	}
	text, err = io.ReadAll(r)
	return text, from, err
}
