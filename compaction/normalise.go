package compaction

import (
	"slices"

	"palimpsest/model"
)

// Normalise replaces what no policy can mean by the nearest legal value and
// says so: each parameter by its row of the table, then what holds for several.
// Every extreme of every parameter is legal input.
func Normalise(p model.Policy) (model.Policy, []Reason) {
	said := normalise(&p)
	return p, said
}

func normalise(p *model.Policy) (said []Reason) {
	for _, x := range model.Params() {
		if n, changed := x.Clamp(p); changed {
			said = append(said, Reason{Code: x.Clamped, N: int64(n)})
		}
	}
	if p.Strategy == model.Drop && p.Tail.N == 0 {
		// What is dropped has no summary, and an empty list can't be sent.
		p.Tail = model.Amount{N: 1, Unit: model.Messages}
		said = append(said, Reason{Code: "clamped-window", N: 1})
	}
	p.Triggers, said = normaliseTriggers(p.Triggers, said)
	if p.Sliding() && !p.Adaptive {
		window, batch := slidingSizes(p)
		if p.Triggers[0].At.N != window {
			p.Triggers, p.Tail.N = []model.Clause{TriggerAt(window, model.Steps)}, window
			said = append(said, Reason{Code: "clamped-window", N: int64(window)})
		}
		if p.Batch.N != batch {
			p.Batch.N = batch
			said = append(said, Reason{Code: "clamped-batch", N: int64(batch)})
		}
	}
	return said
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
		if c.Share == 0 && c.At.Unit == "" {
			c.At.Unit = model.Tokens
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
