package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	rand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A child of these tests saves record after record into the database that the
// variable names and prints each that was saved: its ID and its originals'
// SHA-256. It ends when it is killed, or after as many as the second word says.
const applierVar = "STORE_TEST_APPLIER"

func TestMain(m *testing.M) {
	if job := os.Getenv(applierVar); job != "" {
		path, n, _ := strings.Cut(job, "\n")
		count, err := strconv.Atoi(n)
		if n == journalWord {
			err = journalAll(path)
		} else if err == nil {
			err = applyAll(path, count)
		}
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func applyAll(path string, count int) error {
	s, err := Open(path, BusyTimeout(time.Minute))
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(time.Now().UnixNano())))
	for range count {
		content := noise(r.Uint64(), 1+r.IntN(3*blockSize))
		src := originals(content)
		src.Texts = yieldAll("请压缩历史记录", hex.EncodeToString(content[:1]))
		rec := sampleRecord()
		if err := s.SaveRecord(context.Background(), rec, src); err != nil {
			return err
		}
		fmt.Println(rec.ID, rec.SourceSHA)
	}
	return s.Close()
}

func applier(path string, count int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s\n%d", applierVar, path, count))
	return cmd
}

// told reads what an applier says, up to n records.
func told(t *testing.T, lines *bufio.Scanner, n int, into map[string]string) (got int) {
	t.Helper()
	for got < n && lines.Scan() {
		id, sha, _ := strings.Cut(lines.Text(), " ")
		if id == "error" {
			t.Errorf("an applier failed: %s", sha)
			return got
		}
		if _, twice := into[id]; twice {
			t.Errorf("%s was given twice", id)
		}
		into[id] = sha
		got++
	}
	return got
}

