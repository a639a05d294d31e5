package desk

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/find"
	"palimpsest/model"
	"palimpsest/model/query"
)

// The summary that the plan would make is searched as its text is: its places are
// counted, and the words around the first are shown.
func TestThePlannedSummaryIsSearched(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	w.settle()
	w.SetFilter(Filter{Text: `"Conversation summary"`})
	w.settle()
	n, places, _ := w.Hits()
	if n != 1 || places != 1 || w.RowCount() != 1 || w.Row(0).Kind != session.RowSummary {
		t.Fatalf("%d messages, %d places, %d rows", n, places, w.RowCount())
	}
	if f, ok := w.FoundIn(0); !ok || !strings.Contains(f.Snippet.Text, "Conversation summary") || len(f.Snippet.Marks) != 1 {
		t.Errorf("%+v, %v", f, ok)
	}
}

// What a search finds is what the searcher of the verb finds, with the rows around each
// hit where that is asked for; walking visits each hit once.
func TestHitsAndTheRowsAroundThem(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	w.Planning.Set(at80)
	w.settle()
	m := query.Compile(mustQuery(t, `"number 7 "`))
	want := 0
	th := w.Session().Thread()
	if err := find.New(w.Session().File().Doc, th).Each(t.Context(), m, nil, func(find.Found) { want++ }); err != nil || want != 1 {
		t.Fatal(want, err)
	}
	for around, rows := range map[Around]int{HitsOnly: 1, HitsNear: 1 + 2*near, HitsInAll: w.LedgerLen()} {
		w.SetFilter(Filter{Text: `"number 7 "`, Around: around})
		w.settle()
		if n, places, _ := w.Hits(); n != 1 || places != 1 || w.RowCount() != rows {
			t.Errorf("%d: %d hits, %d places, %d rows of %d", around, n, places, w.RowCount(), rows)
		}
		w.SelectRow(-1)
		w.StepHit(1)
		if r := w.Row(w.Selected()); r.Num != 7*4+2 {
			t.Errorf("%d: at message %d", around, r.Num)
		}
	}
	// Neighbouring hits share the rows between them, and none is passed over.
	w.SetFilter(Filter{Text: "role:user", Around: HitsNear})
	w.settle()
	hits := w.HitRows()
	if len(hits) != 30 || !slices.IsSorted(hits) || w.RowCount() != w.LedgerLen()-1 { // the last answer is three rows behind
		t.Fatalf("%d hits, %d of %d rows", len(hits), w.RowCount(), w.LedgerLen())
	}
	w.SelectRow(-1)
	for _, want := range hits {
		if w.StepHit(1); w.Selected() != want {
			t.Fatalf("at row %d, not %d", w.Selected(), want)
		}
	}
	if w.StepHit(1); w.Selected() != hits[0] {
		t.Error("it does not go around the end")
	}
	if w.StepHit(-1); w.Selected() != hits[len(hits)-1] {
		t.Error("it does not go around the beginning")
	}
}

// What is typed on while texts are looked through, and asks nothing else of them, leaves
// that search to answer.
func TestTypingOnKeepsTheSearch(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	for _, text := range []string{"number", "number ", "number -is:", "number -is:e", "number -is:error"} {
		w.SetFilter(Filter{Text: text})
	}
	w.settle()
	n, _, _ := w.Hits()
	w.SetFilter(Filter{})
	w.settle()
	w.SetFilter(Filter{Text: "number -is:error"})
	w.settle()
	if want, _, _ := w.Hits(); n != want || n == 0 {
		t.Errorf("%d hits while typing, %d afterwards", n, want)
	}
}

