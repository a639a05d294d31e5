package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	sqlite3 "github.com/mattn/go-sqlite3"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"palimpsest/internal/pgserver"
	"palimpsest/model"
)

func TestDefaultPath(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders are those of Linux")
	}
	t.Setenv("HOME", "/home/ada")
	for xdg, want := range map[string]string{
		"":          "/home/ada/.local/share/palimpsest/palimpsest.db",
		"rel/ative": "/home/ada/.local/share/palimpsest/palimpsest.db",
		"/data":     "/data/palimpsest/palimpsest.db",
	} {
		t.Setenv("XDG_DATA_HOME", xdg)
		if got, err := DefaultPath(); err != nil || got != want {
			t.Errorf("XDG_DATA_HOME=%q: %q, %v", xdg, got, err)
		}
	}
}

// Characters that mean something in a URI don't in a path.
func TestOddPaths(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a b.db", "what?.db", "no#1.db", "100%.db", "%41.db", "a&mode=ro.db", "会話;é.db", "a+b.db"} {
		path := filepath.Join(dir, "sub dir?#%20", name)
		s := openAt(t, path)
		save(t, s, sampleRecord(), lines(1, 1000))
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
		s.Close()
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// The settings the design relies on are in force on every connection.
func TestConnectionSettings(t *testing.T) {
	s := openTemp(t)
	for name, want := range map[string]int{
		"auto_vacuum": 2, "foreign_keys": 1, "synchronous": 1, "busy_timeout": 5000,
		"application_id": applicationID, "user_version": latest(steps), "secure_delete": 1,
	} {
		if got, err := pragma(s.writing(), name); err != nil || got != want {
			t.Errorf("%s = %d, %v; want %d", name, got, err, want)
		}
	}
	var mode string
	if err := s.writing().Raw("PRAGMA journal_mode").Row().Scan(&mode); err != nil || mode != "wal" {
		t.Errorf("journal mode %q, %v", mode, err)
	}
	if err := s.read.Exec("DELETE FROM settings").Error; kindOf(err) != ErrReadOnly {
		t.Errorf("a reader could write: %v", err)
	}
	if info, err := os.Stat(s.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// expect checks cause and sentence of an error.
func expect(t *testing.T, err, kind error, words ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("got %v, want the cause %q", err, kind)
	}
	var e *Error
	if !errors.As(err, &e) || e.Op == "" {
		t.Fatalf("%v does not say what could not be done", err)
	}
	cause := kind.Error()
	if kind == ErrNotFound && e.Detail != "" {
		cause = ": " + e.Detail // which says it
	}
	for _, w := range append(words, "can't "+e.Op, cause, e.Next()) {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}

func TestRefusesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.db")
	if err := os.WriteFile(text, bytes.Repeat([]byte("not a database\n"), 500), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "foreign.db")
	db, err := sql.Open("sqlite3", foreign)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE bookmarks (url TEXT)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	newerDB := filepath.Join(dir, "newer.db")
	s := openAt(t, newerDB)
	s.writing().Exec("PRAGMA user_version = 999")
	s.Close()

	for _, c := range []struct {
		path string
		kind error
		say  string
	}{
		{text, ErrNotDatabase, text},
		{foreign, ErrNotDatabase, "belongs to another program"},
		{dir, ErrNotDatabase, "it is a folder"},
		{os.DevNull, ErrNotDatabase, "it is a device"},
		{newerDB, ErrNewer, "its format is 999"},
		{filepath.Join(text, "below", "a.db"), ErrCantOpen, "folder"},
	} {
		before, _ := os.ReadFile(c.path)
		for _, opt := range [][]Option{nil, {OpenReadOnly()}} {
			_, err := Open(c.path, opt...)
			expect(t, err, c.kind, c.say)
		}
		if after, _ := os.ReadFile(c.path); !bytes.Equal(before, after) {
			t.Errorf("%s was changed", c.path)
		}
	}
	_, err = Open(filepath.Join(dir, "missing.db"), OpenReadOnly())
	expect(t, err, ErrCantOpen)
}

// everyWrite calls every method that writes; f judges the errors.
func everyWrite(s *Store, f func(op string, err error)) {
	ctx := context.Background()
	f("save", s.SaveRecord(ctx, sampleRecord(), originals(lines(9, 100))))
	f("output", s.SetOutput(ctx, "1", "/x", "aa"))
	_, err := s.Delete(ctx, "1")
	f("delete", err)
	f("preset", s.SavePreset(ctx, Preset{Name: "a"}))
	f("delete preset", s.DeletePreset(ctx, "a"))
	f("setting", s.SetSetting(ctx, "a", 1))
	f("recent", s.AddRecent(ctx, Recent{Path: "/a"}))
	f("answer", s.PutAnswer(ctx, [32]byte{1}, []byte{2}))
	_, err = s.Append(ctx, "c", 0, model.Entry{Events: []model.Event{{Seq: 1, Kind: model.EventCalled, Items: "{}"}}, Stats: model.ConversationStats{}})
	f("append", err)
}

// readOnlyChecks is what must hold of a database that can't be written.
func readOnlyChecks(t *testing.T, s *Store, content []byte) {
	t.Helper()
	if !s.ReadOnly() {
		t.Fatal("the database says that it can be written")
	}
	if _, err := s.Record(t.Context(), "1"); err != nil {
		t.Error(err)
	}
	if got := giveBack(t, s, "1"); !bytes.Equal(got, content) {
		t.Error("the originals differ")
	}
	if list, err := s.Records(t.Context(), Filter{}); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
	stats(t, s)
	everyWrite(s, func(op string, err error) { expect(t, err, ErrReadOnly, s.Path()) })
}

func TestOpenReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	content := lines(3, 300_000)
	s := openAt(t, path)
	save(t, s, sampleRecord(), content)
	t.Run("beside a writer", func(t *testing.T) { readOnlyChecks(t, openAt(t, path, OpenReadOnly()), content) })
	s.Close()
	t.Run("alone", func(t *testing.T) { readOnlyChecks(t, openAt(t, path, OpenReadOnly()), content) })
	t.Run("older", func(t *testing.T) {
		later := append([]step{}, steps...)
		later = append(later, step{version: latest(steps) + 1, run: statements("SELECT 1")})
		_, err := Open(path, OpenReadOnly(), withSteps(later))
		expect(t, err, ErrReadOnly, "brought up to")
	})
}

// Errors of SQLite and the system are explained by their cause.
func TestCauses(t *testing.T) {
	for err, want := range map[error]error{
		sqlite3.Error{Code: sqlite3.ErrFull}:                               ErrFull,
		sqlite3.Error{Code: sqlite3.ErrIoErr, SystemErrno: syscall.ENOSPC}: ErrFull,
		&os.PathError{Op: "write", Path: "/h/p.db", Err: syscall.ENOSPC}:   ErrFull,
		sqlite3.Error{Code: sqlite3.ErrIoErr}:                              ErrDisk,
		sqlite3.Error{Code: sqlite3.ErrCorrupt}:                            ErrCorrupt,
		sqlite3.Error{Code: sqlite3.ErrNotADB}:                             ErrNotDatabase,
		sqlite3.Error{Code: sqlite3.ErrBusy}:                               ErrLocked,
		sqlite3.Error{Code: sqlite3.ErrLocked}:                             ErrLocked,
		sqlite3.Error{Code: sqlite3.ErrReadonly}:                           ErrReadOnly,
		&os.PathError{Op: "mkdir", Path: "/h", Err: syscall.EROFS}:         ErrReadOnly,
		sqlite3.Error{Code: sqlite3.ErrCantOpen}:                           ErrCantOpen,
		&os.PathError{Op: "open", Path: "/h/p.db", Err: syscall.EACCES}:    ErrCantOpen,
		sqlite3.Error{Code: sqlite3.ErrConstraint}:                         nil,
		errBroken: nil,
	} {
		if got := kindOf(fmt.Errorf("wrapped: %w", err)); got != want {
			t.Errorf("%v: %v, want %v", err, got, want)
		}
	}
}

// A folder and file without permission to write are read all the same. Root may
// write anywhere, so the test runs itself as somebody else.
func TestFolderWithoutPermission(t *testing.T) {
	const child = "STORE_TEST_READONLY_DB"
	content := lines(3, 300_000)
	if path := os.Getenv(child); path != "" {
		readOnlyChecks(t, openAt(t, path), content)
		_, err := Open(filepath.Join(filepath.Dir(path), "new.db"))
		expect(t, err, ErrCantOpen)
		_, err = Open(filepath.Join(filepath.Dir(path), "copied.db"))
		expect(t, err, ErrReadOnly, "-wal")
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFolderWithoutPermission$")
	if os.Getuid() == 0 && !asNobody(cmd) {
		t.Skip("root may write anywhere, and on this system the test can't run as somebody else")
	}
	dir := pgserver.Folder(t, "palimpsest-readonly-*")
	t.Cleanup(func() { os.Chmod(dir, 0o700) })
	path := filepath.Join(dir, "p.db")
	s := openAt(t, path)
	save(t, s, sampleRecord(), content)
	copyDatabase(t, path, filepath.Join(dir, "copied.db")) // with its latest changes in the log
	s.Close()
	for name, mode := range map[string]os.FileMode{path: 0o444, dir: 0o555, dir + "/copied.db": 0o444, dir + "/copied.db-wal": 0o444} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Env = append(os.Environ(), child+"="+path, "TMPDIR=/tmp")
	out, err := cmd.CombinedOutput()
	if errors.Is(err, os.ErrPermission) {
		t.Skip("the test binary can't be run as somebody else: ", err)
	}
	if err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}

// While another program holds the write lock, saving waits and then says so;
// reading goes on.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path, BusyTimeout(20*time.Millisecond))
	save(t, s, sampleRecord(), lines(1, 1000))
	other := openAt(t, path)
	tx := other.writing().Begin()
	if tx.Error != nil {
		t.Fatal(tx.Error)
	}
	everyWrite(s, func(op string, err error) { expect(t, err, ErrLocked, path) })
	if _, err := s.Record(t.Context(), "1"); err != nil {
		t.Error(err)
	}
	late := openAt(t, path, BusyTimeout(20*time.Millisecond))
	if _, err := late.Record(t.Context(), "1"); err != nil {
		t.Error("opened beside the lock:", err)
	}
	var original bytes.Buffer
	if err := late.WriteSource(t.Context(), "1", &original); err != nil || original.Len() == 0 {
		t.Errorf("%d bytes of the original beside the lock: %v", original.Len(), err)
	}
	if late.ReadOnly() {
		t.Error("a lock is taken for a database that can't be written")
	}
	expect(t, late.Writing(t.Context()), ErrLocked, path)
	tx.Rollback()
	save(t, s, sampleRecord(), lines(1, 1000))
	save(t, late, sampleRecord(), lines(1, 1000))
}

// Many processes may make one new database at the same time.
func TestOpenTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "er", "p.db")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := Open(path, BusyTimeout(time.Minute)) // a slow disk is not what is tested
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.SetSetting(context.Background(), "a", 1); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s := openAt(t, path)
	if got, err := pragma(s.writing(), "auto_vacuum"); err != nil || got != 2 {
		t.Errorf("auto_vacuum = %d, %v", got, err)
	}
}

