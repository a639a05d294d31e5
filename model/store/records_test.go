package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"gorm.io/gorm"
	"pgregory.net/rapid"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
)

func TestParseID(t *testing.T) {
	for id, want := range map[string]int64{"R-0007": 7, "r-7": 7, "7": 7, "0007": 7, "R-12345": 12345} {
		if got, ok := parseID(id); !ok || got != want {
			t.Errorf("%q: %d, %v", id, got, ok)
		}
	}
	for _, id := range []string{"", "R-", "R7", "-7", "+7", "7a", "R--7", "R-٧", strings.Repeat("9", 32), "6f1c"} {
		if got, ok := parseID(id); ok {
			t.Errorf("%q: %d", id, got)
		}
	}
}

func ids(list []model.Record) string {
	var out []string
	for _, r := range list {
		out = append(out, strings.TrimLeft(r.ID, "R-0"))
	}
	return strings.Join(out, " ")
}

func TestFilters(t *testing.T) {
	s := openTemp(t)
	a, b := lines(1, 5000), lines(2, 5000)
	for i := range 12 {
		rec := sampleRecord()
		rec.Session, rec.Path, rec.Base, rec.Reason = "Long coding run", "/h/a.jsonl", "", ""
		content := a
		if i%2 == 1 {
			rec.Session, rec.Path, rec.Cause, content = "100% done_x", "/h/b.jsonl", model.CauseAutomatic, b
		}
		if i%3 == 2 {
			rec.Outcome, rec.Reason = model.Failed, `the model said "no"`
			rec.Policy.Preset = "Step history"
		}
		if i >= 10 {
			rec.Base = "R-0003"
		}
		save(t, s, rec, content)
	}
	shaOfB, err := s.Record(t.Context(), "2")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f     Filter
		want  string
		count int64
	}{
		{Filter{}, "12 11 10 9 8 7 6 5 4 3 2 1", 12},
		{Filter{Limit: 3}, "12 11 10", 12},
		{Filter{SourceSHA: strings.ToUpper(shaOfB.SourceSHA)}, "12 10 8 6 4 2", 6},
		{Filter{Path: "/h/a.jsonl"}, "11 9 7 5 3 1", 6},
		{Filter{Session: "100% done_x"}, "12 10 8 6 4 2", 6},
		{Filter{Causes: []model.Cause{model.CauseAutomatic}, Outcomes: []model.Outcome{model.Failed, model.Refused}}, "12 6", 2},
		{Filter{Preset: "Step history"}, "12 9 6 3", 4},
		{Filter{Text: "CODING"}, "11 9 7 5 3 1", 6},
		{Filter{Text: "100%"}, "12 10 8 6 4 2", 6},
		{Filter{Text: "0%_"}, "", 0},
		{Filter{Text: "done_"}, "12 10 8 6 4 2", 6},
		{Filter{Text: `said "no"`}, "12 9 6 3", 4},
		{Filter{Text: "r-001"}, "12 11 10", 3},
		{Filter{Text: "'; DROP TABLE records; --"}, "", 0},
	} {
		list, err := s.Records(t.Context(), c.f)
		if err != nil || ids(list) != c.want {
			t.Errorf("%+v: %s, %v; want %s", c.f, ids(list), err, c.want)
		}
		if n, err := s.CountRecords(t.Context(), c.f); err != nil || n != c.count {
			t.Errorf("%+v: counted %d, %v; want %d", c.f, n, err, c.count)
		}
	}
}

