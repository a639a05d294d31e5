package compaction

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"palimpsest/model"
)

var update = flag.Bool("update", false, "write the golden file of plans")

// somePolicy is a preset with some values changed to small round ones, so that they meet the
// sizes of the histories exactly now and then.
func somePolicy(r *rand.Rand) model.Policy {
	presets := Presets()
	p := presets[r.IntN(len(presets))].Policy
	p.Window = []int{0, 200, 200, 400, 1000}[r.IntN(5)]
	of := func(list ...int) int { return list[r.IntN(len(list))] }
	unit := func() model.Unit {
		return []model.Unit{model.Messages, model.Groups, model.Steps, model.Turns, model.Tokens, model.Percent}[r.IntN(6)]
	}
	for _, change := range []func(){
		func() { p.Reserve = of(0, 20, 100, 199, 200, 250) },
		func() { p.Fixed = of(0, 10, 60, 200) },
		func() { p.Tail = model.Amount{N: of(0, 1, 3, 5, 20, 50), Unit: unit()} },
		func() { p.Batch = model.Amount{N: of(0, 1, 3, 8), Unit: model.Messages} },
		func() { p.Target = of(0, 40, 100, 160) },
		func() { p.MinGain = model.Gain{Messages: of(0, 2, 6), Tokens: of(0, 30, 70)} },
		func() { p.KeepFirstUser = !p.KeepFirstUser },
		func() { p.Pins = []model.Range{{From: of(0, 2, 5), To: of(3, 6, 9)}} },
		func() { p.Clear = model.Clearing{On: true, Keep: of(0, 1, 2, 4), Above: of(0, 10, 40)} },
		func() { p.Strategy = []model.Strategy{model.Extract, model.Drop, model.ClearOnly}[r.IntN(3)] },
		func() {
			p.OnFailure = []model.OnFailure{model.ExtractInstead, model.TruncateAtHard, model.KeepEverything}[r.IntN(3)]
		},
		func() { p.Budget = model.Amount{N: of(10, 40, 100), Unit: model.Tokens} },
		func() { p.Triggers = []model.Clause{TriggerAt(of(0, 3, 8, 20, 160, 200), unit())} },
		func() {
			p.Triggers = append(p.Triggers[:len(p.Triggers):len(p.Triggers)], ShareClause(float64(of(10, 50, 80, 100))/100))
		},
	} {
		if r.IntN(4) == 0 {
			change()
		}
	}
	return p
}

// someTalk is a history in letters, and what its messages take.
func someTalk(r *rand.Rand) (string, []int32) {
	var b strings.Builder
	b.WriteString([]string{"", "S", "SS", "SU", "U"}[r.IntN(5)])
	for n := r.IntN(30); n > 0; n-- {
		b.WriteString([]string{"U", "u", "A", "CR", "CR", "CR", "UA"}[r.IntN(7)])
	}
	sizes := make([]int32, b.Len())
	for i := range sizes {
		sizes[i] = []int32{0, 1, 10, 10, 10, 20, 40, 100}[r.IntN(8)]
	}
	return b.String(), sizes
}

func reasons(list []Reason) string {
	s := make([]string, len(list))
	for i, r := range list {
		s[i] = fmt.Sprint(r.Code, "(", r.N, " ", r.M, ")")
	}
	return strings.Join(s, " ")
}

// changes are the parameters of a policy that differ from another's.
func changes(p, q model.Policy) string {
	var s []string
	for _, x := range Differing(p, q) {
		s = append(s, fmt.Sprint(x.Key, "=", reflect.Indirect(reflect.ValueOf(x.Value(&q)))))
	}
	return strings.Join(s, " ")
}

