package store

import (
	"bytes"
	"errors"
	"fmt"
	"gorm.io/gorm"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"palimpsest/model"
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

// addNotes is a step that a later version might have.
var addNotes = step{version: latest(steps) + 1, run: statements(
	"ALTER TABLE records ADD COLUMN note TEXT NOT NULL DEFAULT ''",
	"CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")}

func later() []step { return append(slices.Clone(steps), addNotes) }

// From nothing all steps run, and there is nothing to set aside.
func TestMigrateFromNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path, withSteps(later()))
	if v := version(t, s); v != addNotes.version {
		t.Errorf("version %d", v)
	}
	save(t, s, sampleRecord(), lines(1, 1000))
	if found, _ := filepath.Glob(path + ".bak*"); len(found) > 0 {
		t.Errorf("found %v", found)
	}
}

// fixture is a database as an earlier version of the program left it.
func fixture(t *testing.T, version int) (path string, content []byte) {
	t.Helper()
	packed, err := os.ReadFile(fmt.Sprintf("testdata/v%d.db.zst", version))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := unpacker().DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "p.db")
	if err := os.WriteFile(path, plain, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, lines(1, 300_000)
}

// Every released version is brought up to date, after a copy, and nothing in it
// is lost.
func TestMigrateReleased(t *testing.T) {
	for v := 1; v < latest(steps); v++ {
		t.Run(fmt.Sprintf("version %d", v), func(t *testing.T) {
			path, content := fixture(t, v)
			s := openAt(t, path)
			if got := version(t, s); got != latest(steps) {
				t.Errorf("version %d", got)
			}
			checkFixture(t, s, content)
			if v >= 4 {
				checkColumns(t, s, v)
			}
			s.Close()
			openAt(t, path).Close() // up to date: no second copy

			copies, _ := filepath.Glob(path + ".bak*")
			if want := fmt.Sprintf("%s.bak-v%d", path, v); len(copies) != 1 || copies[0] != want {
				t.Fatalf("copies: %v", copies)
			}
			if info, err := os.Stat(copies[0]); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
			_, err := Open(path, withSteps(steps[:v]))
			expect(t, err, ErrNewer)
			// The copy is as good as what it was made of.
			checkFixture(t, openAt(t, copies[0]), content)
		})
	}
}

// checkFixture holds a migrated fixture against what was put into it.
func checkFixture(t *testing.T, s *Store, content []byte) {
	t.Helper()
	ctx := t.Context()
	list, err := s.Records(ctx, Filter{Ascending: true})
	if err != nil || ids(list) != "1 2 3" {
		t.Fatal(ids(list), err)
	}
	if list[0].Verb || !list[1].Verb || list[2].Verb || !list[2].Off || list[0].Output != "/out/run.jsonl" {
		t.Errorf("%+v", list)
	}
	if list, err := s.Records(ctx, Filter{Text: "析器 テスト"}); err != nil || ids(list) != "3 2 1" {
		t.Errorf("found by summary and key points: %s, %v", ids(list), err)
	}
	if got := giveBack(t, s, "1"); !bytes.Equal(got, content) {
		t.Error("the originals differ")
	}
	if got := giveBack(t, s, "3"); !bytes.Equal(got, content[:270_000]) {
		t.Error("the originals differ")
	}
	if p, err := s.Preset(ctx, "Mine"); err != nil || p.Policy.Window != 200_000 {
		t.Error(p, err)
	}
	var language string
	if ok, err := s.Setting(ctx, "language", &language); !ok || err != nil || language != "zh-Hans" {
		t.Error(language, ok, err)
	}
	if list, err := s.Recents(ctx); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
	appendTo(t, s, "another", 0, model.ConversationStats{}, event(1, "A"))
	if id := save(t, s, sampleRecord(), content).ID; id != "R-0004" {
		t.Errorf("it goes on with %s", id)
	}
}