// whole reads every record with its originals and returns what is there; anything
// half-written is an error.
func whole(t *testing.T, s *Store) map[string]string {
	t.Helper()
	there := map[string]string{}
	list, err := s.Records(t.Context(), Filter{Limit: -1, Full: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range list {
		sum := sha256.New()
		if err := s.WriteSource(t.Context(), rec.ID, sum); err != nil {
			t.Errorf("%s is there, but: %v", rec.ID, err)
		}
		there[rec.ID] = hex.EncodeToString(sum.Sum(nil))
	}
	if n, err := s.CountRecords(t.Context(), Filter{Text: "压缩"}); err != nil || int(n) != len(list) {
		t.Errorf("%d of %d are found by their text, %v", n, len(list), err)
	}
	var loose int
	err = s.read.Raw(`SELECT (SELECT count(*) FROM blocks WHERE id NOT IN (SELECT block_id FROM source_blocks)) +
		(SELECT count(*) FROM sources WHERE id NOT IN (SELECT source_id FROM records)) +
		(SELECT count(*) FROM texts WHERE id NOT IN (SELECT text_id FROM record_texts))`).Row().Scan(&loose)
	if err != nil || loose > 0 {
		t.Errorf("%d rows belong to nothing, %v", loose, err)
	}
	return there
}

func lost(t *testing.T, said, there map[string]string) (n int) {
	t.Helper()
	for id, sha := range said {
		if there[id] != sha {
			t.Errorf("%s was told as saved and is %q", id, there[id])
			n++
		}
	}
	return n
}

// Programs are killed while they save, until 200 records, or APPLIES, were saved. Each record
// is whole or not there, and none that was reported as saved is lost.
func TestKilledAppliers(t *testing.T) {
	enough := number(t, "APPLIES", 200)
	path := filepath.Join(t.TempDir(), "p.db")
	openAt(t, path).Close()
	r := rand.New(rand.NewPCG(1, 2))
	said := map[string]string{}
	kills := 0
	for ; len(said) < enough && !t.Failed(); kills++ {
		cmd := applier(path, 1<<30)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		told(t, lines, r.IntN(9), said) // also none: while it opens the database
		cmd.Process.Kill()
		told(t, lines, 1<<30, said) // what it said before it died
		cmd.Wait()
		if kills%8 == 0 {
			s := openAt(t, path)
			lost(t, said, whole(t, s))
			s.Close()
		}
	}
	s := openAt(t, path)
	there := whole(t, s)
	n := lost(t, said, there)
	if found, err := integrityCheck(t.Context(), s.read); err != nil || len(found) > 0 {
		t.Error(found, err)
	}
	if len(there) > len(said)+kills {
		t.Errorf("%d records, %d were told and %d programs killed", len(there), len(said), kills)
	}
	t.Logf("kills %d, applies %d (%d more were whole when their program died), lost: %d", kills, len(said), len(there)-len(said), n)
}

// Two programs save into one database at the same time.
func TestTwoAppliers(t *testing.T) {
	const each = 50
	path := filepath.Join(t.TempDir(), "p.db")
	said := [2]map[string]string{{}, {}}
	var wg sync.WaitGroup
	for i := range said {
		cmd := applier(path, each)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			told(t, bufio.NewScanner(out), 1<<30, said[i])
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	there := whole(t, openAt(t, path))
	n := lost(t, said[0], there) + lost(t, said[1], there)
	if len(there) != 2*each {
		t.Errorf("%d records", len(there))
	}
	t.Logf("programs 2, applies %d, lost: %d", len(said[0])+len(said[1]), n)
}

// Another program holds the lock and lets go: who waits long enough saves. How
// long it holds is set by LOCK_FOR, because half a minute is too long for every
// day.
func TestLockedForAWhile(t *testing.T) {
	hold := 300 * time.Millisecond
	if d, err := time.ParseDuration(os.Getenv("LOCK_FOR")); err == nil {
		hold = d
	}
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path, BusyTimeout(hold+time.Minute))
	other := openAt(t, path)
	tx := other.writing().Begin()
	if tx.Error != nil {
		t.Fatal(tx.Error)
	}
	released := make(chan error)
	time.AfterFunc(hold, func() { released <- tx.Commit().Error })
	begin := time.Now()
	done := make(chan error)
	go func() { done <- s.SaveRecord(context.Background(), sampleRecord(), originals(lines(1, 1000))) }()
	if _, err := s.Records(t.Context(), Filter{}); err != nil {
		t.Errorf("reading beside the lock: %v", err)
	}
	if err := <-released; err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	t.Logf("locked for %v, saved after %v, lost: 0", hold, time.Since(begin).Round(10*time.Millisecond))
}

// smallDisk is a file system of so many kilobytes.
func smallDisk(t *testing.T, kb int) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dk", kb), "none", dir).CombinedOutput(); err != nil {
		t.Skipf("a small disk can't be mounted here (%s); TestDiskFull covers a full database", bytes.TrimSpace(out))
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return dir
}

// A disk that is really full: saving, migrating and giving back fail as such and
// change nothing; with space again all goes on.
func TestSmallDisk(t *testing.T) {
	t.Run("saving", func(t *testing.T) {
		path := filepath.Join(smallDisk(t, 3000), "p.db")
		s := openAt(t, path)
		said := map[string]string{}
		full := 0
		for i := range 40 {
			rec := sampleRecord()
			src := originals(noise(uint64(i), blockSize))
			src.Texts = yieldAll("压缩")
			err := s.SaveRecord(t.Context(), rec, src)
			if err == nil {
				said[rec.ID] = rec.SourceSHA
				continue
			}
			expect(t, err, ErrFull, path)
			full++
		}
		if full == 0 || len(said) == 0 {
			t.Fatalf("%d saved, %d refused", len(said), full)
		}
		there := whole(t, s)
		t.Logf("applies %d, refused by the full disk %d, lost: %d", len(said), full, lost(t, said, there))
		for id := range said {
			if len(there) > 2 {
				if _, err := s.Delete(t.Context(), id); err != nil && !errors.Is(err, ErrFull) {
					t.Error(err)
				}
				break
			}
		}
	})
	t.Run("migrating", func(t *testing.T) {
		old, content := fixture(t, 2)
		plain, err := os.ReadFile(old)
		if err != nil {
			t.Fatal(err)
		}
		dir := smallDisk(t, len(plain)/1024+60)
		path := filepath.Join(dir, "p.db")
		if err := os.WriteFile(path, plain, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = Open(path)
		expect(t, err, ErrFull)
		if left, _ := filepath.Glob(path + ".bak*"); len(left) > 0 {
			t.Errorf("a half copy is left: %v", left)
		}
		if out, err := exec.Command("mount", "-o", "remount,size=20m", dir).CombinedOutput(); err != nil {
			t.Skipf("the disk can't be made larger: %s", out)
		}
		s := openAt(t, path)
		checkFixture(t, s, content)
		s.Close()
	})
	t.Run("giving back", func(t *testing.T) {
		s := openTemp(t)
		rec := save(t, s, sampleRecord(), noise(1, 8*blockSize))
		f, err := os.Create(filepath.Join(smallDisk(t, 600), "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		expect(t, s.WriteSource(t.Context(), rec.ID, f), ErrFull)
		if err := s.WriteSource(t.Context(), rec.ID, io.Discard); err != nil {
			t.Error(err)
		}
	})
}

// damaged is a copy of a database that is cut short, has bits turned, or has pages that
// are zero, noise, or each other's. The first page stays: without it, it is no database.
func damaged(good []byte, try int, r *rand.Rand) []byte {
	const page = 4096
	bad := bytes.Clone(good)
	at := func() []byte { k := 1 + r.IntN(len(bad)/page-1); return bad[k*page : (k+1)*page] }
	switch try % 8 {
	case 0, 4:
		return bad[:page+r.IntN(len(bad)-page)]
	case 1:
		clear(at()[:512*(1+r.IntN(8))])
	case 2:
		copy(at(), noise(uint64(try), page))
	case 3:
		x, y := at(), at()
		was := bytes.Clone(x)
		copy(x, y)
		copy(y, was)
	default:
		for range 1 + r.IntN(20) {
			bad[page+r.IntN(len(bad)-page)] ^= 1 << r.IntN(8)
		}
	}
	return bad
}

// A database is damaged at random. It never takes the program down, never passes off
// wrong originals as right, and what a repair saves reads back. DAMAGES is how many.
func TestDamagedDatabases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path)
	said := map[string]string{}
	for i := range 12 {
		rec := sampleRecord()
		src := originals(lines(uint64(i), 40_000))
		src.Texts = yieldAll("压缩", string(lines(uint64(i), 2000)))
		if err := s.SaveRecord(t.Context(), rec, src); err != nil {
			t.Fatal(err)
		}
		said[rec.ID] = rec.SourceSHA
	}
	s.Close()
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	tries := number(t, "DAMAGES", 24)
	var refused, told, unnoticed, repaired, saved, rests, shown int
	for try := range tries {
		bad := damaged(good, try, r)
		path := filepath.Join(t.TempDir(), "p.db")
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := Open(path)
		if err != nil {
			refused++
			expectCause(t, err)
			if rest, err := OpenWhole(t.Context(), path); rest != nil {
				rests++
				shown += restReadable(t, rest, err, path, said)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, bad) {
				t.Errorf("try %d: reading the rest changed the database, %v", try, err)
			}
		} else {
			check, err := d.Check(t.Context())
			switch {
			case err != nil:
				t.Errorf("try %d: %v", try, err)
			case len(check.Found) > 0:
				told++
			default:
				unnoticed++
			}
			readable(t, d, said)
			if check.Found == nil && len(readable(t, d, said)) != len(said) {
				t.Errorf("try %d: records are missing, and the check found nothing", try)
			}
			d.Close()
		}
		fixed, err := Repair(t.Context(), path)
		if err != nil {
			expectCause(t, err)
			continue
		}
		if aside, err := os.ReadFile(fixed.Aside); err != nil || len(aside) == 0 {
			t.Errorf("what was damaged is gone: %v", err)
		}
		again := openAt(t, path)
		if found, err := integrityCheck(t.Context(), again.read); err != nil || len(found) > 0 {
			t.Errorf("try %d: after the repair: %v, %v", try, found, err)
		}
		var loose []map[string]any
		if err := again.read.Raw("PRAGMA foreign_key_check").Scan(&loose).Error; err != nil || len(loose) > 0 {
			t.Errorf("try %d: after the repair: %v, %v", try, loose, err)
		}
		repaired++
		saved += len(readable(t, again, said))
		save(t, again, sampleRecord(), lines(99, 1000))
		again.Close()
	}
	t.Logf("databases damaged %d: refused %d (the rest of %d was readable, %d of %d records whole), damage told %d, harmless %d; repaired %d, in which %d of %d records read back whole; wrong bytes passed off: 0",
		tries, refused, rests, shown, rests*len(said), told, unnoticed, repaired, saved, repaired*len(said))
	if repaired == 0 || saved == 0 {
		t.Error("nothing could be repaired")
	}
}

// number is what a variable of the environment says, or what is usual: longer runs are
// not for every day.
func number(t *testing.T, name string, usual int) int {
	t.Helper()
	if s := os.Getenv(name); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return n
	}
	return usual
}

// restReadable looks at what is left of a database that could not be opened.
func restReadable(t *testing.T, rest *Store, err error, path string, said map[string]string) int {
	t.Helper()
	expect(t, err, ErrCorrupt, path)
	if r, ok := rest.Rest(); !ok || r.Rows == 0 || !rest.ReadOnly() || rest.Path() != path {
		t.Errorf("%+v, %v, %s", r, ok, rest.Path())
	}
	if c, err := rest.Check(t.Context()); err != nil || len(c.Found) == 0 {
		t.Errorf("the check says that it is whole: %+v, %v", c, err)
	}
	everyWrite(rest, func(op string, err error) { expect(t, err, ErrReadOnly, path) })
	n := len(readable(t, rest, said))
	dir := rest.restDir
	if err := rest.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the copy is still there: %v", err)
	}
	return n
}

