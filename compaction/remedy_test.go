package compaction

import (
	"pgregory.net/rapid"
	"testing"

	"palimpsest/model"
)

func TestRemedies(t *testing.T) {
	tokens := func(n int) model.Amount { return model.Amount{N: n, Unit: model.Tokens} }
	at := func(n int) []model.Clause { return []model.Clause{{At: tokens(n)}} }
	base := model.Policy{Window: 200000, Reserve: 16000, Fixed: 14200, Tail: tokens(20000), Budget: tokens(4000), Triggers: []model.Clause{{Share: .8}}}
	with := func(change func(p *model.Policy)) model.Policy { p := base; change(&p); return p }
	for name, c := range map[string]struct {
		p    model.Policy
		r    Reason
		want func(p model.Policy) bool
	}{
		"a share above the reserve": {with(func(p *model.Policy) { p.Triggers = []model.Clause{{Share: .99}} }), Reason{Code: "trigger-above-reserve"},
			func(p model.Policy) bool { return p.Triggers[0].Share == .8 }},
		"tokens above the window": {with(func(p *model.Policy) { p.Triggers = at(300000) }), Reason{Code: "unreachable"},
			func(p model.Policy) bool { return p.Triggers[0].At.N == 160000 }},
		"a large reserve": {with(func(p *model.Policy) { p.Reserve, p.Triggers = 120000, at(180000) }), Reason{Code: "trigger-above-reserve"},
			func(p model.Policy) bool { return p.Triggers[0].At.N == 80000 }},
		"below the fixed part": {with(func(p *model.Policy) { p.Triggers = at(10000) }), Reason{Code: "fixed-above-trigger"},
			func(p model.Policy) bool { return p.Triggers[0].At.N == 28000 }},
		"a share below the fixed part": {with(func(p *model.Policy) { p.Triggers = []model.Clause{{Share: .05}} }), Reason{Code: "fixed-above-trigger"},
			func(p model.Policy) bool { return p.Triggers[0].Share == .15 }},
		"a tail above the trigger": {with(func(p *model.Policy) { p.Tail, p.Triggers = tokens(90000), at(60000) }), Reason{Code: "tail-above-trigger", N: 104200, M: 60000},
			func(p model.Policy) bool { return p.Tail.N == 22000 }},
		"no trigger":            {with(func(p *model.Policy) { p.Triggers = nil }), Reason{Code: "no-trigger"}, func(p model.Policy) bool { return len(p.Triggers) == 1 }},
		"a target out of reach": {with(func(p *model.Policy) { p.Target = 100 }), Reason{Code: "target-missed"}, func(p model.Policy) bool { return p.Target == 0 }},
	} {
		if got, ok := Remedy(c.p, c.r); !ok || !c.want(got) {
			t.Errorf("%s: %v, %+v", name, ok, got)
		}
	}
	for name, c := range map[string]struct {
		p model.Policy
		r Reason
	}{
		"nobody knows the window":   {with(func(p *model.Policy) { p.Window = 0 }), Reason{Code: "window-unknown"}},
		"no trigger and no window":  {with(func(p *model.Policy) { p.Window, p.Triggers = 0, nil }), Reason{Code: "no-trigger"}},
		"no room above the fixed":   {with(func(p *model.Policy) { p.Fixed, p.Triggers = 190000, at(1000) }), Reason{Code: "fixed-above-trigger"}},
		"one message cannot halve":  {with(func(p *model.Policy) { p.Tail = model.Amount{N: 1, Unit: model.Messages} }), Reason{Code: "fires-again"}},
		"only a replay tells":       {with(func(p *model.Policy) { p.Tail = model.Amount{N: 11, Unit: model.Messages} }), Reason{Code: "thrash", N: 4, M: 3}},
		"large calls, low triggers": {base, Reason{Code: "calls-over-window", N: 2, M: 200000}},
	} {
		if got, ok := Remedy(c.p, c.r); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A remedy is legal whatever the policy, changes no list that others share, and
// taking it again and again ends.
func TestRemediesAreLegalAndEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.IntRange(-10, 300000)
		p := model.Policy{Window: number.Draw(t, "window"), Reserve: number.Draw(t, "reserve"), Fixed: number.Draw(t, "fixed"), Target: number.Draw(t, "target"),
			Tail:     model.Amount{N: number.Draw(t, "tail"), Unit: rapid.SampledFrom([]model.Unit{model.Tokens, model.Messages, model.Percent}).Draw(t, "unit")},
			Budget:   model.Amount{N: number.Draw(t, "budget"), Unit: model.Tokens},
			Triggers: []model.Clause{{Share: rapid.Float64Range(0, 2).Draw(t, "share")}, {At: model.Amount{N: number.Draw(t, "at"), Unit: model.Tokens}}}}
		r := Reason{Code: rapid.SampledFrom(ReasonCodes()).Draw(t, "code"), N: int64(number.Draw(t, "n")), M: int64(number.Draw(t, "m"))}
		shared := p.Triggers[1]
		for n := 0; ; n++ {
			q, ok := Remedy(p, r)
			if !ok {
				break
			}
			if _, said := Normalise(q); len(said) > 0 {
				t.Fatalf("%v gives %+v: %v", r, q, said)
			}
			if p.Triggers[1] != shared && n == 0 {
				t.Fatal("a shared list was written to")
			}
			if p = q; n > 100 {
				t.Fatalf("%v never ends: %+v", r, p)
			}
		}
	})
}

// A clause that missed a check fires there once it is lowered, no later, and by itself.
func TestFiresHere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := model.Policy{Window: rapid.IntRange(10_000, 1_000_000).Draw(t, "window"), Tail: model.Amount{N: 5, Unit: model.Messages}}
		c := model.Clause{Share: float64(rapid.IntRange(2, 95).Draw(t, "share")) / 100}
		if rapid.Bool().Draw(t, "amount") {
			unit := rapid.SampledFrom([]model.Unit{model.Tokens, model.Messages, model.Steps, model.Turns}).Draw(t, "unit")
			c = model.Clause{At: model.Amount{N: rapid.IntRange(2, 5000).Draw(t, "n"), Unit: unit}}
		}
		p.Triggers = []model.Clause{c}
		g := GaugeOf(c, p.Window)
		value := rapid.Int64Range(0, g.At-1).Draw(t, "value")
		better, ok := FiresHere(p, 0, g.Missing(value), 30)
		if !ok {
			if value > int64(p.Window)/50 && c.Share > 0 {
				t.Fatalf("nothing makes it fire at %d of %d", value, g.At)
			}
			return
		}
		if now := GaugeOf(better.Triggers[0], better.Window); !now.Fires(value) || c.Share == 0 && now.Fires(value-1) {
			t.Fatalf("%d: fires at %d, was %d", value, now.At, g.At)
		}
		if _, ok := FiresHere(p, 0, 0, 30); ok {
			t.Fatal("what fires is changed")
		}
	})
}
