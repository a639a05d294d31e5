package compaction

import (
	"palimpsest/model"
)

// slides reports whether a policy is a window that slides over steps: one clause,
// tail and batch in steps, nothing that protects or clears single messages. Where
// the list runs like the history, what such a policy does is told by look-ups;
// see [Track.slide].
func slides(p *model.Policy, gauges []Gauge) bool {
	return len(gauges) == 1 && gauges[0].Unit == model.Steps &&
		p.Tail.Unit == model.Steps && p.Tail.N > 0 && p.Batch.Unit == model.Steps && p.Batch.N > 0 &&
		p.Target == 0 && len(p.Pins) == 0 && !p.KeepFirstUser && !p.Clear.On &&
		p.Strategy != model.ClearOnly && p.Strategy != model.Drop
}

// slide is [Track.Attempt] for a policy that slides, on a list that is system
// prompt, former summaries, and behind them a stretch of the history: one pass
// takes the batch, and nothing in it stays. It gives false where it takes more
// than that to tell, and the plan is then to be made in full. It fires as often as
// the window is short, so that a replay is little else.
func (t *Track) slide(tier *watchTier) bool {
	b, l, w, p := &t.planner, &t.line, &t.h.whole, tier.policy
	own := len(l.items)
	if !t.alike || l.to == l.from || own != l.system+len(l.summaries) {
		return false
	}
	steps := w.steps.at[w.steps.before[l.from]:w.steps.before[l.to]]
	if len(steps) < p.Tail.N || len(steps) <= p.Batch.N {
		return false
	}
	high := w.cutBefore(min(int(steps[len(steps)-p.Tail.N]), int(w.pending[l.to])), l.from, l.to)
	to := w.cutBefore(min(int(steps[p.Batch.N]), high), l.from, l.to)
	if to <= l.from || tier.gauges[0].Fires(int64(w.made.between(to, l.to))) {
		return false
	}
	b.begin(l, p, Options{})
	pl, off := b.plan, own-l.from
	b.low, b.high, b.taken.to = l.system, high+off, l.system
	first := b.low // entry that goes
	if p.Former == model.LayerFormer && len(b.layer()) > 0 {
		first = own
	}
	goes := taking{to: to + off, removed: model.Size{Messages: to + off - first, Tokens: l.Span(first, to+off)}}
	if first < own {
		goes.formers = model.Size{Messages: own - first, Tokens: l.Span(first, own)}
	}
	goes.summary = b.summaryTokens(&goes)
	if ok, _ := b.gains(goes); !ok {
		return false
	}
	b.taken = goes
	pl.Outcome, pl.Why, pl.Passes, pl.slid = WouldApply, Reason{Code: "fires"}, 1, true
	pl.Taken, pl.Insert, pl.TailFrom = model.Range{From: b.low, To: goes.to}, first, b.high
	pl.Removed, pl.Summary = goes.removed, int(goes.summary)
	pl.Before, pl.After = l.Usage(), b.sizeAfter(goes)
	pl.left = measures{tokens: pl.After.Tokens, messages: pl.After.Messages, steps: w.made.between(to, l.to)}
	pl.Runs = appendSlid(pl.Runs, l, first, goes.to, b.high)
	return true
}

// appendSlid appends the runs of a list of which the entries [first, to) go, and
// the recent tail begins at high.
func appendSlid(runs []Run, l *Line, first, to, high int) []Run {
	own, n := len(l.items), l.Len()
	atOwn, atTo, atHigh := l.sum[own], l.before(to), l.before(high)
	if l.system > 0 {
		runs = append(runs, Run{0, l.system, model.Kept, "system", l.sum[l.system]})
	}
	if l.system < own {
		fate, why := model.Kept, "former-stands"
		if first < own {
			fate, why = model.Summarised, "former"
		}
		runs = append(runs, Run{l.system, own, fate, why, atOwn - l.sum[l.system]})
	}
	runs = append(runs, Run{own, to, model.Summarised, "range", atTo - atOwn})
	if to < high {
		runs = append(runs, Run{to, high, model.Kept, "between", atHigh - atTo})
	}
	return append(runs, Run{high, n, model.Kept, "tail", l.before(n) - atHigh})
}
