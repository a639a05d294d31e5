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

func TestAfterCut(t *testing.T) {
	x := index(t,
		`c: {"command":"cat lib/a.go"}`,                        // 0: reads a.go
		`c: {"command":"go test ./... && cat lib/b.go"}`,       // 1: runs, reads b.go
		"a: So lib/b.go is fine.",                              // 2: names b.go, reads nothing
		`c: {"command":"cat lib/a.go; go test ./..."}`,         // 3: both again
		`c: {"command":"cat lib/a.go lib/c.go; go vet ./..."}`, // 4: a.go again, c.go for the first time; another command
		`c: {"command":"cat lib/b.go"}`,                        // 5
	)
	got := x.AfterCut([]int{2, 5})
	if len(got) != 2 || got[0].At != 2 || got[0].To != 5 || got[1].To != 6 {
		t.Fatalf("%+v", got)
	}
	// 2 to 5: a.go (again) and c.go read; cat lib/a.go (again), go test (again), cat of two, go vet run.
	if b := got[0]; b.Read != 2 || len(b.Reread) != 1 || b.Reread[0].Text != "lib/a.go" || b.Reread[0].Times != 2 || b.Reread[0].Before != 0 || b.Reread[0].After != 3 || b.Run != 4 || len(b.Rerun) != 2 {
		t.Errorf("%+v", b)
	}
	if b := got[1]; b.Read != 1 || len(b.Reread) != 1 || b.Reread[0].Before != 1 || b.Run != 1 || len(b.Rerun) != 1 {
		t.Errorf("%+v", b)
	}
}

// What agents did after the compactions that real files hold.
func TestAfterFoundCompactions(t *testing.T) {
	for _, name := range []string{"claude_code/entire_cli_b0dc55_compact_microcompact.jsonl", "claude_code/entire_cli_b8e923_2compacts_summaries.jsonl", "codex_rollout/agentv_f4771e_2compacted.jsonl", "codex_rollout/agentv_1f4427_0_compacted.jsonl"} {
		h := open(t, name)
		x := h.index(t)
		var cuts, mid []int
		for _, f := range h.th.Found {
			if !f.Clearing {
				cuts = append(cuts, f.At)
			}
		}
		for k, at := range cuts {
			to := h.len()
			if k+1 < len(cuts) {
				to = cuts[k+1]
			}
			mid = append(mid, (at+to)/2)
		}
		if len(cuts) == 0 {
			t.Fatalf("%s holds no compaction", name)
		}
		for k, b := range x.AfterCut(cuts) {
			t.Logf("%s before message %d: of %d files read in %d messages %d again, of %d commands %d again", name, b.At, b.Read, b.Messages, len(b.Reread), b.Run, len(b.Rerun))
			half := x.AfterCut([]int{b.At, mid[k], b.To})[:2]
			t.Logf("   first half: files %d of %d, commands %d of %d; second half, no cut: files %d of %d, commands %d of %d",
				len(half[0].Reread), half[0].Read, len(half[0].Rerun), half[0].Run, len(half[1].Reread), half[1].Read, len(half[1].Rerun), half[1].Run)
			if len(b.Reread) > b.Read || len(b.Rerun) > b.Run || b.Run == 0 {
				t.Errorf("%s: %+v", name, b)
			}
			for _, a := range append(b.Reread, b.Rerun...) {
				if a.Before >= b.At || a.After < b.At || a.After >= b.To || a.Times < 1 {
					t.Errorf("%s: %+v is not around the cut", name, a)
				}
			}
		}
	}
}
