package compaction

import (
	"slices"

	"palimpsest/model"
)

// warn lists what a person should know about these parameters on this line.
func (b *Planner) warn() {
	pl, p := b.plan, b.p
	say := func(code string, n, m int64) {
		pl.Warnings = append(pl.Warnings, Reason{Code: code, N: n, M: m})
	}
	pl.Warnings = append(pl.Warnings, b.l.said...)
	at, share := tokenTrigger(p)
	if share && p.Window == 0 {
		say("window-unknown", 0, 0)
	}
	if at > 0 {
		if room, above := aboveReserve(p, at); above {
			say("trigger-above-reserve", at, room)
		}
		below := b.l.fixed + b.l.Span(0, b.l.system)
		if firesAlways(b.l.fixed, at) {
			say("fixed-above-trigger", b.l.fixed, at)
		} else if tailReaches(p, below, at) {
			say("tail-above-trigger", below+int64(p.TailInForce().N), at)
		}
	}
	if n := len(b.l.sealed); n > 0 {
		say("sealed-live", int64(n), 0)
	}
	switch {
	case b.l.fixed > 0 || p.Fixed > 0:
	case b.l.system > 0:
		say("tools-unknown", 0, 0)
	default:
		say("fixed-unknown", 0, 0)
	}
	if pl.Outcome != WouldApply {
		return
	}
	b.measureLeft()
	pl.Warnings = pl.warnResult(pl.Warnings)
}

// measureLeft notes what the clauses measure after a plan that applies.
func (b *Planner) measureLeft() {
	b.plan.left, b.plan.stillFires = b.measuresAfter(&b.removed)
}

// warnResult appends the warnings about the result.
func (p *Plan) warnResult(said []Reason) []Reason {
	if g, fires := p.countTrigger(); fires {
		said = append(said, Reason{Code: "still-fires", N: p.left.of(g.Unit), M: g.Limit()})
	}
	over := func(code string, limit int64) {
		if limit > 0 && p.After.Tokens > limit {
			said = append(said, Reason{Code: code, N: p.After.Tokens, M: limit})
		}
	}
	if at, _ := tokenTrigger(&p.Policy); at > 0 && p.After.Tokens >= at {
		said = append(said, Reason{Code: "fires-again", N: p.After.Tokens, M: at})
	}
	over("target-missed", int64(p.Policy.Target))
	over("over-window", int64(p.Policy.Window))
	return said
}

// resized is the plan with its summary measured instead of estimated.
func (p *Plan) resized(tokens int) *Plan {
	q := *p
	q.After.Tokens += int64(tokens - p.Summary)
	q.Summary = tokens
	q.left.tokens = q.After.Tokens
	q.stillFires = q.left.fires(gaugesOf(nil, &q.Policy))
	old := len(p.Warnings) - len(p.warnResult(nil))
	q.Warnings = q.warnResult(slices.Clone(p.Warnings[:old]))
	return &q
}

// countTrigger is the first clause in messages, groups, steps or turns that the
// result still reaches.
func (p *Plan) countTrigger() (Gauge, bool) {
	for _, c := range p.Policy.Triggers {
		if g := GaugeOf(c, p.Policy.Window); g.Unit != model.Tokens && g.Fires(p.left.of(g.Unit)) {
			return g, true
		}
	}
	return Gauge{}, false
}

// tokenTrigger is the lowest clause in tokens, 0 if none is known, and whether
// any clause is a share of the window.
func tokenTrigger(p *model.Policy) (int64, bool) {
	low, share := 0, false
	for _, c := range p.Triggers {
		share = share || c.Share > 0
		if at := GaugeOf(c, p.Window).Tokens(); at > 0 && (low == 0 || at < low) {
			low = at
		}
	}
	return int64(low), share
}
