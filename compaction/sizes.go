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
	add := func(i int, fate model.Fate, code string) {
		if i >= b.low && i < b.high {
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
	if len(b.marked) > 1 {
		slices.SortStableFunc(b.marked, func(x, y span) int { return x.from - y.from })
	}
	for _, s := range b.marked { // the first word on an entry counts: pins come first
		if k := len(b.kept); k > 0 && b.kept[k-1].from == s.from {
			continue
		}
		b.kept = append(b.kept, s)
	}
}

// pinned is every entry of a group that has a pinned member, also of groups
// whose pinned member lies elsewhere.
func (b *planner) pinned() []int {
	l := b.l
	if l.pins != nil {
		return l.pins.entries
	}
	if len(b.p.Pins) == 0 {
		return nil
	}
	hit := map[int32]bool{}
	first, last := int32(l.Len()), int32(-1) // of the leaders: few entries get as far as the map
	for i := range l.Len() {
		if inRanges(b.p.Pins, int32(l.History(i))) {
			lead := l.lead(i)
			hit[lead], first, last = true, min(first, lead), max(last, lead)
		}
	}
	var out []int
	for i := range l.Len() {
		if lead := l.lead(i); lead >= first && lead <= last && hit[lead] {
			out = append(out, i)
		}
	}
	return out
}

// formers is the size of the former summaries that go when everything
// unprotected before to is taken.
func (b *planner) formers(to int) model.Size {
	var s model.Size
	for _, i := range b.l.summaries {
		if int(i) >= b.low && int(i) < to && !b.protected(int(i)) {
			s.Messages++
			s.Tokens += int64(b.l.tokens[i])
		}
	}
	return s
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

// removed is the size of what goes when everything unprotected before to is
// taken.
func (b *planner) removed(to int) model.Size {
	s := model.Size{Messages: to - b.low, Tokens: b.l.Span(b.low, to)}
	for _, k := range b.kept {
		if k.from >= to {
			break
		}
		s.Messages -= k.to - k.from
		s.Tokens -= b.l.Span(k.from, k.to)
	}
	return s
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

// summaryTokens is what the summary of everything removed up to to is taken
// for: the former summaries carried on and a share of the rest, at most the
// budget. The guess goes by what the messages weigh once old results are
// cleared, so that the next check, which finds them cleared, guesses the same.
func (b *planner) summaryTokens(removed model.Size, to int) int64 {
	if b.p.Strategy == model.Drop || removed.Messages == 0 {
		return 0
	}
	if b.o.SummaryTokens > 0 {
		return int64(b.o.SummaryTokens)
	}
	formers := b.formers(to).Tokens
	guess := formers + (removed.Tokens-formers-b.savedBefore(to))/planShare
	if n := budgetTokens(b.plan.Budget); n > 0 {
		guess = min(guess, int64(n))
	}
	return guess
}

func budgetTokens(a model.Amount) int {
	if a.Unit == model.Chars {
		return (a.N + charsPerToken - 1) / charsPerToken
	}
	return a.N
}

// sizeUntaken is the context with only the clearing done.
func (b *planner) sizeUntaken() model.Size {
	s := b.l.Usage()
	s.Tokens -= b.savedBefore(b.l.Len())
	return s
}

// sizeAfter is the context when everything unprotected before to is gone.
func (b *planner) sizeAfter(to int) model.Size {
	s := b.sizeUntaken()
	if to <= b.low {
		return s
	}
	r := b.removed(to)
	s.Messages -= r.Messages
	s.Tokens -= r.Tokens - b.savedBefore(to)
	if r.Messages > 0 && b.p.Strategy != model.Drop {
		s.Messages++
		s.Tokens += b.summaryTokens(r, to)
	}
	return s
}

// satisfied reports whether, with everything before to gone, no clause fires
// and the target is met.
func (b *planner) satisfied(to int) bool {
	m := b.measuresAfter(to)
	if b.p.Target > 0 && m.tokens > int64(b.p.Target) {
		return false
	}
	return !fires(b.p, m)
}

// measuresAfter is what the clauses that are there are compared with when
// everything before to is gone.
func (b *planner) measuresAfter(to int) measures {
	s := b.sizeAfter(to)
	m := measures{tokens: s.Tokens, messages: s.Messages}
	for _, c := range b.p.Triggers {
		switch c.At.Unit {
		case model.Groups:
			m.groups = b.left(b.l.groupRow(), to)
		case model.Steps:
			m.steps = b.left(b.l.madeRow(), to)
		case model.Turns:
			m.turns = b.left(b.l.turnRow(), to)
		}
	}
	return m
}

// left counts the units whose making entry is still there.
func (b *planner) left(made row, to int) int {
	n := made.len() - made.below(to) + made.below(b.low)
	for _, k := range b.kept {
		if k.from >= to {
			break
		}
		n += made.below(min(k.to, to)) - made.below(k.from)
	}
	return n
}
