package compaction

import (
	"math"

	"palimpsest/model"
)

// historyIndex is what the engine finds on a history that nothing was taken from, for
// every position once: where its groups, steps and turns begin, what is still
// to come, where it may be cut. Behind the place where the live list and the
// history run alike, a list needs no index of its own; see [Line].
type historyIndex struct {
	leader  []int32 // position that leads the group
	breaks  []int32 // by cut: first position behind it whose group leads across it; never: none
	pending []int32 // by length: first position of a group whose results are still to come
	groups  positions
	steps   positions // where they start; counted where they are made
	made    positions
	turns   positions
	results positions
	// plain says that a list which runs like the history has the same units: no
	// summaries among its messages, no number of a step record twice.
	shareable bool
}

// positions are the positions of one unit, with how many lie before each position.
type positions struct {
	at     []int32
	before []int32
}

// between is how many lie in [from, to).
func (m *positions) between(from, to int) int { return int(m.before[to] - m.before[from]) }

// unit is where groups, steps or turns are made.
func (w *historyIndex) unit(u model.Unit) *positions {
	switch u {
	case model.Steps:
		return &w.made
	case model.Turns:
		return &w.turns
	}
	return &w.groups
}

const never = math.MaxInt32

// indexOf indexes a history with the grower that a live list is indexed with.
func indexOf(h *History) historyIndex {
	n := len(h.outlines)
	w := historyIndex{pending: make([]int32, n+1), shareable: true}
	var l Line
	g := newIndexer(&l)
	g.reserve(h.idCount)
	last, seen := int32(0), map[int32]bool{}
	for i := range h.outlines {
		o := &h.outlines[i]
		g.add(model.Item{}, int32(i), h.tokens[i], o, h.callIDs[o.calls:o.calls+o.called])
		w.pending[i+1] = int32(l.pending)
		if o.step != last && o.step > 0 {
			w.shareable = w.shareable && !seen[o.step]
			seen[o.step] = true
		}
		last = o.step
		w.shareable = w.shareable && o.kind != model.KindSummary
	}
	w.leader, w.breaks = l.leader, breaksOf(l.leader)
	count := func(at, made []int32) positions {
		m := positions{at: at, before: make([]int32, n+1)}
		for i, k := 0, int32(0); i <= n; i++ {
			m.before[i] = k
			if int(k) < len(made) && int(made[k]) == i {
				k++
			}
		}
		return m
	}
	w.groups, w.turns, w.results = count(l.groups, l.groups), count(l.turns, l.turns), count(l.results, l.results)
	w.steps, w.made = count(l.steps, l.made), count(l.made, l.made)
	return w
}

// breaksOf finds for each cut when it stops being legal.
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

// cutBefore is the largest cut at or before p, but not before from, that is
// legal while the history is at long. All groups behind from lead behind it.
func (w *historyIndex) cutBefore(p, from, at int) int {
	for p > from && int(w.breaks[p]) < at {
		p = int(w.leader[w.breaks[p]]) // between the two every cut is crossed by the same group
	}
	return p
}

// cutAfter is the smallest such cut at or behind p; at+1 when there is none.
func (w *historyIndex) cutAfter(p, at int) int {
	for p <= at && int(w.breaks[p]) < at {
		p = int(w.breaks[p]) + 1
	}
	return p
}
