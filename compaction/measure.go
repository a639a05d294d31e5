package compaction

import "palimpsest/model"

// Count is the number of units in the whole line: messages, groups, steps,
// turns or tokens.
func (l *Line) Count(u model.Unit) int {
	if u == model.Tokens {
		return int(l.Usage().Tokens)
	}
	return l.CountFrom(0, u)
}

// CountFrom is the number of units of the entries from one on: messages, groups,
// steps, turns or tokens. A step or turn counts where it is made.
func (l *Line) CountFrom(from int, u model.Unit) int {
	switch u {
	case model.Messages:
		return l.Len() - from
	case model.Tokens:
		return int(l.Span(from, l.Len()))
	}
	return l.madeBefore(u, l.Len()) - l.madeBefore(u, from)
}

// tailFrom is where the recent tail begins: the latest legal cut that leaves at
// least the wanted amount behind it.
func (l *Line) tailFrom(a model.Amount) int { return l.CutBefore(l.tailAsked(a)) }

// tailAsked is where the recent tail would begin if a cut could part what belongs
// together.
func (l *Line) tailAsked(a model.Amount) int {
	n := l.Len()
	if a.N <= 0 {
		return n
	}
	switch a.Unit {
	case model.Messages:
		return max(0, n-a.N)
	case model.Tokens, model.Chars:
		return max(0, firstAbove(l.sum, l.before(n)-int64(a.N))-1)
	}
	if starts := l.units[startsOf(a.Unit)]; len(starts) >= a.N {
		return int(starts[len(starts)-a.N])
	}
	return 0
}

// batchTo is the largest position whose distance from from is at most the
// batch. Former summaries count as messages but as no other unit.
func (l *Line) batchTo(from int, a model.Amount) int {
	n := l.Len()
	if a.N <= 0 {
		return n
	}
	switch a.Unit {
	case model.Messages:
		return min(n, from+a.N)
	case model.Tokens, model.Chars:
		return firstAbove(l.sum, l.before(from)+int64(a.N)) - 1
	}
	starts := l.units[startsOf(a.Unit)]
	k := firstAtLeast(starts, from)
	if k+a.N >= len(starts) {
		return n
	}
	return int(starts[k+a.N])
}
