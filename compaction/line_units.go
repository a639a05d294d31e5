package compaction

import (
	"palimpsest/model"
)

// unitEntries is the entries of one unit in a line: those of its own entries, then those
// of the stretch of history behind them.
type unitEntries struct {
	own    []int32
	shared []int32 // history positions
	off    int     // from a position to its entry
}

func (l *Line) units(own []int32, m *positions) unitEntries {
	if l.to == l.from {
		return unitEntries{own: own}
	}
	return unitEntries{own, m.at[m.before[l.from]:m.before[l.to]], len(l.items) - l.from}
}

func (l *Line) groupEntries() unitEntries {
	if l.history == nil {
		return unitEntries{own: l.groups}
	}
	return l.units(l.groups, &l.history.index.groups)
}

func (l *Line) turnEntries() unitEntries {
	if l.history == nil {
		return unitEntries{own: l.turns}
	}
	return l.units(l.turns, &l.history.index.turns)
}

// stepEntries is where the steps start.
func (l *Line) stepEntries() unitEntries {
	if l.history == nil {
		return unitEntries{own: l.steps}
	}
	return l.units(l.steps, &l.history.index.steps)
}

func (l *Line) resultEntries() unitEntries {
	if l.history == nil {
		return unitEntries{own: l.results}
	}
	return l.units(l.results, &l.history.index.results)
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
		return len(own) + l.history.index.unit(u).between(l.from, l.position(i))
	}
	if n := len(own); n == 0 || int(own[n-1]) < i {
		return n
	}
	return firstAtLeast(own, i)
}

// unitEntries is where the units of a kind begin; false for messages and tokens, which
// need no list.
func (l *Line) unitEntries(u model.Unit) (unitEntries, bool) {
	switch u {
	case model.Groups:
		return l.groupEntries(), true
	case model.Steps:
		return l.stepEntries(), true
	case model.Turns:
		return l.turnEntries(), true
	}
	return unitEntries{}, false
}

func (r *unitEntries) len() int { return len(r.own) + len(r.shared) }

// at is the entry of the k-th unit.
func (r *unitEntries) at(k int) int {
	if k < len(r.own) {
		return int(r.own[k])
	}
	return int(r.shared[k-len(r.own)]) + r.off
}

// before is how many units lie before entry i.
func (r *unitEntries) before(i int) int {
	if len(r.shared) > 0 && int(r.shared[0])+r.off < i {
		return len(r.own) + firstAtLeast(r.shared, i-r.off)
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
