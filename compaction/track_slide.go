package compaction

import (
	"palimpsest/model"
)

// slides reports whether a policy is a window that slides over steps: one clause,
// tail and batch in steps, nothing that protects or clears single messages. What
// it does on a shared stretch is read from the index; see [Track.slide].
func slides(p *model.Policy, gauges []Gauge) bool {
	return len(gauges) == 1 && gauges[0].Unit == model.Steps &&
		p.Tail.Unit == model.Steps && p.Tail.N > 0 && p.Batch.Unit == model.Steps && p.Batch.N > 0 &&
		p.Target == 0 && len(p.Pins) == 0 && !p.KeepFirstUser && !p.Clear.On &&
		p.Strategy != model.ClearOnly && p.Strategy != model.Drop
}

// slide is [Track.Attempt] for a policy that slides, on a line of system prompt,
// former summaries and a shared stretch, where one pass takes the batch and nothing
// in it is kept:
//
//	S  S1 S2 │ step step │ step step step step
//	           to ───────┘                high: the tail begins
//
// It returns false where the line or the plan is different; the plan must then be
// made in full. Such a policy fires as often as its window is short, so that a
// replay does little else.
func (t *Track) slide(tier *policyTier) bool {
	b, l, x, p := &t.planner, &t.line, &t.h.index, tier.policy
	own := len(l.items)
	if !t.shares || l.to == l.from || own != l.system+len(l.summaries) {
		return false
	}
	steps := x.in(stepStarts, l.from, l.to)
	if len(steps) < p.Tail.N || len(steps) <= p.Batch.N {
		return false
	}
	high := x.cutBefore(min(int(steps[len(steps)-p.Tail.N]), int(x.pending[l.to])), l.from, l.to)
	to := x.cutBefore(min(int(steps[p.Batch.N]), high), l.from, l.to)
	if to <= l.from || tier.gauges[0].Fires(int64(x.between(stepMakers, to, l.to))) {
		return false
	}
	b.begin(l, p, tier.gauges, Options{})
	pl, off := b.plan, own-l.from
	b.low, b.high, b.removed.to = l.system, high+off, l.system
	first := b.low // entry that goes
	if p.Former == model.LayerFormer && len(b.layer()) > 0 {
		first = own
	}
	goes := removal{to: to + off, removed: model.Size{Messages: to + off - first, Tokens: l.Span(first, to+off)}}
	if first < own {
		goes.formers = model.Size{Messages: own - first, Tokens: l.Span(first, own)}
	}
	goes.summary = b.summaryTokens(&goes)
	if ok, _ := b.gainsEnough(&goes); !ok {
		return false
	}
	b.removed = goes
	pl.Outcome, pl.Why, pl.Passes, pl.bySlide = WouldApply, Reason{Code: "fires"}, 1, true
	pl.Taken, pl.Insert, pl.TailFrom = model.Range{From: b.low, To: goes.to}, first, b.high
	pl.Removed, pl.Summary = goes.removed, int(goes.summary)
	pl.Before, pl.After = l.Usage(), b.sizeAfter(&goes)
	pl.left.tokens, pl.left.messages = pl.After.Tokens, pl.After.Messages
	pl.left.units[stepMakers] = x.between(stepMakers, to, l.to)
	pl.Runs.addSlid(first, goes.to, b.high)
	return true
}

// addSlid adds the runs of a line whose entries [first, to) go and whose recent tail
// begins at high.
func (r *Runs) addSlid(first, to, high int) {
	l := r.line
	own := len(l.items)
	r.add(l.system, model.Kept, whySystem)
	if first < own {
		r.add(own, model.Summarised, whyFormer)
	} else {
		r.add(own, model.Kept, whyFormerStands)
	}
	r.add(to, model.Summarised, whyRange)
	r.add(high, model.Kept, whyBetween)
	r.add(l.Len(), model.Kept, whyTail)
}
