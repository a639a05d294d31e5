package compaction

import (
	"slices"

	"palimpsest/model"
)

// NoteTokens is what the note in place of a cleared tool result is taken for.
// The note has a fixed form (see [ClearedNote]) of about this length in every
// encoding.
const NoteTokens = 16

// charsPerToken turns a budget in code points into tokens for planning only;
// the draft is then measured. Spec performance §5 measures 3.4 to 4.5 on
// English and code with o200k and about 1.9 on Chinese.
const charsPerToken = 3

// planShare bounds the summary size that is assumed before a text exists: a
// summary of a short range does not fill its budget.
const planShare = 3

// protect collects the entries that stay inside what may be taken: pinned
// groups, the kept first user message, former summaries that stand.
func (b *planner) protect() {
	l := b.l
	ascend := true
	add := func(i int, fate model.Fate, code string) {
		if i >= b.low && i < b.high {
			ascend = ascend && (len(b.marked) == 0 || b.marked[len(b.marked)-1].from <= i)
			b.marked = append(b.marked, span{i, i + 1, fate, code})
		}
	}
	if len(b.p.Pins) > 0 {
		b.pins = b.pinned()
		for _, i := range b.pins {
			add(i, model.Pinned, "pinned")
		}
	}
	if b.p.KeepFirstUser && l.firstUser >= 0 {
		add(l.firstUser, model.Kept, "kept-start")
	}
	if b.p.Former == model.LayerFormer {
		for _, i := range b.layer() {
			add(int(i), model.Kept, "former-stands")
		}
	}
	if !ascend {
		slices.SortStableFunc(b.marked, func(x, y span) int { return x.from - y.from })
	}
	for _, s := range b.marked { // the first word on an entry counts: pins come first
		if k := len(b.kept); k > 0 && b.kept[k-1].from == s.from {
			continue
		}
		b.kept = append(b.kept, s)
	}
}

func (b *planner) protected(i int) bool {
	lo, hi := 0, len(b.kept)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); b.kept[mid].to <= i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(b.kept) && b.kept[lo].from <= i
}

// savedBefore is what the clearing frees in entries before to.
func (b *planner) savedBefore(to int) int64 {
	k := b.clearedBefore(to)
	if k == 0 {
		return 0
	}
	return b.savings[k-1]
}

func (b *planner) clearedBefore(to int) int {
	return firstAtLeast(b.cleared, to)
}

func budgetTokens(a model.Amount) int {
	if a.Unit == model.Chars {
		return (a.N + charsPerToken - 1) / charsPerToken
	}
	return a.N
}

// sizeAfter is the context when so much is taken.
func (b *planner) sizeAfter(t taking) model.Size {
	s := b.l.Usage()
	if n := len(b.savings); n > 0 {
		s.Tokens -= b.savings[n-1]
	}
	s.Messages -= t.removed.Messages
	s.Tokens -= t.removed.Tokens - t.saved
	if t.removed.Messages > 0 && b.p.Strategy != model.Drop {
		s.Messages++
		s.Tokens += t.summary
	}
	return s
}

// satisfied reports whether, with so much taken, no clause fires and the target
// is met.
func (b *planner) satisfied(t taking) bool {
	if m := b.measuresAfter(t); b.p.Target > 0 && m.tokens > int64(b.p.Target) {
		return false
	}
	return !b.again
}

// measuresAfter is what the clauses that are there are compared with when so
// much is taken. It notes whether one fires.
func (b *planner) measuresAfter(t taking) measures {
	if b.measured && b.leftOf == t.to {
		return b.left
	}
	s := b.sizeAfter(t)
	m := measures{tokens: s.Tokens, messages: s.Messages}
	for _, g := range b.gauges {
		switch g.Unit {
		case model.Groups:
			m.groups = b.unitsLeft(model.Groups, t.to)
		case model.Steps:
			m.steps = b.unitsLeft(model.Steps, t.to)
		case model.Turns:
			m.turns = b.unitsLeft(model.Turns, t.to)
		}
	}
	b.measured, b.leftOf, b.left, b.again = true, t.to, m, m.fires(b.gauges)
	return m
}

// unitsLeft counts the units whose making entry is still there when everything
// unprotected before to is gone.
func (b *planner) unitsLeft(u model.Unit, to int) int {
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
