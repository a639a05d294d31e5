package watch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// watched is a watcher of one folder whose reports a test waits for.
type watched struct {
	t     *testing.T
	dir   string
	paths chan []string
	*Watcher
}

func newWatched(t *testing.T) *watched {
	t.Helper()
	w := &watched{t: t, dir: t.TempDir(), paths: make(chan []string, 100)}
	var err error
	if w.Watcher, err = New(func(f func()) { f() }, func(p []string) { w.paths <- p }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	if failed, err := w.Set([]string{w.dir}); err != nil {
		t.Fatal(failed, err)
	}
	return w
}

// wait waits until a path is reported.
func (w *watched) wait(path string) {
	w.t.Helper()
	for {
		select {
		case got := <-w.paths:
			if slices.Contains(got, path) {
				return
			}
		case <-time.After(2 * time.Minute):
			w.t.Fatalf("nothing is told of %s", path)
		}
	}
}

func TestWhatHappensToFilesIsTold(t *testing.T) {
	w := newWatched(t)
	a, b := filepath.Join(w.dir, "a.jsonl"), filepath.Join(w.dir, "b.jsonl")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(a, []byte("1\n"), 0o666))
	w.wait(a)
	f, err := os.OpenFile(a, os.O_APPEND|os.O_WRONLY, 0)
	must(err)
	_, err = f.WriteString("2\n")
	must(err)
	must(f.Close())
	w.wait(a)
	must(os.Rename(a, b)) // onto no other
	w.wait(b)
	must(os.WriteFile(a, nil, 0o666))
	w.wait(a)
	must(os.Rename(a, b)) // over a watched one
	w.wait(b)
	must(os.Truncate(b, 0))
	must(os.Remove(b))
	w.wait(b)
}

func TestSetSaysWhatCantBeWatched(t *testing.T) {
	w := newWatched(t)
	gone := filepath.Join(w.dir, "gone")
	if failed, err := w.Set([]string{w.dir, gone}); err == nil || !slices.Equal(failed, []string{gone}) {
		t.Fatalf("%v, %v", failed, err)
	}
	if err := os.Mkdir(gone, 0o777); err != nil {
		t.Fatal(err)
	}
	if failed, err := w.Set([]string{gone}); err != nil || failed != nil {
		t.Fatalf("%v, %v", failed, err)
	}
	inner := filepath.Join(gone, "x.jsonl")
	if err := os.WriteFile(inner, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	w.wait(inner)
}

// A window that is busy gets one report of a file that changed a thousand times.
func TestChangesAreToldOnce(t *testing.T) {
	waiting := make(chan func(), 1000)
	var told [][]string
	w, err := New(func(f func()) { waiting <- f }, func(p []string) { told = append(told, p) })
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := w.Set([]string{dir}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "log.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if _, err := f.WriteString("x\n"); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	(<-waiting)()
	if len(told) != 1 || !slices.Equal(told[0], []string{path}) {
		t.Fatalf("told %v", told)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for len(waiting) > 0 {
		(<-waiting)()
	}
	if len(told) > 1 {
		t.Fatalf("told of %v after the end", told[1:])
	}
}
