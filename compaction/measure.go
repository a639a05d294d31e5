package compaction

import (
	"sort"

	"palimpsest/model"
)

// starts is where the units of a kind begin; nil for messages and tokens, which
// need no list.
func (l *Line) starts(u model.Unit) []int32 {
	switch u {
	case model.Groups:
		return l.groups
	case model.Steps:
		return l.steps
	case model.Turns:
		return l.turns
	}
	return nil
}

// Count is the number of units in the whole line: messages, groups, steps,
// turns or tokens.
func (l *Line) Count(u model.Unit) int {
	switch u {
	case model.Messages:
		return len(l.items)
	case model.Tokens:
		return int(l.sum[len(l.items)] + l.fixed)
	}
	return len(l.starts(u))
}

// tailFrom is where the recent tail begins: the latest legal cut that leaves at
// least the wanted amount behind it.
func (l *Line) tailFrom(a model.Amount) int {
	n := len(l.items)
	if a.N <= 0 {
		return l.cutBefore(n)
	}
	at := 0
	switch a.Unit {
	case model.Messages:
		at = max(0, n-a.N)
	case model.Tokens, model.Chars:
		want := l.sum[n] - int64(a.N)
		if want < 0 {
			return 0
		}
		at = sort.Search(n, func(i int) bool { return l.sum[i+1] > want })
	default:
		s := l.starts(a.Unit)
		if len(s) < a.N {
			return 0
		}
		at = int(s[len(s)-a.N])
	}
	return l.cutBefore(at)
}

// batchTo is the largest position whose distance from from is at most the
// batch. Former summaries count as messages but as no other unit.
func (l *Line) batchTo(from int, a model.Amount) int {
	n := len(l.items)
	if a.N <= 0 {
		return n
	}
	switch a.Unit {
	case model.Messages:
		return min(n, from+a.N)
	case model.Tokens, model.Chars:
		limit := l.sum[from] + int64(a.N)
		return sort.Search(n+1, func(i int) bool { return l.sum[i] > limit }) - 1
	}
	s := l.starts(a.Unit)
	k := sort.Search(len(s), func(i int) bool { return int(s[i]) >= from })
	if k+a.N >= len(s) {
		return n
	}
	return int(s[k+a.N])
}
