package compaction

import (
	"fmt"
	"pgregory.net/rapid"
	"slices"
	"strconv"
	"testing"

	"palimpsest/model"
)

// cutsByDefinition lists the legal cuts of a line by what the word means: no
// group has members on both sides, and a pending group lies behind.
func cutsByDefinition(l *Line) []int {
	var out []int
	for c := 0; c <= l.Len(); c++ {
		legal := c <= l.pending
		for i := c; i < l.Len(); i++ {
			legal = legal && (int(l.leader[i]) >= c)
		}
		if legal {
			out = append(out, c)
		}
	}
	return out
}

func TestCutsAreThoseOfTheDefinition(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		l := newDesk(t).line()
		legal := cutsByDefinition(l)
		for c := 0; c <= l.Len(); c++ {
			before, after := -1, l.Len()+1
			for _, x := range legal {
				if x <= c {
					before = x
				}
				if x >= c && after > l.Len() {
					after = x
				}
			}
			if got := l.CutBefore(c); got != before {
				t.Fatalf("before %d the list is cut at %d, not at %d", c, before, got)
			}
			if got := l.CutAfter(c); got != after {
				t.Fatalf("behind %d the list is cut at %d, not at %d", c, after, got)
			}
		}
	})
}

// A track holds at every position the line that would be built there anew, and
// its plans are the same.
func TestTrackIsTheLineBuiltAnew(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		d := newDesk(t)
		h := NewHistory(d.th, func(i int32) int32 { return d.sizes[i] })
		track := h.Track(Prepare(drawPolicy(t)))
		track.Advance(rapid.IntRange(0, h.Len()).Draw(t, "walked before"))
		watch := Prepare(drawPolicy(t))
		track.Reset(watch) // a track is used again for another policy
		legal, _ := watch.Policy()
		d.items, d.at = []model.Item{}, 0
		sizes := map[string]int32{}
		fresh := func() *Line {
			return NewLine(Source{Thread: d.th, At: d.at, Items: d.items, Fixed: legal.Fixed,
				Tokens: func(i int32, cleared bool) int32 {
					if cleared {
						return min(d.sizes[i], NoteTokens)
					}
					return d.sizes[i]
				},
				SummaryTokens: func(r string) int32 { return sizes[r] }})
		}
		for d.at < h.Len() {
			for range rapid.IntRange(1, 8).Draw(t, "come") {
				if d.at < h.Len() {
					d.items = append(d.items, model.Item{Msg: d.th.History[d.at]})
					d.at++
				}
			}
			track.Advance(d.at)
			want := fresh()
			sameLine(t, track, want)
			o := Options{Manual: rapid.IntRange(0, 3).Draw(t, "manual") == 0, Wait: rapid.IntRange(0, 1).Draw(t, "wait")}
			got, plan := track.Plan(o), want.Plan(legal, o)
			samePlan(t, got, plan)
			n := track.Nearest()
			if n.Clause >= 0 && watch.Reason(n, d.at, h.Steps(d.at)) != plan.Clauses[n.Clause].Reason() {
				t.Fatalf("%+v is told as %v, not %v", n, watch.Reason(n, d.at, h.Steps(d.at)), plan.Clauses[n.Clause].Reason())
			}
			if n.Fires() != slices.ContainsFunc(plan.Clauses, func(c ClauseState) bool { return c.Fires }) {
				t.Fatalf("%+v, but the clauses are %+v", n, plan.Clauses)
			}
			if got.Outcome != WouldApply {
				continue
			}
			tokens := rapid.IntRange(0, 40).Draw(t, "text")
			name := track.Apply(got, tokens, 0)
			if plan.Insert >= 0 {
				if sizes[name] = int32(tokens); name != strconv.Itoa(len(sizes)) {
					t.Fatalf("the summary is called %q", name)
				}
			}
			d.items = plan.Apply(name)
			sameLine(t, track, fresh())
		}
	})
}

// sameLine compares everything a plan may look at.
func sameLine(t *rapid.T, track *Track, want *Line) {
	t.Helper()
	a, b := answersOf(&track.line, true), answersOf(want, true)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("the line tells\n%s, built anew\n%s", a[i], b[i])
		}
	}
}