func TestClosedAndCancelled(t *testing.T) {
	s := openTemp(t)
	content := lines(1, 3_000_000)
	rec := save(t, s, sampleRecord(), content)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.SaveRecord(ctx, sampleRecord(), originals(lines(2, 100))); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := s.Records(ctx, Filter{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// Cancelled by the source while it is being read.
	ctx, cancel = context.WithCancel(t.Context())
	fresh := noise(8, 12<<20)
	src := model.Originals{Source: cancelAt{bytes.NewReader(fresh), 9 << 20, cancel}, Size: int64(len(fresh))}
	before := stats(t, s)
	unsaved := sampleRecord()
	if err := s.SaveRecord(ctx, unsaved, src); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if after := stats(t, s); after.Blocks != before.Blocks || after.Records != before.Records || unsaved.ID != "" {
		t.Errorf("something was written: %+v, was %+v; ID %q", after, before, unsaved.ID)
	}
	if got := giveBack(t, s, rec.ID); !bytes.Equal(got, content) {
		t.Error("the originals differ")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	if _, err := s.Record(t.Context(), "1"); err == nil {
		t.Error("a closed database was read")
	}
}

type cancelAt struct {
	*bytes.Reader
	off    int64
	cancel func()
}

func (c cancelAt) ReadAt(b []byte, off int64) (int, error) {
	if off+int64(len(b)) >= c.off {
		c.cancel()
	}
	return c.Reader.ReadAt(b, off)
}

// Close does not wait for ever for a write that hangs, and loses nothing.
func TestCloseBesideAWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path)
	save(t, s, sampleRecord(), lines(1, 1000))
	hung, release := make(chan bool), make(chan bool)
	done := make(chan error)
	go func() {
		src := model.Originals{Source: hangAt{hung, release}, Size: 10}
		done <- s.SaveRecord(context.Background(), sampleRecord(), src)
	}()
	<-hung
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	close(release)
	if err := <-done; err == nil {
		t.Log("the write came through")
	}
	s = openAt(t, path)
	if st := stats(t, s); st.Records < 1 || st.Records > 2 || st.Sources != st.Records {
		t.Errorf("%+v", st)
	}
}

type hangAt struct{ hung, release chan bool }

func (h hangAt) ReadAt(b []byte, off int64) (int, error) {
	h.hung <- true
	<-h.release
	return len(b), nil
}

// The zero time and an empty record are stored like any other.
func TestEmptyRecord(t *testing.T) {
	s := openTemp(t)
	rec := save(t, s, &model.Record{}, nil)
	got, err := s.Record(t.Context(), rec.ID)
	if err != nil || !got.Time.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
	if list, err := s.Records(t.Context(), Filter{}); err != nil || !list[0].Time.IsZero() {
		t.Errorf("%+v, %v", list, err)
	}
}
