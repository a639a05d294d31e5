package facts_test

import (
	"slices"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/model"

	"pgregory.net/rapid"
)

func TestSurviveByHand(t *testing.T) {
	x := index(t,
		"u: Never touch lib/old.go. Use src/a.go.", // 0: two paths, two instructions
		`c: {"command":"go vet src/a.go"}`,         // 1: a command, src/a.go again
		"t: src/a.go:3: error: x_y undefined",      // 2: an error, x_y, src/a.go
		"a: src/a.go takes 12 MB.",                 // 3: 12 MB, src/a.go
	)
	s := x.Survive(facts.Change{At: 4, Removed: []model.Range{{From: 0, To: 3}}, Kept: []model.Range{{From: 3, To: 4}},
		Remaining: []string{"I must never forget: Never touch lib/old.go. x_y2"}})
	want := [facts.Kinds]facts.Tally{
		facts.Path:        {Gone: 2, Survived: 2}, // src/a.go in message 3, lib/old.go in the text
		facts.Identifier:  {Gone: 1},              // x_y; x_y2 is another
		facts.Command:     {Gone: 1},
		facts.Error:       {Gone: 1},
		facts.Instruction: {Gone: 2, Survived: 1},
	}
	if s.Kinds != want {
		t.Errorf("%+v, want %+v", s.Kinds, want)
	}
	if all := s.All(); all != (facts.Tally{Gone: 7, Survived: 3}) {
		t.Errorf("all %+v", all)
	}
	lost := s.Lost(0)
	if len(lost) != 4 || !slices.IsSortedFunc(lost, func(a, b facts.Lost) int {
		if a.Weight > b.Weight {
			return -1
		}
		return 1
	}) {
		t.Fatalf("lost %+v", lost)
	}
	// The person's sentence (4) weighs more than the agent's command (3), that more than a tool's error (1).
	if lost[0].Text != "Use src/a.go" || lost[1].Kind != facts.Command || !slices.Equal(lost[1].At, []int{1}) {
		t.Errorf("lost first: %+v", lost[:2])
	}
	if few := s.Lost(1); len(few) != 1 || few[0].ID != lost[0].ID {
		t.Errorf("one lost: %+v", few)
	}
}

// On a real kind of history and random cuts, survival is what comes out of going
// through every fact and every occurrence.
func TestSurviveIsItsDefinition(t *testing.T) {
	h := open(t, "samples/tool-heavy-build.json")
	x := h.index(t)
	rapid.Check(t, func(rt *rapid.T) {
		var c facts.Change
		c.At = rapid.IntRange(0, h.len()).Draw(rt, "at")
		for from := 0; from < c.At; {
			to := rapid.IntRange(from+1, c.At).Draw(rt, "to")
			if r := (model.Range{From: from, To: to}); rapid.Bool().Draw(rt, "kept") {
				c.Kept = append(c.Kept, r)
			} else {
				c.Removed = append(c.Removed, r)
			}
			from = to
		}
		c.Remaining = []string{x.Fact(facts.ID(rapid.IntRange(0, x.Len()-1).Draw(rt, "told"))).Text}
		told := x.FactsIn(c.Remaining[0])
		var want [facts.Kinds]facts.Tally
		lost := 0
		for id := range facts.ID(x.Len()) {
			gone, stands := false, slices.Contains(told, id)
			for _, o := range x.Occurrences(id) {
				gone = gone || within(o.Msg, c.Removed)
				stands = stands || within(o.Msg, c.Kept)
			}
			if k := x.Fact(id).Kind; gone {
				want[k].Gone++
				if stands {
					want[k].Survived++
				} else {
					lost++
				}
			}
		}
		s := x.Survive(c)
		if s.Kinds != want || len(s.Lost(0)) != lost {
			rt.Fatalf("%+v, %d lost; want %+v, %d", s.Kinds, len(s.Lost(0)), want, lost)
		}
	})
}

// Runs outside the history and positions beyond it are no panic.
func TestBadRunsAreClipped(t *testing.T) {
	x := index(t, "u: a.go", "a: a.go")
	wild := facts.Change{At: 99, Removed: []model.Range{{From: -5, To: 1}, {From: 7, To: 3}}, Kept: []model.Range{{From: 1, To: 50}}}
	if all := x.Survive(wild).All(); all != (facts.Tally{Gone: 1, Survived: 1}) {
		t.Errorf("%+v", all)
	}
	wild.At = 1
	if n := x.NeededLater([]facts.Change{wild, {At: 99}}); n.Needs != 1 || n.Met != 0 {
		t.Errorf("%+v", n)
	}
	wild.At = -3
	if lost := x.Survive(wild).Lost(5); len(lost) != 0 {
		t.Errorf("%+v", lost)
	}
	empty := index(t)
	if empty.Len() != 0 || empty.Survive(wild).All() != (facts.Tally{}) || empty.NeededLater([]facts.Change{wild}).Needs != 0 || len(empty.FactsIn("a.go")) != 0 {
		t.Error("an empty history has facts")
	}
}
