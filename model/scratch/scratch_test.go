package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

func TestFileTakesItsName(t *testing.T) {
	for _, replace := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, "out")
		if replace {
			if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("new"); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(f.Name()); err != nil || string(b) != "new" {
			t.Errorf("by its path it is %q, %v", b, err)
		}
		if err := f.Place(path, replace); err != nil {
			t.Fatal(err)
		}
		if err := f.Discard(); err != nil {
			t.Error(err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != "new" || len(names(t, dir)) != 1 {
			t.Errorf("%q, %v, in %v", b, err, names(t, dir))
		}
	}
}

func TestATakenNameIsLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("somebody's"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Place(path, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("placed: %v", err)
	}
	if err := f.Discard(); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "somebody's" || len(names(t, dir)) != 1 {
		t.Errorf("%q, %v, in %v", b, err, names(t, dir))
	}
}

// What a dead process left goes; what a living one, another machine or another
// program has stays.
func TestSweep(t *testing.T) {
	dead := exec.Command(os.Args[0], "-test.run=^$")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	gone := []string{fmt.Sprintf(".palimpsest-%s-%d-0123456789abcdef", machine(), dead.ProcessState.Pid()),
		fmt.Sprintf("palimpsest-%s-%d-0123456789abcdef", machine(), dead.ProcessState.Pid())}
	stay := []string{".palimpsest-" + unique(), fmt.Sprintf(".palimpsest-%s-1-0123456789abcdef", machine()),
		fmt.Sprintf(".palimpsest-ffffffff-%d-0123456789abcdef", dead.ProcessState.Pid()), "palimpsest.db", "palimpsest-notes-2026-a.md"}
	for _, name := range append(gone, stay...) {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	sweep(dir)
	if got := names(t, dir); len(got) != len(stay) {
		t.Errorf("%v stay, not %v", got, stay)
	}
}
