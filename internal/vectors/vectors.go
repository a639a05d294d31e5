// Package vectors provides the golden vectors of the four history systems to
// tests. They are stored here, compressed; testdata/README.md gives the schema
// of each file. Only tests import it.
package vectors

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Variable names the environment variable that holds the folder of another
// set of vectors of the same shape, which is then read in place of ours. A
// relative path counts from the project's root or from the package under test.
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

// open reads a file from the folder of [Variable], else ours.
func open(name string) (text []byte, from string, err error) {
	dir, set := os.LookupEnv(Variable)
	if !set || dir == "" {
		packed, err := carried.ReadFile("testdata/" + name + ".json.gz")
		if err != nil {
			return nil, "", err
		}
		text, err = unpack(packed)
		return text, "", err
	}
	if dir, err = folder(dir); err != nil {
		return nil, "", err
	}
	if text, err = os.ReadFile(filepath.Join(dir, name+".json")); err == nil {
		return text, dir, nil
	}
	packed, err := os.ReadFile(filepath.Join(dir, name+".json.gz"))
	if err != nil {
		return nil, dir, err
	}
	text, err = unpack(packed)
	return text, dir, err
}

// folder finds the folder a person named. A wrong name is an error: silently
// testing with ours would say that theirs pass.
func folder(dir string) (string, error) {
	tries := []string{dir}
	if !filepath.IsAbs(dir) {
		// A test runs in the folder of its package; the person stood at the root.
		for up := ".."; len(up) < 20; up = filepath.Join("..", up) {
			tries = append(tries, filepath.Join(up, dir))
		}
	}
	for _, d := range tries {
		if info, err := os.Stat(d); err == nil && info.IsDir() {
			return d, nil
		}
	}
	return "", errors.New(Variable + " names " + dir + ", which is no folder")
}

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