func TestSwitchOffIsAllOrNothing(t *testing.T) {
	s := openTemp(t)
	save(t, s, sampleRecord(), nil)
	save(t, s, sampleRecord(), nil)
	restore := sampleRecord()
	expect(t, s.saveRestore(t.Context(), restore, originals(nil), "2", "R-0009"), ErrNotFound, `"R-0009"`)
	if list, err := s.Records(t.Context(), Filter{}); err != nil || ids(list) != "2 1" || list[0].Off || list[1].Off || restore.ID != "" {
		t.Errorf("%+v, %v; ID %q", list, err, restore.ID)
	}
	if err := s.saveRestore(t.Context(), restore, originals(nil), "2"); err != nil {
		t.Fatal(err)
	}
	list, err := s.Records(t.Context(), Filter{})
	if err != nil || len(list) != 3 || list[0].ID != restore.ID || list[0].Off || !list[1].Off || list[2].Off {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestOutput(t *testing.T) {
	s := openTemp(t)
	save(t, s, sampleRecord(), nil)
	save(t, s, sampleRecord(), nil)
	for _, sha := range []string{"", "ab"} {
		if rec, ok, err := s.ByOutput(t.Context(), sha); rec != nil || ok || err != nil {
			t.Errorf("%q: %v, %v, %v", sha, rec, ok, err)
		}
	}
	for _, id := range []string{"1", "2"} {
		if err := s.SetOutput(t.Context(), id, "/out/"+id, "AB"); err != nil {
			t.Fatal(err)
		}
	}
	rec, ok, err := s.ByOutput(t.Context(), "aB")
	if err != nil || !ok || rec.ID != "R-0002" || rec.Output != "/out/2" || rec.OutputSHA != "ab" || rec.Summary == "" {
		t.Errorf("%+v, %v, %v", rec, ok, err)
	}
	if err := s.SetOutput(t.Context(), "2", "", ""); err != nil {
		t.Fatal(err)
	}
	if rec, ok, err := s.ByOutput(t.Context(), "ab"); err != nil || !ok || rec.ID != "R-0001" {
		t.Errorf("%+v, %v, %v", rec, ok, err)
	}
	expect(t, s.SetOutput(t.Context(), "9", "", ""), ErrNotFound, `"9"`)
}

// A deleted record takes with it just the originals that nobody else uses, and
// its number is not given again.
func TestDelete(t *testing.T) {
	s := openTemp(t)
	short := append(lines(1, 4*blockSize), noise(1, 1000)...)
	long := append(lines(1, 4*blockSize), noise(2, 5*blockSize)...)
	first := save(t, s, sampleRecord(), short)
	again := save(t, s, sampleRecord(), short)
	grown := save(t, s, sampleRecord(), long)
	full := stats(t, s)

	if freed, err := s.Delete(t.Context(), first.UID); err != nil || freed <= 0 || freed > 5000 {
		t.Errorf("only a record goes: freed %d, %v", freed, err)
	}
	if got := stats(t, s); got.Stored != full.Stored || got.Sources != 2 {
		t.Errorf("%+v", got)
	}
	freed, err := s.Delete(t.Context(), grown.ID)
	if err != nil || freed < 5*blockSize {
		t.Errorf("freed %d, %v", freed, err)
	}
	st := stats(t, s)
	if st.Sources != 1 || st.Blocks != 5 || st.Records != 1 {
		t.Errorf("%+v", st)
	}
	if got := giveBack(t, s, again.ID); !bytes.Equal(got, short) {
		t.Error("the shared blocks are damaged")
	}
	if _, err := s.Delete(t.Context(), again.ID); err != nil {
		t.Fatal(err)
	}
	st = stats(t, s)
	if st.Stored != 0 || st.Logical != 0 || st.Sources != 0 || st.Blocks != 0 {
		t.Errorf("%+v", st)
	}
	if onServer() {
		// Its pages are its own affair.
	} else if free, err := pragma(s.writing(), "freelist_count"); err != nil || free != 0 {
		t.Errorf("%d pages were not handed back, %v", free, err)
	}
	_, err = s.Delete(t.Context(), again.ID)
	expect(t, err, ErrNotFound, again.ID)
	if rec := save(t, s, sampleRecord(), short); rec.ID != "R-0004" {
		t.Errorf("the next record is %s", rec.ID)
	}
}

func TestRefusedRecords(t *testing.T) {
	s := openTemp(t)
	content := lines(1, 2*blockSize+9)
	first := save(t, s, sampleRecord(), content)
	before := stats(t, s)
	other := lines(2, 3*blockSize)
	same := sampleRecord()
	same.UID = first.UID
	wrongSHA, wrongSize := sampleRecord(), sampleRecord()
	wrongSHA.SourceSHA, wrongSize.SourceSize = first.SourceSHA, 7
	nan := sampleRecord()
	nan.Policy.Triggers = []model.Clause{{Share: nanShare()}}
	cut := originals(other)
	cut.Size += 5
	changed := originals(other)
	changed.SHA256[0]++
	unread := originals(other)
	unread.Source = failing{}
	none := originals(other)
	none.Source = nil
	for _, c := range []struct {
		name string
		rec  *model.Record
		src  model.Originals
		kind error
	}{
		{"the same UID", same, originals(other), ErrExists},
		{"another hash than the record's", wrongSHA, originals(other), ErrChanged},
		{"another size than the record's", wrongSize, originals(other), ErrChanged},
		{"a file that was cut", sampleRecord(), cut, ErrChanged},
		{"a file that changed", sampleRecord(), changed, ErrChanged},
		{"a file that can't be read", sampleRecord(), unread, errBroken},
		{"no file", sampleRecord(), none, ErrNoOriginals},
		{"a number that JSON does not know", nan, originals(other), nil},
	} {
		err := s.SaveRecord(t.Context(), c.rec, c.src)
		switch {
		case err == nil:
			t.Errorf("%s: was stored", c.name)
		case c.kind != nil && !errors.Is(err, c.kind):
			t.Errorf("%s: %v", c.name, err)
		case c.rec.ID != "":
			t.Errorf("%s: got the ID %s", c.name, c.rec.ID)
		}
	}
	if after := stats(t, s); after.Blocks != before.Blocks || after.Sources != 1 || after.Records != 1 {
		t.Errorf("something was written: %+v, was %+v", after, before)
	}
	// What is stored need not be handed over again.
	known := originals(content)
	known.Source = nil
	rec := sampleRecord()
	if err := s.SaveRecord(t.Context(), rec, known); err != nil || rec.ID != "R-0002" {
		t.Errorf("%s, %v", rec.ID, err)
	}
}

func nanShare() float64 { zero := 0.0; return zero / zero }

var errBroken = errors.New("broken disk")

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, errBroken }

// Whatever is saved and deleted in whatever order: what is left comes back
// whole, and nothing is kept that nobody uses.
func TestOriginalsProperty(t *testing.T) {
	base := noise(7, 3*blockSize)
	rapid.Check(t, func(rt *rapid.T) {
		s := openTemp(t)
		defer s.Close()
		left := map[string][]byte{}
		var order []string
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			if len(order) > 0 && rapid.IntRange(0, 2).Draw(rt, "what") == 0 {
				i := rapid.IntRange(0, len(order)-1).Draw(rt, "which")
				if _, err := s.Delete(t.Context(), order[i]); err != nil {
					rt.Fatal(err)
				}
				delete(left, order[i])
				order = slices.Delete(order, i, i+1)
				continue
			}
			content := slices.Clone(base[:rapid.IntRange(0, len(base)).Draw(rt, "length")])
			if len(content) > 8 && rapid.Bool().Draw(rt, "edited") {
				binary.LittleEndian.PutUint32(content[rapid.IntRange(0, 1).Draw(rt, "where")*(len(content)-4):], rapid.Uint32().Draw(rt, "edit"))
			}
			rec := save(t, s, sampleRecord(), content)
			left[rec.ID] = content
			order = append(order, rec.ID)
		}
		distinct := map[string]bool{}
		var logical int64
		for id, content := range left {
			if !bytes.Equal(giveBack(t, s, id), content) {
				rt.Errorf("%s: other bytes came back", id)
			}
			if !distinct[string(content)] {
				distinct[string(content)] = true
				logical += int64(len(content))
			}
		}
		blocks := map[string]bool{}
		for content := range distinct {
			for part := range slices.Chunk([]byte(content), blockSize) {
				blocks[string(part)] = true
			}
		}
		st := stats(t, s)
		want := fmt.Sprint(len(left), len(distinct), len(blocks), logical)
		if got := fmt.Sprint(st.Records, st.Sources, st.Blocks, st.Logical); got != want {
			rt.Errorf("records, sources, blocks, bytes: %s, want %s", got, want)
		}
	})
}

// A file is looked up once for each of its conversations: no list of records is walked.
func TestAWrittenFileIsLookedUpByItsIndex(t *testing.T) {
	s := openTemp(t)
	q := writtenAs(s.read.Session(&gorm.Session{DryRun: true}), "ab").Find(&[]recordRow{}).Statement
	var plan []struct{ Detail string }
	if err := s.read.Raw("EXPLAIN QUERY PLAN "+q.SQL.String(), q.Vars...).Scan(&plan).Error; err != nil {
		t.Fatal(err)
	}
	if len(plan) != 1 || !strings.Contains(plan[0].Detail, "INDEX records_output") {
		t.Error(plan)
	}
}
