package compaction

import (
	"math"

	"palimpsest/model"
)

// historyIndex holds for every position of a history what a line finds out about
// its entries, so that a line which goes on like the history needs no index of
// its own; see [Track].
//
//	position        0    1    2       3       4       5    6
//	message         S    U    call a  call b  res. a  U    A
//	leader          0    1    2       3       2       5    6    first message of its group
//	breaks          –    –    –       4       4       –    –    message 4 makes a cut there split a group
//	groups at            1    2       3               5    6
//	groups before   0    0    1       2       3       3    4
type historyIndex struct {
	leader  []int32            // position of the first message of the group
	breaks  []int32            // by cut: first position behind it whose group began before it; never: none
	pending []int32            // by length: first position of a group whose results are still to come
	units   [unitLists][]int32 // ascending positions
	before  [][unitLists]int32 // by length: how many of them lie before it; steps are counted where they are made
	// shareable says that a list which goes on like the history has the same units:
	// no summaries among the messages, no number of a step record twice.
	shareable bool
}

// between is how many units of a list lie in [from, to).
func (x *historyIndex) between(k unitList, from, to int) int {
	return int(x.before[to][k] - x.before[from][k])
}

// in are the positions of a list that lie in [from, to).
func (x *historyIndex) in(k unitList, from, to int) []int32 {
	return x.units[k][x.before[from][k]:x.before[to][k]]
}

const never = math.MaxInt32

// indexOf indexes a history with the indexer of live lists.
func indexOf(h *History) historyIndex {
	n := len(h.outlines)
	x := historyIndex{pending: make([]int32, n+1), shareable: true}
	var l Line
	g := newIndexer(&l)
	g.reserve(h.idCount)
	last, seen := int32(0), map[int32]bool{}
	for i := range h.outlines {
		o := &h.outlines[i]
		g.add(model.Item{}, int32(i), h.tokens[i], o, h.calledIDs(o))
		x.pending[i+1] = int32(l.pending)
		if o.step != last && o.step > 0 {
			x.shareable = x.shareable && !seen[o.step]
			seen[o.step] = true
		}
		last = o.step
		x.shareable = x.shareable && o.kind != model.KindSummary
	}
	x.leader, x.breaks = l.leader, breaksOf(l.leader)
	x.units = l.units
	counted := l.units
	counted[stepStarts] = l.units[stepMakers]
	x.before = make([][unitLists]int32, n+1)
	var before [unitLists]int32
	for i := range x.before {
		x.before[i] = before
		for k, at := range counted {
			if int(before[k]) < len(at) && int(at[before[k]]) == i {
				before[k]++
			}
		}
	}
	return x
}

// breaksOf finds for each cut the position from which on it splits a group.
func breaksOf(leader []int32) []int32 {
	out := make([]int32, len(leader)+1)
	open := []int32{}
	for i, lead := range leader {
		out[i] = never
		open = append(open, int32(i))
		for len(open) > 0 && open[len(open)-1] > lead {
			out[open[len(open)-1]] = int32(i)
			open = open[:len(open)-1]
		}
	}
	out[len(leader)] = never
	return out
}

// cutBefore is the largest legal cut at or before p, not before from, of a
// history of at messages. The groups of all messages from from on begin there.
func (x *historyIndex) cutBefore(p, from, at int) int {
	for p > from && int(x.breaks[p]) < at {
		p = int(x.leader[x.breaks[p]]) // the same group crosses every cut between the two
	}
	return p
}

// cutAfter is the smallest such cut at or behind p; at+1 when there is none.
func (x *historyIndex) cutAfter(p, at int) int {
	for p <= at && int(x.breaks[p]) < at {
		p = int(x.breaks[p]) + 1
	}
	return p
}
