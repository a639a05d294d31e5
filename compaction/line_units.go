package compaction

import (
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

// madeBefore is how many groups, steps or turns are made before entry i.
func (l *Line) madeBefore(u model.Unit, i int) int { return firstAtLeast(l.units[makersOf(u)], i) }

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
