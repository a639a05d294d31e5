package store

import (
	"context"
	"errors"
	"iter"
	rand "math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
)

func yieldAll(texts ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, text := range texts {
			if !yield(text, nil) {
				return
			}
		}
	}
}

// saveTexts saves a record that covers messages with these texts.
func saveTexts(t testing.TB, s *Store, summary string, texts ...string) *model.Record {
	t.Helper()
	rec := sampleRecord()
	rec.Summary, rec.KeyPoints, rec.Reason = summary, nil, ""
	src := originals(nil)
	src.Texts = yieldAll(texts...)
	if err := s.SaveRecord(t.Context(), rec, src); err != nil {
		t.Fatal(err)
	}
	return rec
}

func found(t testing.TB, s *Store, text string) string {
	t.Helper()
	list, err := s.Records(context.Background(), Filter{Text: text, Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.CountRecords(context.Background(), Filter{Text: text}); err != nil || int(n) != len(list) {
		t.Errorf("%q: counted %d, %v; listed %d", text, n, err, len(list))
	}
	return ids(list)
}

// What was summarised away is found, and no longer when the last record that
// covers it is gone.
func TestSearchOriginals(t *testing.T) {
	s := openTemp(t)
	saveTexts(t, s, "The parser was rewritten.", "请压缩历史记录", "open src/lex.go", "")
	saveTexts(t, s, "重写了解析器。", "open src/lex.go", "エラー: ファイルがありません")
	saveTexts(t, s, "", "fatal: not a git repository", "fatal: not a git repository")
	for query, want := range map[string]string{
		"压缩":               "1",
		"缩历":               "1",
		"缩":                "1",
		"历史 PARSER":        "1", // in different texts of one record
		"历史 解析器":           "",  // in different records
		"src/lex.go":       "2 1",
		"lex.go/src":       "",
		"解析":               "2",
		"ファイル":             "2",
		"git repo":         "3",
		"pository":         "",
		"rewritten 压 open": "1",
		`"; DROP TABLE--`:  "",
		"fatal* OR":        "",
	} {
		if got := found(t, s, query); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	if st := stats(t, s); st.Texts != 6 {
		t.Errorf("%d texts: a text is stored once", st.Texts)
	}
	if would, err := s.DeleteEffect(t.Context(), "1", "2"); err != nil || would.Freed == 0 {
		t.Error(would, err)
	} else if freed, err := s.Delete(t.Context(), "1", "2"); err != nil || freed != would.Freed {
		t.Errorf("%d were freed, %v; %d were announced", freed, err, would.Freed)
	}
	for query, want := range map[string]string{"压缩": "", "src/lex.go": "", "git": "3"} {
		if got := found(t, s, query); got != want {
			t.Errorf("after the deletion %q: %q, want %q", query, got, want)
		}
	}
	if st := stats(t, s); st.Texts != 1 || st.Records != 1 {
		t.Errorf("%+v", st)
	}
}

// A text that can't be read stops the record, as a file does.
func TestUnreadableText(t *testing.T) {
	s := openTemp(t)
	src := originals(nil)
	src.Texts = func(yield func(string, error) bool) { _ = yield("good", nil) && yield("", errBroken) }
	rec := sampleRecord()
	if err := s.SaveRecord(t.Context(), rec, src); !errors.Is(err, errBroken) || rec.ID != "" {
		t.Error(rec.ID, err)
	}
	if st := stats(t, s); st.Texts != 0 || st.Records != 0 {
		t.Errorf("%+v", st)
	}
}

// A search finds the same in the same order by the index and by reading the texts, and
// whatever else is asked for: what the definition says of each record.
func TestSearchWays(t *testing.T) {
	s := openTemp(t)
	r := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"压缩", "缩历史", "parser", "pars", "src/lex.go", "R-00", "fatal", "解析器", "ab", "small"}
	some := func() string {
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteString(pieces[r.IntN(len(pieces))] + []string{" ", "", "，"}[r.IntN(3)])
		}
		return b.String()
	}
	for i := range 120 {
		rec := sampleRecord()
		rec.Summary, rec.KeyPoints, rec.Reason, rec.Agent = some(), nil, some(), some()
		rec.Outcome = []model.Outcome{model.Applied, model.Failed}[r.IntN(2)]
		rec.Before.Tokens = int64(r.IntN(5) * 1000)
		src := originals(nil)
		src.Texts = yieldAll(some(), some(), pieces[i%3])
		if err := s.SaveRecord(t.Context(), rec, src); err != nil {
			t.Fatal(err)
		}
	}
	asked, hits, indexed := 0, 0, s.index
	for range 150 {
		f := Filter{Text: strings.TrimSpace(some()), Limit: []int{0, 1, 7, -1}[r.IntN(4)], Offset: r.IntN(2) * r.IntN(30),
			Sort: []Sort{"", "", SortBefore, SortLevels, SortSurvives}[r.IntN(5)], Ascending: r.IntN(4) == 0}
		if r.IntN(3) == 0 {
			f.Outcomes = []model.Outcome{model.Failed}
		}
		if f.Text == "" {
			continue
		}
		asked++
		s.index = false // every text is read
		want, n := listedIDs(t, s, f), counted(t, s, f)
		hits += int(n)
		s.index = indexed
		if got := listedIDs(t, s, f); got != want {
			t.Errorf("%+v: %s; by reading %s", f, got, want)
		}
		if got := counted(t, s, f); got != n {
			t.Errorf("%+v: counted %d, by reading %d", f, got, n)
		}
	}
	t.Logf("%d searches, with an index: %v; %d hits", asked, indexed, hits)
	if hits == 0 {
		t.Error("nothing was found at all")
	}
}

func listedIDs(t *testing.T, s *Store, f Filter) string {
	t.Helper()
	list, err := s.Records(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return ids(list)
}

func counted(t *testing.T, s *Store, f Filter) int64 {
	t.Helper()
	n, err := s.CountRecords(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// An index that is not there, or that does not know a text, is completed when the database
// is opened; until then a database that can only be read is searched by reading.
func TestIndexCatchesUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path)
	saveTexts(t, s, "indexed", "甲乙丙")
	s.index = false
	saveTexts(t, s, "waiting", "甲乙丙", "庚辛")
	readOnly := openAt(t, path, OpenReadOnly())
	if got := found(t, readOnly, "庚辛"); bool(readOnly.index) || got != "2" {
		t.Errorf("for reading: %s", got)
	}
	readOnly.Close()
	s.Close()

	s = openAt(t, path)
	if got := found(t, s, "庚辛"); !bool(s.index) || got != "2" {
		t.Errorf("after it caught up: %s", got)
	}
	if got := found(t, s, "甲乙"); got != "2 1" {
		t.Errorf("both: %s", got)
	}
	if found, err := integrityCheck(t.Context(), s.read); err != nil || len(found) > 0 {
		t.Error(found, err)
	}
}

func TestSortOrder(t *testing.T) {
	s := openTemp(t)
	for i, n := range []int64{300, 100, 200, 100} {
		rec := sampleRecord()
		rec.Before.Tokens, rec.After.Tokens = 1000, n
		rec.Session = string(rune('d' - i))
		rec.Time = rec.Time.AddDate(0, 0, -i)
		save(t, s, rec, nil)
	}
	for _, c := range []struct {
		f    Filter
		want string
	}{
		{Filter{}, "4 3 2 1"},
		{Filter{Ascending: true}, "1 2 3 4"},
		{Filter{Sort: SortTime}, "1 2 3 4"},
		{Filter{Sort: SortSession, Ascending: true}, "4 3 2 1"},
		{Filter{Sort: SortAfter}, "1 3 4 2"},
		{Filter{Sort: SortSaved}, "4 2 3 1"},
		{Filter{Sort: SortSaved, Offset: 1, Limit: 2}, "2 3"},
		{Filter{Sort: SortSaved, Offset: 3, Limit: -1}, "1"},
		{Filter{Offset: 9}, ""},
		{Filter{Sort: "nonsense"}, "4 3 2 1"},
	} {
		if list, err := s.Records(t.Context(), c.f); err != nil || ids(list) != c.want {
			t.Errorf("%+v: %s, %v; want %s", c.f, ids(list), err, c.want)
		}
	}
}

// Every column has an index that ends in the number: nothing is sorted.
func TestSortIndexes(t *testing.T) {
	s := openTemp(t)
	for sort := range sortColumns {
		f := Filter{Sort: sort}
		var plan []struct{ Detail string }
		if err := s.read.Raw("EXPLAIN QUERY PLAN SELECT * FROM records ORDER BY " + f.order() + " LIMIT 50").Scan(&plan).Error; err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(plan, func(p struct{ Detail string }) bool { return p.Detail == "USE TEMP B-TREE FOR ORDER BY" }) {
			t.Errorf("%s: %v", sort, plan)
		}
	}
}
