package compaction

import (
	"slices"

	"palimpsest/model"
)

// fates fills the runs and the sizes of the plan. Of several fates the first of
// these counts: system prompt, pinned, kept start and tail, taken range, cleared,
// kept.
func (b *Planner) fates() {
	l, pl := b.l, b.plan
	n := l.Len()
	runs := &pl.Runs
	most := 8 + 2*len(b.kept)
	most += 2 * (len(b.cleared) - b.clearedBefore(b.removed.to))
	if cap(runs.ends) < most {
		runs.ends = make([]runEnd, 0, most)
	}
	runs.add(min(l.system, n), model.Kept, whySystem)
	to := b.removed.to
	taken, why := model.Summarised, whyRange
	if b.p.Strategy == model.Drop {
		taken, why = model.Dropped, whyDropped
	}
	at := b.low
	for _, k := range b.kept {
		if k.from >= to {
			break
		}
		b.addTaken(at, k.from, taken, why)
		runs.add(k.to, k.fate, k.why)
		at = k.to
	}
	b.addTaken(at, to, taken, why)
	b.addBetween(max(at, to))
	b.addTail(n)
	if to > b.low {
		pl.Taken = model.Range{From: b.low, To: to}
		pl.Removed, pl.Summary = b.removed.removed, int(b.removed.summary)
	}
	if b.removed.summarises(b.p) {
		at := 0
		for _, r := range runs.ends {
			if r.fate == model.Summarised {
				pl.Insert = at
				break
			}
			at = int(r.to)
		}
	}
	pl.After = pl.Before
	if pl.Outcome == WouldApply {
		pl.After = b.sizeAfter(&b.removed)
	}
}

// addTaken adds entries that go; former summaries among them have a reason of
// their own.
func (b *Planner) addTaken(from, to int, fate model.Fate, why runReason) {
	for _, s := range b.l.summaries {
		if i := int(s); i >= from && i < to {
			b.plan.Runs.add(i, fate, why)
			switch {
			case !slices.Contains(b.opened, s):
				b.plan.Runs.add(i+1, fate, whyFormer)
			case b.p.Checkpoints == model.LoseCheckpoints || fate == model.Dropped:
				b.plan.Runs.add(i+1, model.Dropped, whySealedLost)
			default:
				b.plan.Runs.add(i+1, fate, whyOriginals)
			}
			from = i + 1
		}
	}
	b.plan.Runs.add(to, fate, why)
}

// addBetween adds what lies between the taken range and the tail: protected,
// cleared or simply kept.
func (b *Planner) addBetween(from int) {
	cleared := b.cleared
	if b.plan.Outcome != WouldApply {
		cleared = nil
	}
	cleared = cleared[firstAtLeast(cleared, from):]
	b.plan.ClearedN = len(cleared)
	runs, why := &b.plan.Runs, whyUntaken
	if b.plan.Passes > 0 && b.p.Batch.N > 0 {
		why = whyBetween
	}
	rest := func(to int) { // nothing before to is protected
		k := firstAtLeast(cleared, to)
		runs.addCleared(cleared[:k], why)
		runs.add(to, model.Kept, why)
		cleared = cleared[k:]
	}
	for _, k := range b.kept {
		if k.from < from {
			continue
		}
		rest(k.from)
		runs.add(k.to, k.fate, k.why)
	}
	rest(b.high)
}

// addCleared adds results that are cleared with what is kept between them.
func (r *Runs) addCleared(cleared []int32, why runReason) {
	for k := 0; k < len(cleared); {
		to := cleared[k]
		r.add(int(to), model.Kept, why)
		for ; k < len(cleared) && cleared[k] == to; k++ {
			to++
		}
		r.ends = append(r.ends, runEnd{to, model.Cleared, whyCleared})
	}
}

// addTail adds the recent tail with its pinned entries.
func (b *Planner) addTail(n int) {
	runs := &b.plan.Runs
	for _, i := range b.pins {
		if i >= b.high {
			runs.add(i, model.Kept, whyTail)
			runs.add(i+1, model.Pinned, whyPinned)
		}
	}
	runs.add(n, model.Kept, whyTail)
}

// FateAt is the fate and reason of entry i.
func (p *Plan) FateAt(i int) (model.Fate, Reason) {
	k := p.Runs.Of(i)
	if k == p.Runs.Len() {
		return model.Kept, Reason{}
	}
	r := p.Runs.At(k)
	if r.Why == runReasons[whyTail] && i < p.TailAsked() {
		return r.Fate, Reason{Code: "tail-pair"}
	}
	return r.Fate, Reason{Code: r.Why}
}

// TailAsked is the entry where the recent tail would begin if a cut could part a call
// from its results; [Plan.TailFrom] unless the cut had to move before them.
func (p *Plan) TailAsked() int {
	return max(p.TailFrom, p.Line.tailAsked(p.Policy.TailInForce()))
}

// Counts is the number of messages of each fate; Added counts the summary.
func (p *Plan) Counts() [len(model.Fates)]int {
	var n [len(model.Fates)]int
	for _, r := range p.Runs.All() {
		n[r.Fate] += r.To - r.From
	}
	if p.Insert >= 0 {
		n[model.Added]++
	}
	return n
}
