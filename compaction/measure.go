package compaction

import (
	"sort"

	"palimpsest/model"
)

// Count is the number of units in the whole line: messages, groups, steps,
// turns or tokens.
func (l *Line) Count(u model.Unit) int {
	switch u {
	case model.Messages:
		return l.Len()
	case model.Tokens:
		return int(l.Usage().Tokens)
	}
	e := l.entries(makersOf(u))
	return e.len()
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
	at := 0
	switch a.Unit {
	case model.Messages:
		at = max(0, n-a.N)
	case model.Tokens, model.Chars:
		want := l.before(n) - int64(a.N)
		if want < 0 {
			return 0
		}
		at = l.lastAbove(want) - 1
	default:
		starts := l.entries(startsOf(a.Unit))
		if starts.len() < a.N {
			return 0
		}
		at = starts.at(starts.len() - a.N)
	}
	return at
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
		return l.firstAbove(l.before(from)+int64(a.N)) - 1
	}
	starts := l.entries(startsOf(a.Unit))
	k := starts.before(from)
	if k+a.N >= starts.len() {
		return n
	}
	return starts.at(k + a.N)
}

// lastAbove is firstAbove for an entry near the end: a tail is short compared with
// the list.
func (l *Line) lastAbove(tokens int64) int {
	sums, off, v := sumsNear(l, tokens)
	hi, step := len(sums), 1
	for hi > step && sums[hi-step] > v {
		hi -= step
		step *= 2
	}
	lo := max(0, hi-step)
	return off + lo + firstAbove(sums[lo:hi], v)
}

// firstAbove is the first entry with more than so many tokens before it; one past
// the end when there is none.
func (l *Line) firstAbove(tokens int64) int {
	sums, off, v := sumsNear(l, tokens)
	return off + firstAbove(sums, v)
}

// sumsNear are prefix sums of neighbours among which the first above so many tokens is
// found: it is the first above v of them, or the one behind, off entries from the start.
// They are those of the own entries, or of a part of the shared stretch without a note.
func sumsNear(l *Line, tokens int64) (sums []int64, off int, v int64) {
	own, notes := len(l.items), &l.notes
	if l.to == l.from || tokens < l.sum[own] {
		return l.sum, 0, tokens
	}
	v = tokens - l.beyond
	from := l.from
	behind := func(k int) int64 { return l.history.sum[notes.at[k]+1] - notes.freed[k] }
	k := len(notes.at)
	if k > 0 && behind(k-1) > v {
		k = sort.Search(k-1, func(k int) bool { return behind(k) > v }) // that of the history is no less
	}
	if k > 0 {
		from, v = int(notes.at[k-1])+1, v+notes.freed[k-1]
	}
	return l.history.sum[from : l.to+1], own + from - l.from, v
}
