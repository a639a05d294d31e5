package compaction

import (
	"slices"
	"sort"

	"palimpsest/model"
)

// NoteTokens is the size of the note in place of a cleared tool result. The note
// has a fixed form (see [ClearedNote]) of about this length in every encoding.
const NoteTokens = 16

// charsPerToken converts a budget in code points for planning; the text of a draft
// is measured. Spec performance §5 measures 3.4 to 4.5 on English and code with
// o200k and about 1.9 on Chinese.
const charsPerToken = 3

// planShare is the part of its range that a summary is assumed to take before a
// text exists: a summary of a short range does not fill its budget.
const planShare = 3

// protect collects the entries that stay within what may be taken: pinned groups,
// the kept first user message, former summaries that are not merged.
func (b *Planner) protect() {
	l := b.l
	ascend := true
	add := func(i int, fate model.Fate, why runReason) {
		if i >= b.low && i < b.high {
			ascend = ascend && (len(b.marked) == 0 || b.marked[len(b.marked)-1].from <= i)
			b.marked = append(b.marked, span{i, i + 1, fate, why})
		}
	}
	if len(b.p.Pins) > 0 {
		b.pins = b.pinned()
		for _, i := range b.pins {
			add(i, model.Pinned, whyPinned)
		}
	}
	for _, s := range l.sealed {
		if b.p.Checkpoints == model.LoseCheckpoints || b.p.Checkpoints == model.FromOriginals && l.replaces(int(s)) > 0 {
			b.opened = append(b.opened, s)
			continue
		}
		for _, i := range l.Together(int(s)) {
			add(i, model.Kept, whySealed)
		}
	}
	if b.p.KeepFirstUser && l.firstUser >= 0 {
		add(l.firstUser, model.Kept, whyKeptStart)
	}
	if b.p.Former == model.LayerFormer {
		for _, i := range b.layer() {
			add(int(i), model.Kept, whyFormerStands)
		}
	}
	if !ascend {
		slices.SortStableFunc(b.marked, func(x, y span) int { return x.from - y.from })
	}
	for _, s := range b.marked { // the first mark of an entry counts: pins come first
		if k := len(b.kept); k > 0 && b.kept[k-1].from == s.from {
			continue
		}
		b.kept = append(b.kept, s)
	}
}

func (b *Planner) protected(i int) bool {
	k := sort.Search(len(b.kept), func(k int) bool { return b.kept[k].to > i })
	return k < len(b.kept) && b.kept[k].from <= i
}

// savedBefore is the number of tokens that clearing frees in the entries before to.
func (b *Planner) savedBefore(to int) int64 {
	k := b.clearedBefore(to)
	if k == 0 {
		return 0
	}
	return b.savings[k-1]
}

func (b *Planner) clearedBefore(to int) int {
	return firstAtLeast(b.cleared, to)
}

func budgetTokens(a model.Amount) int {
	if a.Unit == model.Chars {
		return (a.N + charsPerToken - 1) / charsPerToken
	}
	return a.N
}

// sizeAfter is the size of the context after a removal.
func (b *Planner) sizeAfter(t *removal) model.Size {
	s := b.l.Usage()
	if n := len(b.savings); n > 0 {
		s.Tokens -= b.savings[n-1]
	}
	s.Messages -= t.removed.Messages
	s.Tokens -= t.removed.Tokens - t.saved
	if t.summarises(b.p) {
		s.Messages++
		s.Tokens += t.summary
	}
	return s
}

// satisfied reports whether after a removal no clause fires and the target is met.
func (b *Planner) satisfied(t *removal) bool {
	m, fires := b.measuresAfter(t)
	return !fires && (b.p.Target <= 0 || m.tokens <= int64(b.p.Target))
}

// measuresAfter is what the clauses measure after a removal, and whether one of
// them fires.
func (b *Planner) measuresAfter(t *removal) (m measures, fires bool) {
	s := b.sizeAfter(t)
	m.tokens, m.messages = s.Tokens, s.Messages
	for _, g := range b.gauges {
		if g.Unit != model.Tokens && g.Unit != model.Messages {
			m.units[makersOf(g.Unit)] = b.unitsLeft(g.Unit, t.to)
		}
	}
	return m, m.fires(b.gauges)
}

// unitsLeft counts the units whose making entry is left when everything
// unprotected before to is gone.
func (b *Planner) unitsLeft(u model.Unit, to int) int {
	l := b.l
	n := l.madeBefore(u, l.Len()) - l.madeBefore(u, to) + l.madeBefore(u, b.low)
	for _, k := range b.kept {
		if k.from >= to {
			break
		}
		n += l.madeBefore(u, min(k.to, to)) - l.madeBefore(u, k.from)
	}
	return n
}
