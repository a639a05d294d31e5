package desk

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/gui/sched"
	"palimpsest/model/store"
)

// A database that was cut off is said, backed up as it is, and repaired: the
// window goes on with what could be read, and the damaged file stays.
func TestRepairOfACutDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	st, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	d := newWindowOn(t, st)
	d.Add(chat(t, 60))
	d.settle()
	if d.Planning.Plan() == nil {
		t.Fatal(d.Notices())
	}
	for range 3 {
		if err := st.AddRecent(t.Context(), store.Recent{Path: path, Title: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	d.Close()
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)*6/10], 0o600); err != nil {
		t.Fatal(err)
	}
	broken, err := store.Open(path)
	if err == nil {
		broken.Close()
		t.Skip("this part of it can be opened")
	}
	q := sched.NewQueue()
	w := &window{New(q.Dispatch, nil), q, map[Topic]int{}}
	t.Cleanup(func() { w.Close() })
	w.storeFailed(path, err)
	if len(w.Notices()) != 1 || !w.CanRepair() || !w.CanBackUp() {
		t.Fatalf("%v, can repair: %v", err, w.CanRepair())
	}
	var backup string
	w.BackupStore(func(path string, e error) { backup, err = path, e })
	w.settle()
	if b, readErr := os.ReadFile(backup); err != nil || readErr != nil || len(b) != len(whole)*6/10 {
		t.Fatal(err, readErr)
	}
	var r store.Repaired
	var fresh *store.Store
	w.Replaced = func(s *store.Store) { fresh = s }
	w.RepairStore(func(x store.Repaired, e error) { r, err = x, e })
	w.settle()
	if err != nil || fresh == nil || w.Store() != fresh || r.Aside == "" {
		t.Fatal(r, err)
	}
	defer fresh.Close()
	if len(w.Notices()) > 0 {
		t.Error("what was said of the damage is said of the repaired database:", w.Notices()[0])
	}
	if _, err := os.Stat(r.Aside); err != nil {
		t.Error("the damaged database is gone:", err)
	}
	var found store.Check
	w.CheckStore(func(c store.Check, e error) { found, err = c, e })
	w.settle()
	if err != nil || len(found.Found) > 0 {
		t.Error(found, err)
	}
}

// The file of another program, and that of a newer version, are not repaired.
func TestNoRepairOfOtherFiles(t *testing.T) {
	q := sched.NewQueue()
	w := &window{New(q.Dispatch, nil), q, map[Topic]int{}}
	t.Cleanup(func() { w.Close() })
	for _, kind := range []error{store.ErrNewer, store.ErrNotDatabase, store.ErrLocked} {
		w.storeFailed("/home/ann/x.db", &store.Error{Kind: kind})
		if w.CanRepair() {
			t.Errorf("%v would be repaired", kind)
		}
	}
	w.storeFailed("postgres://ann@db/team", &store.Error{Kind: store.ErrServer})
	if w.CanRepair() || w.CanBackUp() {
		t.Error("a server is no file")
	}
}

// What a retention would delete is said at the start and nothing goes by itself.
func TestPastKeepingIsToldFirst(t *testing.T) {
	d := newWindow(t)
	d.Add(chat(t, 60))
	d.settle()
	for range 2 {
		d.CompactNow()
		d.settle()
	}
	n, err := d.Store().CountRecords(t.Context(), store.Filter{})
	if err != nil || n == 0 {
		t.Fatal(n, err, d.Notices())
	}
	var told Expiring
	d.WouldExpire(store.Retention{Age: time.Nanosecond}, func(x Expiring, e error) { told, err = x, e })
	d.settle()
	if err != nil || told.Records == 0 {
		t.Fatal(told, err)
	}
	d.SetRetention(store.Retention{Age: time.Nanosecond}, false, func(_ Expiring, e error) { err = e })
	d.settle()
	d.useStore(d.Store()) // as at a start
	d.settle()
	said := false
	for _, x := range d.Notices() {
		said = said || x.Code == "pastKeeping"
	}
	if left, countErr := d.Store().CountRecords(t.Context(), store.Filter{}); !said || left != n || errors.Join(err, countErr) != nil {
		t.Errorf("said: %v, %d of %d records are left", said, left, n)
	}
}
