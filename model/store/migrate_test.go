package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gorm.io/gorm"
)

// withSteps opens with another list of schema versions than the program's.
func withSteps(list []step) Option { return func(o *options) { o.steps = list } }

func version(t *testing.T, s *Store) int {
	t.Helper()
	n, err := userVersion(s.read)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var addNotes = step{version: 2, run: statements(
	"ALTER TABLE records ADD COLUMN note TEXT NOT NULL DEFAULT ''",
	"CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")}

func two() []step { return []step{steps[0], addNotes} }

// From nothing all steps run, and there is nothing to set aside.
func TestMigrateFromNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path, withSteps(two()))
	if v := version(t, s); v != 2 {
		t.Errorf("version %d", v)
	}
	save(t, s, sampleRecord(), lines(1, 1000))
	if found, _ := filepath.Glob(path + ".bak*"); len(found) > 0 {
		t.Errorf("found %v", found)
	}
}

// From version 1 the new step runs on the data that is there, after a copy.
func TestMigrateFromVersion1(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	content := lines(1, 600_000)
	s := openAt(t, path, withSteps(steps[:1]))
	save(t, s, sampleRecord(), content)
	s.Close()

	s = openAt(t, path, withSteps(two()))
	if v := version(t, s); v != 2 {
		t.Errorf("version %d", v)
	}
	if err := s.write.Exec("INSERT INTO notes (text) VALUES ('x')").Error; err != nil {
		t.Error(err)
	}
	if got := giveBack(t, s, "1"); !bytes.Equal(got, content) {
		t.Error("the originals differ after the step")
	}
	s.Close()
	openAt(t, path, withSteps(two())).Close() // up to date: no second copy

	copies, _ := filepath.Glob(path + ".bak*")
	if len(copies) != 1 || copies[0] != path+".bak-v1" {
		t.Fatalf("copies: %v", copies)
	}
	if info, err := os.Stat(copies[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	old := openAt(t, copies[0], withSteps(steps[:1]))
	if v := version(t, old); v != 1 {
		t.Errorf("the copy has version %d", v)
	}
	if got := giveBack(t, old, "1"); !bytes.Equal(got, content) {
		t.Error("the originals differ in the copy")
	}
	if id := save(t, old, sampleRecord(), content).ID; id != "R-0002" {
		t.Errorf("the copy goes on with %s", id)
	}
	_, err := Open(path, withSteps(steps[:1]))
	expect(t, err, ErrNewer)
}

// A step that fails leaves nothing behind: not its first half, not the version.
func TestMigrationFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	content := lines(1, 1000)
	s := openAt(t, path, withSteps(steps[:1]))
	save(t, s, sampleRecord(), content)
	s.Close()

	broken := errors.New("broken")
	bad := []step{steps[0], addNotes, {version: 3, run: func(tx *gorm.DB) error {
		if err := tx.Exec("DROP TABLE record_bodies").Error; err != nil {
			return err
		}
		return broken
	}}}
	for range 2 { // the second attempt meets version 2 and the copy of the first
		if _, err := Open(path, withSteps(bad)); !errors.Is(err, broken) {
			t.Fatal(err)
		}
	}
	s = openAt(t, path, withSteps(two()))
	if v := version(t, s); v != 2 {
		t.Errorf("version %d", v)
	}
	if got := giveBack(t, s, "1"); !bytes.Equal(got, content) {
		t.Error("the originals differ")
	}
	if _, err := s.Record(t.Context(), "1"); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(path + "*.part"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