// told is all that a plan, its policy and its line tell.
func told(l *Line, p model.Policy, o Options) string {
	var b strings.Builder
	pl := l.Plan(p, o)
	first, again := pl.SentAgain(l.Len() / 2)
	fmt.Fprintf(&b, "  %v, %d cleared; %v\n", pl.Counts(), pl.ClearedN, pl.Clauses)
	fmt.Fprintf(&b, "  %s %s %s, %v to %v, summary %d in %v, tail from %d asked %d, taken %v in %d, covers %v, %d formers, %d originals, changes %d, sends %d\n",
		spelling(pl), pl.Outcome, reasons([]Reason{pl.Why}), pl.Before, pl.After, pl.Summary, pl.Budget, pl.TailFrom, pl.TailAsked(), pl.Taken,
		pl.Passes, pl.Covered(), pl.Formers(), len(pl.Originals()), first, again)
	if len(pl.Warnings) > 0 {
		fmt.Fprintf(&b, "  warns %s\n", reasons(pl.Warnings))
	}
	for _, r := range append([]Reason{pl.Why}, pl.Warnings...) {
		if better, ok := Remedy(p, r); ok {
			fmt.Fprintf(&b, "  against %s %s\n", r.Code, changes(p, better))
		}
	}
	if tail, ok := pl.ShorterTail(); ok {
		fmt.Fprintf(&b, "  would apply with the latest %v\n", tail)
	}
	for i, c := range pl.Clauses {
		if better, ok := FiresHere(p, i, GaugeOf(c.Clause, p.Window).Missing(c.Measure), 20); ok {
			fmt.Fprintf(&b, "  clause %d at %d of %d fires with %s\n", i, c.Measure, c.Limit, changes(p, better))
		}
	}
	for _, x := range model.Params() {
		for i := range max(1, len(p.Triggers)) {
			if c, ok := ConflictOf(x.Key, &p, i); ok {
				fmt.Fprintf(&b, "  conflict of %s %d: %+v\n", x.Key, i, c)
			}
		}
	}
	for _, c := range l.Next([]model.Policy{p})[0].Clauses {
		fmt.Fprintf(&b, "  %v fires in %d messages, estimated %v\n", c.Clause, c.Messages, c.Estimated)
	}
	if q, what, ok := Instead(p, func() *Line { return l }); what != "" {
		fmt.Fprintf(&b, "  without a summary it is %s by %s: %v\n", what, q.Strategy, ok)
	}
	for _, size := range []int64{0, pl.Removed.Tokens - 1, pl.Removed.Tokens, pl.Removed.Tokens + 40} {
		d, err := MakeDraft(context.Background(), l, p, o, func(context.Context, *Plan) (Text, error) {
			return Text{Text: "text", Tokens: int(size)}, nil
		})
		if err == nil && pl.Outcome == WouldApply {
			fmt.Fprintf(&b, "  with a text of %d: %s %s %s %v\n", size, spelling(d.Plan), d.Plan.Outcome, reasons([]Reason{d.Plan.Why}), d.Plan.After)
		}
	}
	fit := new(Planner).PlanToFit(l, p, Options{}, LimitsOf(&p, l))
	fmt.Fprintf(&b, "  to fit: %s %s %v\n", spelling(fit), fit.Outcome, fit.After)
	return b.String()
}

// What plans tell of 120 small histories is known to the last number: a change of it is seen.
func TestWhatPlansTell(t *testing.T) {
	r := rand.New(rand.NewPCG(54, 1))
	var b strings.Builder
	for n := range 120 {
		letters, sizes := someTalk(r)
		l := NewLine(Source{Thread: talkThread(letters), At: len(letters), Tokens: func(i int32, cleared bool) int32 {
			if cleared {
				return min(sizes[i], NoteTokens)
			}
			return sizes[i]
		}})
		p := somePolicy(r)
		o := Options{Manual: r.IntN(2) == 0}
		fmt.Fprintf(&b, "%d %q %v, %s, by hand %v: %s\n%s", n, letters, sizes, p.Preset, o.Manual, changes(BasePolicy(), p), told(l, p, o))
	}
	const path = "testdata/plans.txt"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(want), "\n")
	for i, line := range strings.Split(b.String(), "\n") {
		if i >= len(lines) || line != lines[i] {
			t.Fatalf("line %d of %s:\n got %s\nwant %s", i+1, path, line, lines[min(i, len(lines)-1)])
		}
	}
}
