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
// replay does little else, and the plan has runs only if they are asked for.
func (t *Track) slide(tier *policyTier, runs bool) bool {
	b, l, x, p := &t.planner, &t.line, &t.h.index, tier.policy
	own := len(l.items)
	if l.to == l.from || own != l.system+len(l.summaries) {
		return false
	}
	steps := x.in(stepStarts, l.from, l.to)
	if len(steps) < p.Tail.N || len(steps) <= p.Batch.N {
		return false
	}
	high := x.cutBefore(min(int(steps[len(steps)-p.Tail.N]), int(x.pending[l.to])), l.from, l.to)
	to := x.cutBefore(min(int(steps[p.Batch.N]), high), l.from, l.to)
	left := x.between(stepMakers, to, l.to)
	if tier.gauges[0].Fires(int64(left)) {
		return false
	}
	pl, off := b.plan, own-l.from
	if !pl.bySlide || b.p != p { // else what the one before left empty still is, and these are the same
		b.begin(l, p, tier.gauges, Options{})
		pl.Outcome, pl.Why, pl.Passes, pl.bySlide = WouldApply, Reason{Code: "fires"}, 1, true
	}
	pl.Budget = p.BudgetInForce()
	b.low, b.high = l.system, high+off
	first := b.low // entry that goes
	if p.Former == model.LayerFormer && len(b.layer()) > 0 {
		first = own
	}
	// Such a policy clears nothing, so that sums of the history are those of the line.
	stay := l.beyond + t.h.sum[to] // tokens before what stays
	goes := removal{to: to + off, removed: model.Size{Messages: to + off - first, Tokens: stay - l.sum[first]}}
	if first < own {
		goes.formers = model.Size{Messages: own - first, Tokens: l.sum[own] - l.sum[first]}
	}
	goes.summary = b.summaryTokens(&goes)
	if ok, _ := b.gainsEnough(&goes); !ok {
		return false
	}
	pl.Taken, pl.Insert, pl.TailFrom = model.Range{From: b.low, To: goes.to}, first, b.high
	pl.Removed, pl.Summary = goes.removed, int(goes.summary)
	pl.Before = model.Size{Messages: l.to + off, Tokens: l.beyond + t.h.sum[l.to] + l.fixed}
	pl.After.Messages = pl.Before.Messages - goes.removed.Messages + 1
	pl.After.Tokens = pl.Before.Tokens - goes.removed.Tokens + goes.summary
	pl.left.tokens, pl.left.messages = pl.After.Tokens, pl.After.Messages
	pl.left.units[stepMakers] = left
	if runs {
		pl.Runs.ends = pl.Runs.ends[:0]
		pl.Runs.addSlid(first, goes.to, b.high)
	}
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

// applySlid carries out such a plan: the new summary comes behind those that stay.
func (t *Track) applySlid(pl *Plan, name string) {
	l := &t.line
	t.next, l.firstUser = l.position(pl.Taken.To), -1
	if k := len(l.summaries) - 1; pl.Insert == len(l.items)-1 { // in the place of the last one
		i, s := pl.Insert, t.summaries[len(t.summaries)-1]
		l.items[i].Record, l.tokens[i], l.sum[i+1], l.chars[k] = name, int32(s.tokens), l.sum[i]+int64(s.tokens), s.chars
	} else {
		t.cut(pl.Insert)
		t.addSummary(name, len(t.summaries))
	}
	t.share()
}
