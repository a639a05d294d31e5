package facts_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// anyChange is a firing at a random place: a part goes, the tail stays or does not, texts may remain.
func anyChange(r *rand.Rand, x *facts.Index) facts.Change {
	at := 1 + r.IntN(x.Messages())
	cut := r.IntN(at + 1)
	c := facts.Change{At: at, Removed: []model.Range{{From: r.IntN(cut + 1), To: cut}}, Kept: []model.Range{{From: cut, To: at}}}
	some := func() string { return "then " + x.Fact(facts.ID(r.IntN(x.Len()))).Text + " and more" }
	switch r.IntN(5) {
	case 0:
		c.Kept = nil
	case 1:
		c.Kept[0].To = max(cut, at-1)
		c.Remaining = []string{some(), some()}
	case 2:
		c.Away = []string{some()}
	case 3:
		c.Remaining = []string{some()}
	}
	return c
}

// A lister that has made other ledgers makes those of one that has not.
func TestListersRememberWhatIsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"samples/long-coding-run.jsonl", "samples/mixed-languages.json", "samples/tool-heavy-build.json"} {
		x := open(t, name).index(t)
		lister := x.Lister(count)
		var places []facts.Change
		for range 5 { // and those that differ in one thing
			c := anyChange(r, x)
			other, more, wider, later := c, c, c, c
			other.Kept = []model.Range{{From: c.At / 3, To: c.At}}
			more.Away = []string{"and " + x.Fact(0).Text + " " + x.Fact(facts.ID(r.IntN(x.Len()))).Text}
			wider.Removed = []model.Range{{To: c.At}}
			later.At = min(x.Messages(), c.At+3)
			places = append(places, c, other, more, wider, later)
		}
		filled := 0
		for range 250 {
			c := places[r.IntN(len(places))]
			q := facts.LedgerRequest{At: c.At, Removed: c.Removed, Away: c.Away, Kept: c.Kept, Remaining: c.Remaining,
				Budget: []int{40, 299, 310, 1600, 4000}[r.IntN(5)], Chinese: r.IntN(2) == 0}
			if r.IntN(3) == 0 { // what another summary says
				q.Remaining = append([]string{"see " + x.Fact(facts.ID(r.IntN(x.Len()))).Text}, q.Remaining...)
			}
			warm, cold := lister, x.Lister(count)
			if r.IntN(4) == 0 {
				warm, cold = warm.Chars(), cold.Chars()
			}
			got, want := warm.Ledger(q), cold.Ledger(q)
			if got != want {
				t.Fatalf("%s: %+v:\n%s\nwhere nothing was made before:\n%s", name, q, got, want)
			}
			if got != "" {
				filled++
			}
		}
		if filled < 50 {
			t.Errorf("%s: %d ledgers hold something", name, filled)
		}
		if facts.Remembered(lister) == 0 || facts.Remembered(lister.Chars()) == 0 {
			t.Errorf("%s: nothing was remembered", name)
		}
		q := facts.LedgerRequest{At: places[0].At, Removed: places[0].Removed, Kept: places[0].Kept, Budget: 1600}
		want := lister.Ledger(q)
		if lister.Forget(); facts.Remembered(lister)+facts.Remembered(lister.Chars()) > 0 {
			t.Errorf("%s: what was forgotten is held", name)
		}
		if got := lister.Ledger(q); got != want {
			t.Errorf("%s: when all is forgotten:\n%s\nbefore:\n%s", name, got, want)
		}
	}
}

// What another text of the context holds is not listed; what it does not hold is.
func TestALedgerLeavesOutWhatTextsHold(t *testing.T) {
	x := index(t, "t: one_name and two_name", "a: hm")
	got := x.Lister(count).Ledger(facts.LedgerRequest{At: 2, Removed: []model.Range{{From: 0, To: 1}}, Remaining: []string{"see one_name"}, Budget: 500})
	if !strings.HasSuffix(got, "Names: two_name") {
		t.Errorf("%q", got)
	}
}
