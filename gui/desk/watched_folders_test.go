package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"palimpsest/gui/sched"
	"palimpsest/model/store"
)

func mkdir(t *testing.T, parts ...string) string {
	t.Helper()
	dir := filepath.Join(parts...)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func fresh(d *Desk) (names []string) {
	for _, e := range d.Entries() {
		if e.Fresh {
			names = append(names, filepath.Base(e.Path))
		}
	}
	slices.Sort(names)
	return names
}

// A watched folder lists what appears in it, also in folders that are made in
// it, and nothing that was there before; looking at a session takes it off the
// count.
func TestWatchedFolderListsNewSessions(t *testing.T) {
	f := newFollowWindow(t)
	root := t.TempDir()
	day := mkdir(t, root, "2026", "11", "21")
	newLog(t, filepath.Join(day, "old.jsonl"), 4)
	f.Watch(root)
	f.settle()
	if len(f.Entries()) != 0 || len(f.Watched()) != 1 || f.Watched()[0] != (Watched{Path: root}) {
		t.Fatalf("%d entries, %+v", len(f.Entries()), f.Watched())
	}
	newLog(t, filepath.Join(day, "a.jsonl"), 4)
	f.until("a is listed", func() bool { return slices.Equal(fresh(f.Desk), []string{"a.jsonl"}) })
	newLog(t, filepath.Join(mkdir(t, root, "2026", "12", "01"), "b.jsonl"), 4)
	f.until("b is listed", func() bool { return slices.Equal(fresh(f.Desk), []string{"a.jsonl", "b.jsonl"}) })
	if n := f.Watched()[0].New; n != 2 {
		t.Errorf("%d new", n)
	}
	f.Select(f.Entries()[0])
	f.settle()
	if n := f.Watched()[0].New; n != 1 {
		t.Errorf("%d new after one was looked at", n)
	}
	f.Unwatch(root)
	f.settle()
	if len(f.Watched()) != 0 || len(f.folders) != 0 || len(f.Entries()) != 2 {
		t.Errorf("%+v, %v, %d entries", f.Watched(), f.folders, len(f.Entries()))
	}
}

// The next window watches the same folders and lists what came meanwhile.
func TestWatchedFoldersAreRemembered(t *testing.T) {
	st, err := store.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	begin := func() *window {
		q := sched.NewQueue()
		w := &window{New(q.Dispatch, nil), q, map[Topic]int{}}
		w.useStore(st)
		w.settle()
		return w
	}
	root, gone := t.TempDir(), filepath.Join(t.TempDir(), "gone")
	newLog(t, filepath.Join(root, "old.jsonl"), 4)
	w := begin()
	w.Watch(root)
	w.Watch(gone)
	w.Watch(root)
	w.settle()
	w.Close()
	for i := range 3 {
		path := filepath.Join(root, fmt.Sprintf("new%d.jsonl", i))
		newLog(t, path, 4)
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Second)); err != nil { // clocks of files are coarse
			t.Fatal(err)
		}
	}
	w = begin()
	defer w.Close()
	if got := w.Watched(); !slices.Equal(got, []Watched{{root, 3, false}, {gone, 0, true}}) {
		t.Fatalf("%+v", got)
	}
	if got := fresh(w.Desk); !slices.Equal(got, []string{"new0.jsonl", "new1.jsonl", "new2.jsonl"}) {
		t.Errorf("%v", got)
	}
}

// Where there are more folders than a system watches, the newest ones and those
// near the top come first.
func TestNewestFoldersAreWatchedFirst(t *testing.T) {
	root := t.TempDir()
	now := time.Now()
	for day := 1; day <= 20; day++ {
		dir := mkdir(t, root, "2026", "11", fmt.Sprintf("%02d", day))
		if err := os.Chtimes(dir, now, now.Add(time.Duration(day-40)*24*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	l := lookInto(t.Context(), watchedFolder{Path: root})
	want := []string{root, filepath.Join(root, "2026"), filepath.Join(root, "2026", "11")}
	if got := slices.Sorted(slices.Values(l.folders[:3])); !slices.Equal(got, want) {
		t.Errorf("first come %v", got)
	}
	if l.folders[3] != filepath.Join(root, "2026", "11", "20") || l.folders[22] != filepath.Join(root, "2026", "11", "01") {
		t.Errorf("then %v", l.folders[3:])
	}
}
