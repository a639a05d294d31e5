package compaction

import (
	"slices"

	"palimpsest/model"
)

// Normalise replaces what no policy can mean by the nearest legal value, and lists
// what it changed. Every value of every parameter is legal input.
func Normalise(p model.Policy) (model.Policy, []Reason) {
	var said []Reason
	clamp := func(v *int, lo, hi int, code string) {
		if c := min(max(*v, lo), hi); c != *v {
			*v = c
			said = append(said, Reason{Code: code, N: int64(c)})
		}
	}
	const most = 1 << 40
	clamp(&p.Window, 0, most, "clamped")
	clamp(&p.Fixed, 0, most, "clamped")
	if p.Window > 0 {
		clamp(&p.Reserve, 0, p.Window-1, "clamped-reserve")
	} else {
		clamp(&p.Reserve, 0, most, "clamped-reserve")
	}
	clamp(&p.Tail.N, 0, most, "clamped-window")
	clamp(&p.Batch.N, 0, most, "clamped-batch")
	clamp(&p.Target, 0, most, "clamped")
	clamp(&p.Budget.N, 0, most, "clamped-budget")
	clamp(&p.LayerBudget.N, 0, most, "clamped-budget")
	clamp(&p.MinGain.Messages, 0, most, "clamped")
	clamp(&p.MinGain.Tokens, 0, most, "clamped")
	clamp(&p.Clear.Keep, 0, most, "clamped")
	clamp(&p.Clear.Above, 0, most, "clamped")
	clamp(&p.BackOff, 0, most, "clamped")
	p.Tail.Unit = unitOrDefault(p.Tail.Unit, model.Messages)
	p.Batch.Unit = unitOrDefault(p.Batch.Unit, p.Tail.Unit)
	p.Budget.Unit = unitOrDefault(p.Budget.Unit, model.Tokens)
	p.LayerBudget.Unit = unitOrDefault(p.LayerBudget.Unit, p.Budget.Unit)
	if p.Strategy == "" {
		p.Strategy = model.Extract
	}
	if p.Strategy == model.Drop && p.Tail.N == 0 {
		// What is dropped has no summary, and an empty list can't be sent.
		p.Tail = model.Amount{N: 1, Unit: model.Messages}
		said = append(said, Reason{Code: "clamped-window", N: 1})
	}
	if p.Former == "" {
		p.Former = model.MergeFormer
	}
	if p.OnFailure == "" {
		p.OnFailure = model.KeepEverything
	}
	p.Triggers, said = normaliseTriggers(p.Triggers, said)
	return p, said
}

func unitOrDefault(u, def model.Unit) model.Unit {
	if u == "" {
		return def
	}
	return u
}

func normaliseTriggers(in []model.Clause, said []Reason) ([]model.Clause, []Reason) {
	out := in // copied once something changes: policies share their slices
	for i, c := range in {
		switch {
		case c.Share < 0 || c.Share != c.Share:
			c.Share = 0.01
			said = append(said, Reason{Code: "clamped-trigger", N: 1})
		case c.Share > 1:
			c.Share = 1
			said = append(said, Reason{Code: "clamped-trigger", N: 100})
		case c.Share == 0 && c.At.N < 0:
			c.At.N = 0
			said = append(said, Reason{Code: "clamped-trigger", N: 0})
		}
		if c.Share == 0 {
			c.At.Unit = unitOrDefault(c.At.Unit, model.Tokens)
		}
		if c == in[i] {
			continue
		}
		if &out[0] == &in[0] {
			out = slices.Clone(in)
		}
		out[i] = c
	}
	return out, said
}
