package compaction

import (
	"math"
	"slices"

	"palimpsest/model"
)

// unitList names a list of entries that a line keeps for the units it counts,
// and the index of a history as well.
type unitList int

const (
	groupStarts unitList = iota // first entry of each group
	stepStarts                  // first entry of each step, user messages before it included
	stepMakers                  // assistant message of each step; of a step record its first message
	turnStarts                  // first entry of each turn
	toolResults                 // every tool result that a note can take the place of
	unitLists                   // number of lists
)

// startsOf is the list of the entries at which units begin: groups, steps or
// turns.
func startsOf(u model.Unit) unitList {
	if u == model.Steps {
		return stepStarts
	}
	return makersOf(u)
}

// makersOf is the list of the entries that make units. A unit is counted where
// it is made.
func makersOf(u model.Unit) unitList {
	switch u {
	case model.Steps:
		return stepMakers
	case model.Turns:
		return turnStarts
	}
	return groupStarts
}

// unitEntries is one list of a line: of its own entries, then of the stretch of
// history it shares.
type unitEntries struct {
	own    []int32 // entries
	shared []int32 // history positions
	off    int     // entry of a history position, less the position
}

func (l *Line) entries(k unitList) unitEntries {
	if l.to == l.from {
		return unitEntries{own: l.units[k]}
	}
	return unitEntries{l.units[k], l.history.index.in(k, l.from, l.to), len(l.items) - l.from}
}

// madeBefore is how many groups, steps or turns are made before entry i.
func (l *Line) madeBefore(u model.Unit, i int) int {
	k := makersOf(u)
	own := l.units[k]
	if i > len(l.items) {
		return len(own) + l.history.index.between(k, l.from, l.position(i))
	}
	if n := len(own); n == 0 || int(own[n-1]) < i {
		return n
	}
	return firstAtLeast(own, i)
}

func (e *unitEntries) len() int { return len(e.own) + len(e.shared) }

// at is the entry of the k-th unit.
func (e *unitEntries) at(k int) int {
	if k < len(e.own) {
		return int(e.own[k])
	}
	return int(e.shared[k-len(e.own)]) + e.off
}

// resultsAhead are the tool results of the line of a track, and behind them those that its
// history has next.
func resultsAhead(l *Line) unitEntries {
	if l.to == l.from {
		return unitEntries{own: l.units[toolResults]}
	}
	x := &l.history.index
	return unitEntries{l.units[toolResults], x.units[toolResults][x.before[l.from][toolResults]:], len(l.items) - l.from}
}

// ahead is at; where there is no such unit, an entry behind all.
func (e *unitEntries) ahead(k int) int {
	switch own := len(e.own); {
	case k < own:
		return int(e.own[k])
	case k-own < len(e.shared):
		return int(e.shared[k-own]) + e.off
	}
	return math.MaxInt
}

// before is how many units lie before entry i.
func (e *unitEntries) before(i int) int {
	if len(e.shared) > 0 && int(e.shared[0])+e.off < i {
		return len(e.own) + firstAtLeast(e.shared, i-e.off)
	}
	return firstAtLeast(e.own, i)
}

// firstAtLeast is the index of the first of ascending values that is at least v;
// the length when there is none.
func firstAtLeast(values []int32, v int) int {
	k, _ := slices.BinarySearch(values, int32(v))
	return k
}

// firstAbove is the index of the first of ascending sums that is above v; the
// length when there is none.
func firstAbove(sums []int64, v int64) int {
	k, _ := slices.BinarySearch(sums, v+1)
	return k
}