// answersOf is all that a line answers; where steps start, only when the policy
// counts in them.
func answersOf(l *Line, starts bool) []string {
	var entries, cuts, units []any
	for i := range l.Len() {
		entries = append(entries, l.Item(i), l.History(i), l.Tokens(i), l.Kind(i), l.leader[i], l.before(i), l.items[i].Cleared)
	}
	for i := range l.Len() + 1 {
		cuts = append(cuts, l.CutBefore(i), l.CutAfter(i))
	}
	for _, u := range []model.Unit{model.Groups, model.Steps, model.Turns} {
		for i := range l.Len() + 1 {
			units = append(units, l.madeBefore(u, i))
		}
	}
	rows := [][]int32{l.units[groupStarts], l.units[turnStarts], l.units[toolResults]}
	if starts {
		rows = append(rows, l.units[stepStarts])
	}
	units = append(units, rows)
	return []string{
		fmt.Sprint("entries ", entries), fmt.Sprint("cuts ", cuts, " waits ", l.pending), fmt.Sprint("units ", units),
		fmt.Sprint("rest ", l.Usage(), l.Count(model.Groups), l.Count(model.Steps), l.Count(model.Turns), l.summaries, l.chars, l.system, l.firstUser, l.totalSteps, l.at, l.fixed),
	}
}

func samePlan(t *rapid.T, got, want *Plan) {
	t.Helper()
	a, b := *got, *want
	a.Line, b.Line = nil, nil
	a.Runs, b.Runs = Runs{ends: flat(got)}, Runs{ends: flat(want)}
	if fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) {
		t.Fatalf("the plan is\n%+v\nbuilt anew\n%+v", a, b)
	}
}

// Nearest tells the clause that fires first, else the one whose largest share
// is reached, and what is missing.
func TestNearest(t *testing.T) {
	tok := func(n int) model.Clause { return model.Clause{At: model.Amount{N: n, Unit: model.Tokens}} }
	of := func(n int, u model.Unit) model.Clause { return model.Clause{At: model.Amount{N: n, Unit: u}} }
	th := talkThread("SUACRUACRA")
	h := NewHistory(th, func(int32) int32 { return 100 })
	for _, c := range []struct {
		name    string
		clauses []model.Clause
		want    Nearest
	}{
		{"no clause", nil, Nearest{Clause: -1}},
		{"a share of an unknown window", []model.Clause{{Share: 0.5}}, Nearest{Clause: -1}},
		{"900 of 1000 tokens before 9 of 40 messages", []model.Clause{of(40, model.Messages), tok(1000)}, Nearest{1, 100}},
		{"4 steps fire above 4", []model.Clause{of(4, model.Steps)}, Nearest{0, 1}},
		{"4 steps fire above 3", []model.Clause{of(3, model.Steps)}, Nearest{0, 0}},
		{"the first that fires", []model.Clause{tok(5000), of(2, model.Turns), tok(900)}, Nearest{1, 0}},
		{"a limit of 0", []model.Clause{tok(0)}, Nearest{0, -900}},
	} {
		track := h.Track(Prepare(model.Policy{Triggers: c.clauses}))
		track.Advance(9)
		if got := track.Nearest(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Once its memory has grown, a track plans without any more.
func TestTrackPlansWithoutMemory(t *testing.T) {
	th := &model.Thread{}
	for i := range 400 {
		m := model.Message{Kind: model.KindAssistant, Role: model.RoleAssistant}
		if i%4 == 0 {
			m.Kind, m.Origin = model.KindUser, model.OriginTyped
		}
		th.Messages, th.History = append(th.Messages, m), append(th.History, int32(i))
	}
	for _, x := range Presets() {
		p := x.Policy
		p.Window = 20000
		track := NewHistory(th, func(int32) int32 { return 100 }).Track(Prepare(p))
		track.Advance(400)
		track.Plan(Options{Manual: true})
		if n := testing.AllocsPerRun(20, func() { track.Plan(Options{Manual: true}) }); n > 0 {
			t.Errorf("%s: %v allocations a plan", x.ID, n)
		}
	}
}
