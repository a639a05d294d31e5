package compaction

import (
	"fmt"
	"pgregory.net/rapid"
	"slices"
	"testing"

	"palimpsest/model"
)

// A planner that made other plans of other lines before makes the same plan as
// one that made none.
func TestPlannerForgetsThePlanBefore(t *testing.T) {
	applied := 0
	checkAll(t, func(t *rapid.T) {
		var p Planner
		for range rapid.IntRange(1, 6).Draw(t, "plans") {
			l, q := newDesk(t).line(), drawPolicy(t)
			o := Options{Manual: rapid.Bool().Draw(t, "manual"), SummaryTokens: rapid.IntRange(0, 30).Draw(t, "text")}
			for range 2 { // of the same line, too
				want := l.Plan(q, o)
				if got := p.Plan(l, q, o); fmt.Sprintf("%+v", *got) != fmt.Sprintf("%+v", *want) {
					t.Fatalf("the plan is\n%+v, of a new planner\n%+v", *got, *want)
				}
				if want.Outcome == WouldApply {
					applied++
				}
				q.Tail.N++
			}
		}
	})
	if applied == 0 {
		t.Error("no plan applies: the test proves nothing")
	}
}

// Pinned is what stands in a group with a pinned member, wherever that stands.
func TestPinnedIsTheWholeGroup(t *testing.T) {
	found := 0
	checkAll(t, func(t *rapid.T) {
		l := newDesk(t).line()
		p := model.Policy{}
		for range rapid.IntRange(1, 4).Draw(t, "pins") {
			from := rapid.IntRange(-3, 40).Draw(t, "pin")
			p.Pins = append(p.Pins, model.Range{From: from, To: from + rapid.IntRange(-1, 6).Draw(t, "long")})
		}
		led := map[int32]bool{}
		for i := range l.Len() {
			if inRanges(p.Pins, int32(l.History(i))) {
				led[l.lead(i)] = true
			}
		}
		var want []int
		for i := range l.Len() {
			if led[l.lead(i)] {
				want = append(want, i)
			}
		}
		b := planner{plan: &Plan{}}
		b.begin(l, &p, nil, Options{})
		if got := b.pinned(); !slices.Equal(got, want) {
			t.Fatalf("%v of %v are pinned, want %v", got, p.Pins, want)
		}
		found += len(want)
	})
	if found == 0 && !testing.Short() { // which draws few
		t.Error("nothing was pinned: the test proves nothing")
	}
}

// Once its memory has grown, a planner plans without any more.
func TestPlannerPlansWithoutMemory(t *testing.T) {
	l := long(2000)
	for _, x := range Presets() {
		p := x.Policy
		p.Window, p.Adaptive = 20_000, false // a tier is a policy of its own
		p.Pins = []model.Range{{From: 300, To: 304}}
		p.Clear = model.Clearing{On: true, Keep: 5, Above: 50}
		var b Planner
		b.Plan(l, p, Options{Manual: true})
		if n := testing.AllocsPerRun(20, func() { b.Plan(l, p, Options{Manual: true}) }); n > 0 {
			t.Errorf("%s: %v allocations a plan", x.ID, n)
		}
	}
}

// flat is the runs of a plan one by one, however they are kept.
func flat(p *Plan) (out []runEnd) {
	for r := range p.Runs.spans() {
		out = append(out, runEnd{int32(r.to), r.fate, r.why})
	}
	return out
}

// The runs of a plan that takes a part of its line's list of what can be cleared are
// those that a search of the line finds, and can be looked up in any way.
func TestRunsOfSharedClearing(t *testing.T) {
	stretches := 0
	check := func(t *rapid.T) {
		d := newDesk(t)
		l, p := d.line(), drawPolicy(t)
		p.Clear.On = true
		for range 3 { // the later ones find the list of the first, or another one
			got := l.Plan(p, Options{Manual: true})
			stretches += len(got.Runs.stretches)
			searched := searchedPlan(l, p)
			if !slices.Equal(flat(got), flat(searched)) || got.After != searched.After || got.ClearedN != searched.ClearedN || got.Why != searched.Why {
				t.Fatalf("%+v %v %v\nsearched %+v %v %v", flat(got), got.After, got.Why, flat(searched), searched.After, searched.Why)
			}
			k := 0
			for i, r := range got.Runs.All() {
				if got.Runs.At(i) != r || i != k {
					t.Fatalf("run %d is %+v and %+v", i, got.Runs.At(i), r)
				}
				for e := r.From; e < r.To; e++ {
					if got.Runs.Of(e) != i {
						t.Fatalf("entry %d is in run %d and not %d of %v", e, got.Runs.Of(e), i, flat(got))
					}
				}
				k++
			}
			if n := got.Runs.Len(); n != k || got.Runs.Of(l.Len()) != n {
				t.Fatalf("%d runs, not %d", n, k)
			}
			if p.Tail.N /= 2; rapid.Bool().Draw(t, "pin") {
				from := rapid.IntRange(0, l.Len()).Draw(t, "from")
				p.Pins = []model.Range{{From: from, To: from + 3}}
			} else {
				p.Clear.Above = rapid.IntRange(0, 60).Draw(t, "above")
			}
		}
	}
	for range 5 { // of one round in forty none takes a part
		if checkAll(t, check); stretches > 0 || testing.Short() {
			break
		}
	}
	if stretches == 0 && !testing.Short() {
		t.Error("no plan took a part of the list")
	}
}

// searchedPlan is a plan that looks at every result.
func searchedPlan(l *Line, p model.Policy) *Plan {
	b := planner{plan: new(Plan)}
	changes, steps := l.inForce(&p)
	b.steps = steps
	b.anew(l, &p, Options{Manual: true})
	b.plan.Warnings = changes
	b.plan.Clauses = l.clauseStates(nil, p.Triggers, b.gauges)
	b.survey()
	b.decide()
	b.searchClearing()
	b.passes()
	b.fates()
	return b.plan
}
