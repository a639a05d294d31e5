package compaction

import (
	"palimpsest/model"
)

// row is the entries of one unit in a line: those of its own entries, then those
// of the stretch of history behind them.
type row struct {
	own  []int32
	rest []int32 // history positions
	off  int     // from a position to its entry
}

func (l *Line) row(own []int32, m *marks) row {
	if l.to == l.from {
		return row{own: own}
	}
	return row{own, m.at[m.before[l.from]:m.before[l.to]], len(l.items) - l.from}
}

func (l *Line) groupRow() row {
	if l.rest == nil {
		return row{own: l.groups}
	}
	return l.row(l.groups, &l.rest.whole.groups)
}

func (l *Line) turnRow() row {
	if l.rest == nil {
		return row{own: l.turns}
	}
	return l.row(l.turns, &l.rest.whole.turns)
}

// stepRow is where the steps start.
func (l *Line) stepRow() row {
	if l.rest == nil {
		return row{own: l.steps}
	}
	return l.row(l.steps, &l.rest.whole.steps)
}

func (l *Line) resultRow() row {
	if l.rest == nil {
		return row{own: l.results}
	}
	return l.row(l.results, &l.rest.whole.results)
}

// madeBefore is how many groups, steps or turns are made before entry i.
func (l *Line) madeBefore(u model.Unit, i int) int {
	own := l.groups
	switch u {
	case model.Steps:
		own = l.made
	case model.Turns:
		own = l.turns
	}
	if i > len(l.items) {
		return len(own) + l.rest.whole.madeIn(u).between(l.from, l.position(i))
	}
	if n := len(own); n == 0 || int(own[n-1]) < i {
		return n
	}
	return firstAtLeast(own, i)
}

// rowOf is where the units of a kind begin; false for messages and tokens, which
// need no list.
func (l *Line) rowOf(u model.Unit) (row, bool) {
	switch u {
	case model.Groups:
		return l.groupRow(), true
	case model.Steps:
		return l.stepRow(), true
	case model.Turns:
		return l.turnRow(), true
	}
	return row{}, false
}

func (r *row) len() int { return len(r.own) + len(r.rest) }

// at is the entry of the k-th unit.
func (r *row) at(k int) int {
	if k < len(r.own) {
		return int(r.own[k])
	}
	return int(r.rest[k-len(r.own)]) + r.off
}

// below is how many units lie before entry i.
func (r *row) below(i int) int {
	if len(r.rest) > 0 && int(r.rest[0])+r.off < i {
		return len(r.own) + firstAtLeast(r.rest, i-r.off)
	}
	return firstAtLeast(r.own, i)
}

// firstAtLeast is the index of the first of ascending values that is at least v;
// the length when there is none.
func firstAtLeast(values []int32, v int) int {
	lo, hi := 0, len(values)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); int(values[mid]) < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// firstAbove is the index of the first of ascending sums that is above v; the
// length when there is none.
func firstAbove(sums []int64, v int64) int {
	lo, hi := 0, len(sums)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); sums[mid] <= v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
