package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What would go is reported before it goes, and the report changes nothing.
func TestWouldExpire(t *testing.T) {
	s := openTemp(t)
	now := time.Now()
	for i := range 10 {
		saveAged(t, s, now.Add(-time.Duration(i)*24*time.Hour))
	}
	n, freed, err := s.WouldExpire(t.Context(), Retention{Records: 4}, now)
	if err != nil || n != 6 || freed <= 0 {
		t.Fatal(n, freed, err)
	}
	if left, err := s.CountRecords(t.Context(), Filter{}); err != nil || left != 10 {
		t.Fatal(left, err)
	}
	if err := s.SetRetention(t.Context(), Retention{Records: 4}); err != nil {
		t.Fatal(err)
	}
	if gone, really, err := s.Expire(t.Context(), now); err != nil || gone != n || really != freed {
		t.Errorf("told %d records and %d bytes, gone are %d and %d (%v)", n, freed, gone, really, err)
	}
	if n, _, err = s.WouldExpire(t.Context(), Retention{}, now); n != 0 || err != nil {
		t.Error("nothing goes while no retention is set", n, err)
	}
}

// A backup opens and holds the same; nothing is replaced by one.
func TestBackup(t *testing.T) {
	s := openTemp(t)
	saveAged(t, s, time.Now())
	to := BackupName(s.Path(), time.Now())
	if err := s.Backup(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), to); !errors.Is(err, ErrExists) {
		t.Errorf("a backup was replaced: %v", err)
	}
	if again := BackupName(s.Path(), time.Now()); again == to {
		t.Error("the name is taken")
	}
	b, err := Open(to)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	list, err := b.Records(t.Context(), Filter{})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if err := b.WriteSource(t.Context(), list[0].ID, io.Discard); err != nil {
		t.Error(err)
	}
}

// A file that can't be opened is copied as it is.
func TestBackupOfDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(path, []byte("SQLite format 3\x00 and nothing else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := BackupFile(t.Context(), path, path+".backup"); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path + ".backup"); err != nil || !strings.HasSuffix(string(b), "nothing else") {
		t.Errorf("%q, %v", b, err)
	}
	if err := BackupFile(t.Context(), filepath.Join(t.TempDir(), "none.db"), path+".2"); err == nil {
		t.Error("nothing was backed up, and that is not said")
	}
}

func TestCompactDatabase(t *testing.T) {
	s := openTemp(t)
	for range 3 {
		saveAged(t, s, time.Now())
	}
	before, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := s.Stats(t.Context())
	if err != nil || after.Size > before.Size || after.Records != before.Records {
		t.Errorf("%+v → %+v, %v", before, after, err)
	}
	if c, err := s.Check(t.Context()); err != nil || len(c.Found) > 0 {
		t.Error(c.Found, err)
	}
}

func TestWithoutPassword(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://ann:s3cret@db/team":                      "postgres://ann@db/team",
		"postgres://db/team?user=ann&password=s3cret":        "postgres://db/team?user=ann",
		"postgresql://ann@db:5433/team?sslmode=verify-full":  "postgresql://ann@db:5433/team?sslmode=verify-full",
		"postgres://ann:s3cret@db/team?sslpassword=s3cret":   "postgres://ann@db/team",
		"/home/ann/records.db":                               "/home/ann/records.db",
		"postgres://ann:s3cret@db:port that is none/s3cret?": "",
	} {
		shown, had := WithoutPassword(address)
		if shown != want || had != strings.Contains(address, "s3cret") || strings.Contains(shown, "s3cret") {
			t.Errorf("%s: %q, %v", address, shown, had)
		}
	}
}

func TestTry(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.db")
	if _, err := Try(none); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("trying made a database")
	}
	s := openTemp(t)
	saveAged(t, s, time.Now())
	if st, err := Try(s.Path()); err != nil || st.Records != 1 {
		t.Error(st, err)
	}
	var e *Error
	if _, err := Try("postgres://ann:s3cret@127.0.0.1:1/team"); !errors.As(err, &e) || strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
}

// saveAged stores a record of a certain time with originals of its own.
func saveAged(t *testing.T, s *Store, at time.Time) {
	t.Helper()
	rec := sampleRecord()
	rec.Time, rec.Base, rec.Parents = at, "", nil
	save(t, s, rec, lines(uint64(at.UnixNano()), 20_000))
}