func mustQuery(t *testing.T, text string) query.Query {
	t.Helper()
	q, err := query.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// What is offered to narrow a search finds as many as it says, fewer than before and
// more than none.
func TestNarrowingFindsWhatItSays(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	w.Planning.Set(at80)
	w.settle()
	w.SetFilter(Filter{Text: "file"})
	w.settle()
	w.QueryFacts()
	w.settle()
	all, _, _ := w.Hits()
	list := w.Narrowing()
	if len(list) == 0 {
		t.Fatal("nothing is offered")
	}
	for _, o := range list {
		w.SetFilter(Filter{Text: "file"})
		w.Narrow(o.Key, o.Value, false)
		w.settle()
		if n, _, _ := w.Hits(); n != o.N || n == 0 || n >= all {
			t.Errorf("%s: %d, said %d, of %d", o.Text, n, o.N, all)
		}
	}
}

// A search that finds nothing names the term that stands in the way, and without it
// finds as many as said.
func TestTheTermInTheWay(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	w.SetFilter(Filter{Text: `role:user package "some source"`})
	w.settle()
	x, ok := w.Without()
	if !ok || x.Term != "role:user" || x.N != 30 {
		t.Fatalf("%+v %v", x, ok)
	}
	w.SetFilter(Filter{Text: x.Text})
	w.settle()
	if n, _, _ := w.Hits(); n != x.N {
		t.Errorf("%d, said %d", n, x.N)
	}
	if _, ok := w.Without(); ok {
		t.Error("a term stands in the way of what was found")
	}
	w.SetFilter(Filter{Text: `role:user package "some source"`})
	w.settle()
	w.SetFilter(Filter{Text: "zzzz"}) // no term is in the way of a single one
	w.settle()
	if x, ok := w.Without(); ok {
		t.Errorf("%+v is of the search before", x)
	}
	w.SetFilter(Filter{Text: `role:user package "some source"`})
	w.settle()
	w.Add(chat(t, 7))
	w.settle()
	w.SetFilter(Filter{Text: `role:user package "some source"`})
	w.settle()
	if x, ok := w.Without(); !ok || x.N != 7 {
		t.Errorf("%+v in another history", x)
	}
}

// The search of all sessions finds in an open one what its own filter finds; a match
// is read where it lies, with the call that it answers, and what a record took is found
// and read in its originals.
func TestFindAllReadsItsMatches(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	var got Library
	ask := func(a Asked) {
		w.FindAll(a, func(l Library) { got = l })
		w.settle()
	}
	read := func(group, match int) (out *Detail) {
		w.ReadMatch(&got.Groups[group], &got.Groups[group].Matches[match], func(d *Detail) { out = d })
		w.settle()
		return out
	}
	ask(Asked{Text: "role:tool package"})
	if got.Running || len(got.Groups) != 1 || len(got.Groups[0].Matches) != 30 {
		t.Fatalf("%+v", got)
	}
	if d := read(0, 3); d.Err != nil || d.Tool != "read_file" || d.Args != `{"path":"src/f3.go"}` || len(d.Texts) != 1 {
		t.Errorf("%+v", d)
	}
	for _, o := range got.Narrow {
		ask(Asked{Text: "role:tool package " + o.Text})
		if n := len(got.Groups[0].Matches); n != o.N {
			t.Errorf("%s: %d, said %d", o.Text, n, o.N)
		}
	}
	ask(Asked{Text: "package", Lost: true})
	if len(got.Groups) != 0 {
		t.Fatalf("found in no record: %+v", got.Groups)
	}
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 10, Unit: model.Messages} })
	w.settle()
	w.CompactNow()
	w.settle()
	list := w.RecordList.Records()
	if len(list) != 1 {
		t.Fatalf("%d records", len(list))
	}
	ask(Asked{Text: "package", Lost: true, Record: list[0].ID})
	if len(got.Groups) != 1 || got.Groups[0].Record != list[0].ID {
		t.Fatalf("%+v", got.Groups)
	}
	if d := read(0, 0); d.Err != nil || len(d.Texts) == 0 || d.Row.Msg == nil {
		t.Errorf("%+v", d)
	}
	ask(Asked{Text: "package", Lost: true, Record: "R-9999"})
	if len(got.Groups) != 0 {
		t.Error("another record's originals are found")
	}
	w.EndFindAll()
	w.settle()
	if w.Desk.search.peeked.file != nil {
		t.Error("a file is kept open")
	}
}

// The palette's messages are the first that hold the text, in their order.
func TestAGlance(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	var got []find.Match
	w.Glance("clause", func(list []find.Match) { got = list })
	w.settle()
	if len(got) != 30 || got[0].Num != 5 || !slices.IsSortedFunc(got, func(a, b find.Match) int { return a.Num - b.Num }) {
		t.Errorf("%d, the first is %+v", len(got), got[:min(1, len(got))])
	}
	w.Glance("fate:K", func([]find.Match) { t.Error("a glance knows no fates") })
	w.settle()
}

// A call and its results are read together, in their order.
func TestACallWithItsResults(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 5))
	w.settle()
	var got []*Detail
	w.ReadTogether([]int{2, 3}, func(list []*Detail) { got = list })
	w.settle()
	if len(got) != 2 || got[0].Row.Num != 3 || got[1].Row.Kind != session.RowMessage || got[1].Row.Msg.Answers != "c0" {
		t.Fatalf("%+v", got)
	}
}