// A database that was cut short still shows those
// records whose pages are there, and a repair saves them.
func TestCutShort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path)
	said := map[string]string{}
	for i := range 12 {
		rec := sampleRecord()
		rec.RangeSHA = "" // so that the tree of records has one level: its inner page would lie where it is cut
		src := originals(noise(uint64(i), 40_000))
		if err := s.SaveRecord(t.Context(), rec, src); err != nil {
			t.Fatal(err)
		}
		said[rec.ID] = rec.SourceSHA
	}
	s.Close()
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, tenths := range []int{9, 7} {
		path := filepath.Join(t.TempDir(), "p.db")
		if err := os.WriteFile(path, good[:len(good)*tenths/10], 0o600); err != nil {
			t.Fatal(err)
		}
		rest, err := OpenWhole(t.Context(), path)
		if rest == nil {
			t.Fatalf("%d0 %% of it: %v", tenths, err)
		}
		shown := restReadable(t, rest, err, path, said)
		if _, err := Repair(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		again := openAt(t, path)
		saved := len(readable(t, again, said))
		again.Close()
		t.Logf("%d0 %% of the file: %d of %d records whole as a rest, %d after the repair", tenths, shown, len(said), saved)
		if shown == 0 || saved != shown {
			t.Error("records are lost that are there")
		}
	}
}

// readable are the records whose originals come back; those that come back have
// to be right.
func readable(t *testing.T, s *Store, said map[string]string) (ids []string) {
	t.Helper()
	for id, sha := range said {
		sum := sha256.New()
		if err := s.WriteSource(t.Context(), id, sum); err != nil {
			continue
		}
		if _, err := s.Record(t.Context(), id); err != nil {
			continue
		}
		if hex.EncodeToString(sum.Sum(nil)) != sha {
			t.Errorf("%s gave other bytes, and no error", id)
		}
		ids = append(ids, id)
	}
	return ids
}

// expectCause wants an error to say why and what next.
func expectCause(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Next() == "" {
		t.Errorf("it does not say what to do: %v", err)
	}
	if errors.Is(err, ErrNotDatabase) || strings.Contains(err.Error(), "malformed") {
		t.Errorf("of a damaged database of ours it says %v", err)
	}
}
