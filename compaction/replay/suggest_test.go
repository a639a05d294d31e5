package replay

import (
	"context"
	"slices"
	"testing"

	"palimpsest/model"

	"pgregory.net/rapid"
)

// tried is a candidate with n needs of which each half has half.
func tried(input int64, firings int, recall float64, halves ...float64) candidate {
	c := candidate{Suggestion: Suggestion{Input: input, Firings: firings, Recall: recall, Kept: 1, Halves: [2]float64{recall, recall}},
		sound: true, needs: 100}
	copy(c.Halves[:], halves)
	return c
}

func aims(list []Suggestion) (out []Aim) {
	for _, s := range list {
		out = append(out, s.Aim)
	}
	return out
}

// The three are on the front: the most that is kept for no more input, the least
// input that keeps about what is kept now, and the one in between that gives most.
func TestSuggestionsByHand(t *testing.T) {
	now := tried(1000, 2, .80)
	all := []candidate{
		tried(500, 6, .70),  // forgets more than a saving is worth
		tried(600, 5, .79),  // leaner
		tried(700, 4, .88),  // middle: nearly as much as the safest
		tried(900, 3, .90),  // safer
		tried(950, 3, .85),  // beaten
		tried(1500, 1, .97), // keeps most, for more input than now
	}
	got := choose(&now, all)
	if !slices.Equal(aims(got), []Aim{Safer, Middle, Leaner}) || got[0].Input != 900 || got[1].Input != 700 || got[2].Input != 600 {
		t.Fatalf("%+v", got)
	}
	dear := slices.Clone(all)
	dear[1].Input, dear[1].Recall = 660, .80 // eight points for 6 % of the input
	if got := choose(&now, dear); !slices.Equal(aims(got), []Aim{Safer, Middle}) {
		t.Errorf("a leaner one that saves little: %+v", got)
	}
	for name, change := range map[string]func(*candidate){
		"thrash":         func(c *candidate) { c.sound = false },
		"an order lost":  func(c *candidate) { c.sound, c.forgets = false, true },
		"one half fails": func(c *candidate) { c.Halves[1] = .7 },
		"dearer":         func(c *candidate) { c.Cost = 1 },
	} {
		some := slices.Clone(all)
		change(&some[3])
		if got := choose(&now, some); len(got) == 0 || got[0].Input != 700 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := choose(&now, all[4:5]); len(got) != 1 || got[0].Aim != Safer {
		t.Errorf("the only better one: %+v", got)
	}
	if got := choose(&now, []candidate{tried(990, 2, .805), tried(1500, 1, .97)}); got != nil {
		t.Errorf("a difference nobody would see: %+v", got)
	}
	waits := tried(1000, 0, 1)
	if got := choose(&waits, all); !slices.Equal(aims(got), []Aim{Middle, Leaner}) || got[0].Input != 1500 || got[1].Input != 700 {
		t.Errorf("where nothing is compacted now: %+v", got)
	}
}

// Whatever the history: none fires again soon, loses an order, or leaves a call too
// large; each is better than now and they ascend in what they save; the figures are
// those of a replay of the policy.
func TestSuggestionsAreSound(t *testing.T) {
	shown := 0
	rapid.Check(t, func(t *rapid.T) {
		th, sizes := drawHistory(t)
		p := model.Policy{Window: rapid.IntRange(300, 6000).Draw(t, "window"), Tail: messages(rapid.IntRange(1, 12).Draw(t, "tail")),
			Triggers: []model.Clause{{Share: rapid.Float64Range(.5, .95).Draw(t, "trigger")}}, Strategy: model.Extract,
			Budget: tok(rapid.IntRange(5, 50).Draw(t, "budget"))}
		sub := Subject{Name: "s", History: preparedFor(th, sizes), Policy: p}
		o := SweepOptions{Judge: func(_ context.Context, _ int, fs []Firing) (Judged, error) {
			var j Judged
			for _, f := range fs {
				j.Needs += 40
				j.Met += 40 - min(39, len(f.Context.Gone)+f.Removed.Messages%7)
			}
			j.Halves = [2]Met{{j.Needs / 2, j.Met / 2}, {j.Needs / 2, j.Met / 2}}
			return j, nil
		}}
		a, err := Suggest(context.Background(), []Subject{sub}, o)
		if err != nil {
			t.Fatal(err)
		}
		if (a.Why == Advised) != (len(a.Suggestions) > 0) || len(a.Suggestions) > 3 {
			t.Fatalf("%+v", a)
		}
		for i, s := range a.Suggestions {
			r := s.Results[0]
			if r.Thrash > 0 || r.Over+r.Truncations > 0 || s.Firings == 0 {
				t.Fatalf("%+v", r)
			}
			if a.Now.Firings > 0 && (s.Input > a.Now.Input || s.Cost > a.Now.Cost || s.Recall < a.Now.Recall-mostForgotten-1e-9) {
				t.Fatalf("now %d %.3f, %s %d %.3f", a.Now.Input, a.Now.Recall, s.Aim, s.Input, s.Recall)
			}
			if i > 0 && s.Input >= a.Suggestions[i-1].Input {
				t.Fatalf("%s sends no less than %s", s.Aim, a.Suggestions[i-1].Aim)
			}
			tl, err := Run(context.Background(), sub.History, s.Policy[0], Options{})
			if err != nil || tl.Totals != r.Totals {
				t.Fatalf("%v: %+v, replayed %+v", err, r.Totals, tl.Totals)
			}
			shown++
		}
	})
	if shown == 0 && !testing.Short() { // which draws few
		t.Error("nothing was suggested in any history")
	}
}

// A setting that loses a standing order is not suggested, and that is the reason where
// nothing else is better.
func TestNoSuggestionLosesAStandingOrder(t *testing.T) {
	cell := func(input int64, met, lasting, kept int) Cell {
		j := Judged{Needs: 100, Met: met, Lasting: lasting, LastingKept: kept, Halves: [2]Met{{50, met / 2}, {50, met / 2}}}
		return Cell{Done: true, Results: []Result{{Totals: Totals{Input: input, Firings: 2}, Facts: true, Judged: j}}}
	}
	policy := func(int, int) model.Policy { return model.Policy{Window: 1000} }
	now, forgets, keeps := cell(1000, 60, 4, 4), cell(600, 90, 4, 3), cell(700, 80, 4, 4)
	if a := advise(&now, []Cell{forgets, keeps}, policy); len(a.Suggestions) == 0 || a.Suggestions[0].Cell != 1 {
		t.Errorf("%+v", a.Suggestions)
	}
	if a := advise(&now, []Cell{forgets}, policy); len(a.Suggestions) > 0 || a.Why != NoneKeeps {
		t.Errorf("%v: %+v", a.Why, a.Suggestions)
	}
}

// Where every setting fires again at once, or leaves a call that is too large, that is the
// reason; one that only loses to the present settings is another.
func TestNoSuggestionFiresAgainAtOnce(t *testing.T) {
	cell := func(totals Totals) Cell {
		j := Judged{Needs: 100, Met: 90, Halves: [2]Met{{50, 45}, {50, 45}}}
		return Cell{Done: true, Results: []Result{{Totals: totals, Facts: true, Judged: j}}}
	}
	policy := func(int, int) model.Policy { return model.Policy{Window: 1000} }
	now := cell(Totals{Input: 1000, Firings: 3, Thrash: 1})
	soon, large, idle := cell(Totals{Input: 500, Firings: 4, Thrash: 1}), cell(Totals{Input: 500, Firings: 2, Over: 1}), cell(Totals{Input: 2000})
	impossible := soon
	impossible.Impossible = true
	for _, c := range []struct {
		tried []Cell
		why   NoAdvice
	}{
		{[]Cell{soon, large, idle}, NoneRests},
		{[]Cell{impossible, impossible}, NoBetter}, // nobody knows whether it would rest
		{[]Cell{soon, cell(Totals{Input: 2000, Firings: 2})}, NoBetter},
		{[]Cell{soon, cell(Totals{Input: 500, Firings: 2})}, Advised},
	} {
		if a := advise(&now, c.tried, policy); a.Why != c.why || (len(a.Suggestions) > 0) != (c.why == Advised) {
			t.Errorf("%q, want %q: %+v", a.Why, c.why, a.Suggestions)
		}
	}
	unknown := func(int, int) model.Policy { return model.Policy{} }
	if a := advise(&now, []Cell{soon, large, idle}, unknown); a.Why != NoWindow {
		t.Errorf("%q where no window is known, want %q", a.Why, NoWindow)
	}
}

// Over several histories one in which the present settings fire again at once, too, keeps
// no setting from being suggested, and is counted; another one does.
func TestOneRestlessHistoryKeepsNothingBack(t *testing.T) {
	cell := func(input int64, met int, thrash ...int) Cell {
		c := Cell{Done: true}
		for _, n := range thrash {
			c.Results = append(c.Results, Result{Totals: Totals{Input: input, Firings: 2, Thrash: n}, Facts: true,
				Judged: Judged{Needs: 100, Met: met, Halves: [2]Met{{50, met / 2}, {50, met / 2}}}})
		}
		return c
	}
	policy := func(int, int) model.Policy { return model.Policy{Window: 1000} }
	now := cell(1000, 60, 0, 1, 0)
	a := advise(&now, []Cell{cell(800, 90, 0, 1, 0), cell(700, 95, 1, 0, 0), cell(600, 96, 0, 2, 0)}, policy)
	if len(a.Suggestions) != 1 || a.Suggestions[0].Cell != 0 || a.Suggestions[0].Again != 1 {
		t.Errorf("%+v", a.Suggestions)
	}
}

// A history for which a cell is impossible that most can have counts in no cell; a cell that
// half of them can't have is impossible.
func TestAFewHistoriesAreSetAside(t *testing.T) {
	cell := func(impossible ...int) Cell {
		c := Cell{Done: true, Results: make([]Result, 5)}
		for i := range c.Results {
			c.Results[i] = Result{Totals: Totals{Input: int64(1 + i)}, Impossible: slices.Contains(impossible, i)}
		}
		return c
	}
	cells := []Cell{cell(), cell(3), cell(0, 1, 2), cell(3), cell(0, 1, 3)}
	given := cells[0].Results
	setAside(cells)
	for k, want := range []bool{false, false, true, false, true} {
		if cells[k].Impossible != want {
			t.Errorf("cell %d is impossible: %v", k, !want)
		}
		if s, _ := cells[k].Spread(MetricInput); s.Of != 4 || s.Value != 2.75 { // the mean of 1, 2, 3 and 5
			t.Errorf("cell %d: %+v", k, s)
		}
	}
	g := &Grid{Now: cells[0], Cells: cells[1:]}
	if got := g.Aside(); !slices.Equal(got, []int{3}) || given[3].Aside {
		t.Errorf("left out %v, in the sweep's own %v", got, given[3].Aside)
	}
	one := []Cell{{Done: true, Results: []Result{{Impossible: true}}}}
	if setAside(one); !one[0].Impossible {
		t.Error("a cell that the only history can't have is possible")
	}
}

// Over eight sessions and more the choice is made again on each half and judged on the
// other: what only the one half supports does worse there.
func TestSuggestionsAreJudgedOnSessionsNotSeen(t *testing.T) {
	const n = 10
	on := func(input int64, met func(session int) int) Cell {
		c := Cell{Done: true}
		for i := range n {
			m := met(i)
			c.Results = append(c.Results, Result{Totals: Totals{Input: input, Firings: 2}, Facts: true,
				Judged: Judged{Needs: 100, Met: m, Halves: [2]Met{{50, m / 2}, {50, m / 2}}}})
		}
		return c
	}
	policy := func(int, int) model.Policy { return model.Policy{Window: 1000} }
	now := on(1000, func(int) int { return 60 })
	better := on(800, func(int) int { return 90 })
	a := advise(&now, []Cell{better}, policy)
	if len(a.Suggestions) != 1 || a.Suggestions[0].Unseen == nil {
		t.Fatalf("%+v", a)
	}
	if u := a.Suggestions[0].Unseen; u.Sessions != n || u.Recall != .9 || u.Now != .6 || u.Input != .8 {
		t.Errorf("%+v", u)
	}
	chance := on(900, func(i int) int { return 62 + 36*(i%2) }) // only every second session
	a = advise(&now, []Cell{chance}, policy)
	if u := a.Suggestions[0].Unseen; u == nil || u.Recall < .61 || u.Recall > .99 || a.Suggestions[0].Worst != .62 {
		t.Errorf("%+v, worst %v", u, a.Suggestions[0].Worst)
	}
}

// Little evidence is no advice.
func TestNoAdvice(t *testing.T) {
	h := even("UABABABABABABABABABA")
	few := SweepOptions{Judge: func(context.Context, int, []Firing) (Judged, error) { return Judged{Needs: 3, Met: 1}, nil }}
	p := model.Policy{Window: 3000, Triggers: []model.Clause{{Share: .5}}, Tail: messages(4), Strategy: model.Drop}
	a, err := Suggest(context.Background(), []Subject{{History: h, Policy: p}}, few)
	if err != nil || a.Why != FewNeeds || a.Needs != 3 {
		t.Errorf("%v %+v", err, a)
	}
	p.Window = 1e6
	if a, err = Suggest(context.Background(), []Subject{{History: h, Policy: p}}, few); err != nil || a.Why != NeverFires {
		t.Errorf("%v %+v", err, a)
	}
	p.Window = 0
	if a, err = Suggest(context.Background(), []Subject{{History: h, Policy: p}}, few); err != nil || a.Why != NoWindow {
		t.Errorf("%v %+v", err, a)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = Suggest(ctx, []Subject{{History: h, Policy: p}}, few); err == nil {
		t.Error("a cancelled search gave advice")
	}
}

// The one suggestion that is shown keeps the same for less, or more beyond chance; one that
// keeps less is none, however cheap.
func TestTheBestSuggestion(t *testing.T) {
	setting := func(met int, cost float64, budget int) Suggestion {
		p := model.Policy{Strategy: model.NoteText, Budget: model.Amount{N: budget, Unit: model.Tokens}}
		return Suggestion{Results: []Result{{Judged: Judged{Needs: 1000, Met: met}}}, Policy: []model.Policy{p}, Cost: cost}
	}
	for _, c := range []struct {
		name string
		x    Suggestion
		best bool
		more bool
	}{
		{"the same, cheaper", setting(890, 80, 1000), true, false},
		{"the same, hardly cheaper", setting(900, 95, 1000), false, false},
		{"more, a little dearer", setting(960, 108, 1000), true, true},
		{"more, much dearer", setting(960, 130, 1000), false, false},
		{"less, far cheaper", setting(800, 20, 1000), false, false},
		{"the same, cheaper, a summary three times as long", setting(900, 80, 3000), false, false},
	} {
		a := Advice{Now: setting(900, 100, 1000), Suggestions: []Suggestion{c.x}}
		if best, more := a.Best(); (best != nil) != c.best || more != c.more {
			t.Errorf("%s: best %v, more %v", c.name, best != nil, more)
		}
	}
}
