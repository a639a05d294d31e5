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

// A plan that would be applied says why; any other leaves the list as large as it is.
func TestAPlanSaysWhyOrLeavesTheList(t *testing.T) {
	applied, waits := 0, 0
	checkAll(t, func(t *rapid.T) {
		o := Options{Manual: rapid.Bool().Draw(t, "manual"), Wait: rapid.IntRange(0, 1).Draw(t, "wait")}
		pl := newDesk(t).line().Plan(drawPolicy(t), o)
		if pl.Outcome != WouldApply {
			if waits++; pl.After != pl.Before {
				t.Fatalf("%v, and %v becomes %v", pl.Why, pl.Before, pl.After)
			}
			return
		}
		applied++
		if want := map[bool]string{true: "manual", false: "fires"}[o.Manual]; pl.Why.Code != want || !o.Manual && o.Wait > 0 {
			t.Fatalf("by hand: %v, waiting: %d, it applies because %v", o.Manual, o.Wait, pl.Why)
		}
	})
	if applied == 0 || waits == 0 {
		t.Errorf("%d plans apply, %d don't", applied, waits)
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
				led[l.leader[i]] = true
			}
		}
		var want []int
		for i := range l.Len() {
			if led[l.leader[i]] {
				want = append(want, i)
			}
		}
		b := Planner{plan: &Plan{}}
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
