package compaction

import (
	"math"
	"slices"

	"palimpsest/model"
)

// tier is one row of the adaptive table: up to this length, that
// window and batch.
type tier struct{ upTo, Window, Batch int }

var tiers = []tier{{10, 5, 2}, {20, 8, 3}, {50, 10, 4}, {math.MaxInt, 12, 5}}

// TierOf is the row for a length.
func TierOf(length int) tier {
	return tiers[slices.IndexFunc(tiers, func(t tier) bool { return length <= t.upTo })]
}

// adapt puts the tier for the length so far into the policy, in the terms of
// the sliding window: it fires at more than W, takes B, and leaves W+1−B.
func adapt(p model.Policy, length int) model.Policy {
	u, t := p.TailInForce().Unit, TierOf(length)
	if p.Sliding() {
		p.Tail, p.Batch.N = model.Amount{N: t.Window, Unit: u}, t.Batch
		p.Triggers = []model.Clause{{At: p.Tail}}
		return p
	}
	p.Tail = model.Amount{N: t.Window + 1 - t.Batch, Unit: u}
	p.Batch = model.Amount{N: t.Batch, Unit: u}
	triggers := make([]model.Clause, 0, len(p.Triggers)+1)
	for _, c := range p.Triggers {
		if c.Share > 0 || c.At.Unit != u {
			triggers = append(triggers, c)
		}
	}
	above := TriggerAt(t.Window, u)
	if GaugeOf(above, p.Window).Fires(int64(t.Window)) {
		above.At.N++
	}
	p.Triggers = append(triggers, above)
	return p
}
