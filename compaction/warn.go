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
	at := int64(LowestTrigger(p))
	if p.Window == 0 && slices.ContainsFunc(p.Triggers, func(c model.Clause) bool { return c.Share > 0 }) {
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
	pl.left, pl.stillFires = b.measuresAfter(&b.removed)
	b.warnOpened(say)
	if n := pl.stale(); n > 0 && p.NoThinking {
		say("thinking-left-out", int64(n), 0)
	} else if n > 0 {
		say("thinking-stale", int64(n), 0)
	}
	pl.Warnings = pl.warnResult(pl.Warnings)
}

// warnOpened says what becomes of compactions that only the provider can read.
func (b *Planner) warnOpened(say func(code string, n, m int64)) {
	gone := int64(0)
	for _, i := range b.opened {
		if int(i) < b.removed.to && !b.protected(int(i)) {
			gone++
		}
	}
	if at := b.plan.openedAt(); at > 0 {
		say("originals-read", int64(at), 0)
	} else if gone > 0 {
		say("sealed-gone", gone, 0)
	}
	if n := len(b.l.sealed) - len(b.opened); n > 0 && b.p.Checkpoints == model.FromOriginals {
		say("originals-missing", int64(n), 0)
	}
}

// openedAt is the position of the latest compaction that only the provider can read and whose
// originals the plan has summarised; 0: it takes none.
func (p *Plan) openedAt() (at int) {
	for r := range p.Runs.spans() {
		for i := r.from; i < r.to && r.why == whyOriginals; i++ {
			at = max(at, p.Line.replaces(i))
		}
	}
	return at
}

// Originals are the history positions before [Plan.openedAt], except system prompts and
// messages that are entries of the line.
func (p *Plan) Originals() (list []int) {
	for h := range p.openedAt() {
		if t := p.Line.thread; !slices.Contains(p.Line.hist, int32(h)) && t.Messages[t.History[h]].Kind != model.KindSystem {
			list = append(list, h)
		}
	}
	return list
}

// stale counts the messages that stay with signed thinking behind something that goes or is
// cleared. Models with preserved thinking take such thinking only where nothing before it changed.
func (p *Plan) stale() (n int) {
	from, _ := p.changed()
	if from < 0 || p.Line.thread == nil {
		return 0
	}
	for r := range p.Runs.spans() {
		for i := max(r.from, from); i < r.to && !goes(r.fate); i++ {
			if m := p.Line.items[i].Msg; m >= 0 && p.Line.thread.Messages[m].Signed {
				n++
			}
		}
	}
	return n
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
	if at := int64(LowestTrigger(&p.Policy)); at > 0 && p.After.Tokens >= at {
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