// checkColumns holds the columns that were filled from the bodies: in the fixture
// of version 4 each record was made on the one before, the first on one that is gone,
// and facts were looked for in the second, whose fixed part the fixtures from version 9 on know.
func checkColumns(t *testing.T, s *Store, from int) {
	t.Helper()
	list, err := s.Records(t.Context(), Filter{Sort: SortLevels})
	if err != nil || len(list) != 4 {
		t.Fatal(ids(list), err)
	}
	for i := range list {
		r := &list[i]
		want := map[string]int{"R-0001": 2, "R-0002": 3, "R-0003": 4}[r.ID]
		if want != 0 && r.Levels != want {
			t.Errorf("%s: %d levels, want %d", r.ID, r.Levels, want)
		}
		if all := r.AllFacts(); r.ID == "R-0002" && all != (model.FactTally{Gone: 20, Standing: 9}) || r.ID == "R-0001" && all.Gone != 0 {
			t.Errorf("%s: %+v", r.ID, r.Facts)
		}
		could := int64(118_500)
		if from >= 10 && r.ID == "R-0001" {
			could = 117_600 // its first messages are the system prompt
		}
		if r.ID == "R-0004" {
			could = 158_900 // not noted
		}
		if r.CouldGo() != could {
			t.Errorf("%s: %d tokens could go", r.ID, r.CouldGo())
		}
		if known := from >= 9 && r.ID == "R-0002"; known != (r.Policy.Fixed == 21_000) || !known && r.Policy.Fixed != 0 {
			t.Errorf("%s: a fixed part of %d tokens", r.ID, r.Policy.Fixed)
		}
	}
	for _, table := range []string{"token_counts", "thread_counts"} {
		if there := s.read.Migrator().HasTable(table); there {
			t.Errorf("the table %s, which nobody uses, is still there", table)
		}
	}
}

// A step that fails leaves nothing behind: not its first half, not the steps
// before it, not the version.
func TestMigrationFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	content := lines(1, 1000)
	s := openAt(t, path)
	save(t, s, sampleRecord(), content)
	s.Close()

	broken := errors.New("broken")
	bad := append(later(), step{version: addNotes.version + 1, run: func(tx *gorm.DB) error {
		if err := tx.Exec("DROP TABLE record_bodies").Error; err != nil {
			return err
		}
		return broken
	}})
	for range 2 { // the second attempt meets the copy of the first
		if _, err := Open(path, withSteps(bad)); !errors.Is(err, broken) {
			t.Fatal(err)
		}
	}
	s = openAt(t, path)
	if v := version(t, s); v != latest(steps) {
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

// The database may grow by so many pages and then is full, wherever in the steps
// that is: it stays what it was, and with room again it is brought up to date.
func TestMigrationMeetsAFullDisk(t *testing.T) {
	path, content := fixture(t, 2)
	full := 0
	for room := 0; ; room += 1 + room/4 {
		limit := step{version: 3, run: func(tx *gorm.DB) error {
			pages, err := pragma(tx, "page_count")
			if err != nil {
				return err
			}
			if err := statements(fmt.Sprintf("PRAGMA max_page_count = %d", pages+room))(tx); err != nil {
				return err
			}
			return steps[2].run(tx)
		}}
		list := slices.Clone(steps)
		list[2] = limit
		s, err := Open(path, withSteps(list))
		if err == nil {
			checkFixture(t, s, content)
			s.Close()
			break
		}
		expect(t, err, ErrFull, path)
		full++
		for _, name := range []string{path, path + ".bak-v2"} {
			db, err := connectReadOnly(name, 0)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := userVersion(db); err != nil || v != 2 {
				t.Errorf("room for %d pages: %s is of version %d, %v", room, name, v, err)
			}
			if found, err := integrityCheck(t.Context(), db); err != nil || len(found) > 0 {
				t.Errorf("room for %d pages: %v, %v", room, found, err)
			}
			disconnect(db)
		}
	}
	t.Logf("full at %d places while it was brought up to date, lost: 0", full)
	if full < 3 {
		t.Error("hardly any step met the limit")
	}
}

// Many programs may bring one old database up to date at the same time: one does,
// the others find it done, and the copy is of what it was.
func TestMigrateTogether(t *testing.T) {
	path, content := fixture(t, 1)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := Open(path, BusyTimeout(time.Minute)) // a slow disk is not what is tested
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	checkFixture(t, openAt(t, path), content)
	if found, _ := filepath.Glob(path + ".bak*"); len(found) != 1 || found[0] != path+".bak-v1" {
		t.Fatalf("copies: %v", found)
	}
	db, err := connectReadOnly(path+".bak-v1", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer disconnect(db)
	if v, err := userVersion(db); v != 1 || err != nil {
		t.Errorf("the copy is of version %d, %v", v, err)
	}
}
