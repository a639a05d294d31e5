package compaction

import (
	"sort"

	"palimpsest/model"
)

// fates fills the runs and the sizes of the plan. Of several fates the first of
// these counts: system prompt, pinned, kept start and tail, taken range, cleared,
// kept.
func (b *planner) fates() {
	l, pl := b.l, b.plan
	n := l.Len()
	if most := 8 + 2*len(b.kept) + 2*(len(b.cleared)-b.clearedBefore(b.removed.to)); cap(pl.Runs) < most {
		pl.Runs = make([]Run, 0, most)
	}
	b.runTokens = 0
	b.add(0, min(l.system, n), model.Kept, "system")
	to := b.removed.to
	taken, takenCode := model.Summarised, "range"
	if b.p.Strategy == model.Drop {
		taken, takenCode = model.Dropped, "range-dropped"
	}
	at := b.low
	for _, k := range b.kept {
		if k.from >= to {
			break
		}
		b.addTaken(at, k.from, taken, takenCode)
		b.add(k.from, k.to, k.fate, k.code)
		at = k.to
	}
	b.addTaken(at, to, taken, takenCode)
	b.addBetween(max(at, to))
	b.addTail(n)
	if to > b.low {
		pl.Taken = model.Range{From: b.low, To: to}
		pl.Removed, pl.Summary = b.removed.removed, int(b.removed.summary)
	}
	if pl.Removed.Messages > 0 && b.p.Strategy != model.Drop {
		for _, r := range pl.Runs {
			if r.Fate == model.Summarised {
				pl.Insert = r.From
				break
			}
		}
	}
	pl.After = pl.Before
	if pl.Outcome == WouldApply {
		pl.After = b.sizeAfter(b.removed)
	}
}

// addTaken adds entries that go; former summaries among them have a reason of
// their own.
func (b *planner) addTaken(from, to int, fate model.Fate, code string) {
	for _, s := range b.l.summaries {
		if i := int(s); i >= from && i < to {
			b.add(from, i, fate, code)
			b.add(i, i+1, fate, "former")
			from = i + 1
		}
	}
	b.add(from, to, fate, code)
}

// addBetween adds what lies between the taken range and the tail: protected,
// cleared or simply kept.
func (b *planner) addBetween(from int) {
	cleared := b.cleared
	if b.plan.Outcome != WouldApply {
		cleared = nil
	}
	for len(cleared) > 0 && int(cleared[0]) < from {
		cleared = cleared[1:]
	}
	b.plan.ClearedN = len(cleared)
	at, code := from, "untaken"
	if b.plan.Passes > 0 && b.p.Batch.N > 0 {
		code = "between"
	}
	rest := func(to int) { // nothing before to is protected
		k := firstAtLeast(cleared, to)
		at = b.addCleared(at, cleared[:k], code)
		b.add(at, to, model.Kept, code)
		at, cleared = to, cleared[k:]
	}
	for _, k := range b.kept {
		if k.from < from {
			continue
		}
		rest(k.from)
		b.add(k.from, k.to, k.fate, k.code)
		at = k.to
	}
	rest(b.high)
}

// addCleared adds results that are cleared with what is kept between them, and
// returns where it ended.
func (b *planner) addCleared(at int, cleared []int32, code string) int {
	l := b.l
	for k := 0; k < len(cleared); {
		from := int(cleared[k])
		b.add(at, from, model.Kept, code)
		for at = from; k < len(cleared) && int(cleared[k]) == at; k++ {
			at++
		}
		sum := l.before(at)
		b.plan.Runs = append(b.plan.Runs, Run{from, at, model.Cleared, "cleared", sum - b.runTokens})
		b.runTokens = sum
	}
	return at
}

// addTail adds the recent tail with its pinned entries.
func (b *planner) addTail(n int) {
	at := b.high
	for _, i := range b.pins {
		if i < at {
			continue
		}
		b.add(at, i, model.Kept, "tail")
		b.add(i, i+1, model.Pinned, "pinned")
		at = i + 1
	}
	b.add(at, n, model.Kept, "tail")
}

// add appends a run, or extends the last one if that is of the same kind. Runs
// have no gaps between them.
func (b *planner) add(from, to int, fate model.Fate, code string) {
	if to <= from {
		return
	}
	runs, sum := b.plan.Runs, b.l.before(to)
	tokens := sum - b.runTokens
	b.runTokens = sum
	if k := len(runs); k > 0 && runs[k-1].To == from && runs[k-1].Fate == fate && runs[k-1].Why == code {
		runs[k-1].To = to
		runs[k-1].Tokens += tokens
		return
	}
	b.plan.Runs = append(runs, Run{From: from, To: to, Fate: fate, Why: code, Tokens: tokens})
}

// FateAt is the fate and reason of entry i.
func (p *Plan) FateAt(i int) (model.Fate, Reason) {
	k := sort.Search(len(p.Runs), func(k int) bool { return p.Runs[k].To > i })
	if k == len(p.Runs) {
		return model.Kept, Reason{}
	}
	return p.Runs[k].Fate, Reason{Code: p.Runs[k].Why}
}

// Counts is the number of messages of each fate; Added counts the summary.
func (p *Plan) Counts() [len(model.Fates)]int {
	var n [len(model.Fates)]int
	for _, r := range p.Runs {
		n[r.Fate] += r.To - r.From
	}
	if p.Insert >= 0 {
		n[model.Added]++
	}
	return n
}
