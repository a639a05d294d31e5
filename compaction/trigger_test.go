package compaction

import (
	"testing"

	"palimpsest/model"

	"pgregory.net/rapid"
)

// A share fires where the division says so, and a gauge fires from its first
// value on.
func TestGaugeFiresFromItsFirstValueOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share, window := rapid.Float64Range(0.0001, 1).Draw(t, "share"), rapid.IntRange(1, 2_000_000).Draw(t, "window")
		g := GaugeOf(ShareClause(share), window)
		for _, v := range []int64{0, g.At - 1, g.At, g.At + 1, int64(window)} {
			if want := float64(v)/float64(window) >= share; g.Fires(v) != want || (g.Missing(v) <= 0) != want {
				t.Fatalf("%g of %d at %d: fires %v, missing %d", share, window, v, g.Fires(v), g.Missing(v))
			}
		}
	})
}

func TestGauges(t *testing.T) {
	for _, c := range []struct {
		clause model.Clause
		window int
		first  int64 // value at which it fires; -1: none
		above  bool
		tokens int
	}{
		{ShareClause(.8), 200_000, 160_000, false, 160_000},
		{ShareClause(.07), 100, 7, false, 7}, // .07 · 100 is above 7 in binary
		{ShareClause(.8), 0, -1, false, 0},
		{TriggerAt(40, model.Messages), 0, 40, false, 0},
		{TriggerAt(5, model.Steps), 0, 6, true, 0},
		{TriggerAt(5, model.Turns), 0, 5, false, 0},
		{TriggerAt(500, ""), 0, 500, false, 500},
		{TriggerAt(0, model.Tokens), 0, 0, false, 0},
		{model.Clause{Share: 1e300}, 100, 1 << 62, false, 1 << 62}, // it ends
	} {
		g := GaugeOf(c.clause, c.window)
		first := int64(-1)
		if g.Known {
			first = g.At
		}
		if first != c.first || g.Above() != c.above || g.Tokens() != c.tokens {
			t.Errorf("%+v of %d: %+v, above %v, tokens %d", c.clause, c.window, g, g.Above(), g.Tokens())
		}
		if own := int64(c.clause.At.N); c.clause.Share == 0 && g.Limit() != own {
			t.Errorf("%+v has the limit %d", c.clause, g.Limit())
		}
	}
}

// What a plan says of a clause is what its gauge says of the line.
func TestClausesOfAPlanAreThoseOfTheirGauges(t *testing.T) {
	l := talk("SUACRUA", 100)
	for _, u := range []model.Unit{model.Messages, model.Groups, model.Steps, model.Turns, model.Tokens} {
		n := l.Count(u)
		for at := n - 1; at <= n+1; at++ {
			p := l.Plan(model.Policy{Triggers: []model.Clause{TriggerAt(at, u)}}, Options{})
			want := at <= n
			if u == model.Steps {
				want = at < n
			}
			if c := p.Clauses[0]; c.Fires != want || (p.Outcome != WouldWait) != want || c.Measure != int64(n) || c.Limit != int64(at) {
				t.Errorf("%s at %d of %d: %+v, %s", u, at, n, c, p.Outcome)
			}
		}
	}
}

func TestCountFrom(t *testing.T) {
	l := talk("SUACRUuAUC", 10)
	for _, c := range []struct {
		from                                   int
		messages, groups, steps, turns, tokens int
	}{
		{0, 10, 8, 4, 3, 100},
		{1, 9, 8, 4, 3, 90},
		{2, 8, 7, 4, 2, 80},
		{3, 7, 6, 3, 2, 70},
		{5, 5, 5, 2, 2, 50},
		{7, 3, 3, 2, 1, 30}, // the user message before belongs to the step, which is made here
		{10, 0, 0, 0, 0, 0},
	} {
		for u, want := range map[model.Unit]int{model.Messages: c.messages, model.Groups: c.groups, model.Steps: c.steps,
			model.Turns: c.turns, model.Tokens: c.tokens} {
			if n := l.CountFrom(c.from, u); n != want {
				t.Errorf("%d %s from %d, want %d", n, u, c.from, want)
			}
		}
	}
}
