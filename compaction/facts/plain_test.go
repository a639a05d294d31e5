package facts_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

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
		x := open(t, name).index(t, facts.Standard)
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
				Budget: []int{40, 299, 310, 1600, 4000}[r.IntN(5)], Chinese: r.IntN(2) == 0, Told: r.IntN(2) == 0}
			if r.IntN(3) == 0 { // what another summary says
				q.Remaining = append([]string{"see " + x.Fact(facts.ID(r.IntN(x.Len()))).Text}, q.Remaining...)
			}
			warm, cold := lister, x.Lister(count)
			if r.IntN(4) == 0 {
				warm, cold = warm.Chars(), cold.Chars()
			}
			got, want := warm.Ledger(q).Text, cold.Ledger(q).Text
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
		want := lister.Ledger(q).Text
		if lister.Forget(); facts.Remembered(lister)+facts.Remembered(lister.Chars()) > 0 {
			t.Errorf("%s: what was forgotten is held", name)
		}
		if got := lister.Ledger(q).Text; got != want {
			t.Errorf("%s: when all is forgotten:\n%s\nbefore:\n%s", name, got, want)
		}
	}
}

// What another text of the context holds is not listed; what it does not hold is.
func TestALedgerLeavesOutWhatTextsHold(t *testing.T) {
	x := index(t, "t: one_name and two_name", "a: hm")
	got := x.Lister(count).Ledger(facts.LedgerRequest{At: 2, Removed: []model.Range{{From: 0, To: 1}}, Remaining: []string{"see one_name"}, Budget: 500}).Text
	if !strings.HasSuffix(got, "Names: two_name") {
		t.Errorf("%q", got)
	}
}

// What is worked out once of all facts is what the text of each says.
func TestEvidenceOfNames(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"samples/long-coding-run.jsonl", "samples/mixed-languages.json"} {
		x := open(t, name).index(t, facts.Standard)
		taken := 0
		for range 20 {
			c := anyChange(r, x)
			c.Kept = []model.Range{{From: c.At / 2, To: c.At}} // what stays is in the history alone
			stays, words, kin := map[facts.ID]bool{}, map[string]bool{}, facts.PlainKin(x, c.At)
			for m := c.At / 2; m < c.At; m++ {
				for _, id := range x.In(m) {
					if f := x.Fact(id); !stays[id] && f.Kind.Atom() {
						facts.WordsOf(f.Text, func(w string) { words[w] = true })
					}
					stays[id] = true
				}
			}
			x.Taken(c, func(id facts.ID, e facts.Evidence) {
				taken++
				for f, want := range plainNames(x, x.Fact(id), stays, words, kin) {
					if e[f] != want {
						t.Fatalf("%s: %v of %v is %v, its text says %v", name, f, x.Fact(id), e[f], want)
					}
				}
			})
		}
		if taken < 100 {
			t.Errorf("%s: %d facts", name, taken)
		}
	}
}

// plainNames is what a text says, each time anew.
func plainNames(x *facts.Index, f facts.Fact, stays map[facts.ID]bool, words map[string]bool, kin map[string]float64) map[facts.Feature]float64 {
	e := map[facts.Feature]float64{facts.Length: math.Log1p(float64(utf8.RuneCountInString(f.Text))), facts.Kin: math.Log1p(kin[facts.KinOf(f)]),
		facts.Figures: 0, facts.Capitals: 0, facts.Segments: 0, facts.BaseStays: 0, facts.Parts: 0}
	base := -1
	for i, c := range []byte(f.Text) {
		switch {
		case c == '/' || c == '.' && f.Kind == facts.Identifier:
			base = i
			e[facts.Segments]++
		case strings.IndexByte("_.-", c) >= 0:
			e[facts.Segments]++
		case '0' <= c && c <= '9':
			e[facts.Figures]++
		case 'A' <= c && c <= 'Z':
			e[facts.Capitals]++
		}
	}
	e[facts.Figures] /= float64(len(f.Text))
	e[facts.Capitals] /= float64(len(f.Text))
	if !f.Kind.Atom() {
		return e
	}
	if base >= 0 {
		if id, ok := x.ID(facts.Fact{Kind: facts.Path, Text: f.Text[base+1:]}); ok && stays[id] {
			e[facts.BaseStays] = 1
		}
	}
	all, known := 0, 0
	facts.WordsOf(f.Text, func(w string) {
		if all++; words[w] {
			known++
		}
	})
	e[facts.Parts] = float64(known) / float64(max(1, all))
	return e
}
