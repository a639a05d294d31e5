package compaction

import (
	"palimpsest/model"
)

// trackView is how far a track's line holds its entries itself. Behind that, list
// and history run alike: what every message belongs to lies in the same stretch,
// steps start alike, nothing is waited for, nothing is pinned or cleared. There
// the line goes by the index of the history, so that a message costs nothing.
type trackView struct {
	next       int     // first history position that the line does not hold itself
	last       int32   // history position of its last own entry; apart: of a summary, or none
	unbroken   int     // from this entry on its own entries follow each other in the history
	shares     bool    // whether behind next both run alike, so far
	stepStarts bool    // the policy asks where steps start, not only how many there are
	pinned     []int32 // history positions that pins protect sooner or later, ascending

	kept []keptItem // what Apply carries over
}

// keptItem is an item with its history position; -1: a summary.
type keptItem struct {
	item model.Item
	hist int32
}

// noNeighbour is a history position that no message follows.
const noNeighbour = -2

// share takes messages of the history before the line's position into the line
// itself until the rest of them runs like the history.
func (t *Track) share() {
	l := &t.line
	l.from, l.to = t.next, t.next
	for t.shares = t.canShare(); !t.shares && t.next < l.at; t.shares = t.canShare() {
		t.copyTo(t.next + 1)
	}
	l.from, l.to = t.next, l.at
	if first := int(t.first); first >= l.from && first < l.to {
		l.firstUser = len(l.items) + first - l.from
	}
}

// copyTo takes the messages before a position into the line itself.
func (t *Track) copyTo(to int) {
	if t.shares {
		t.copyIndexed(to)
	}
	for ; t.next < to; t.next++ {
		t.add(model.Item{Msg: t.h.thread.History[t.next]}, int32(t.next))
	}
	t.line.from, t.line.to = t.next, t.next
}

func (t *Track) canShare() bool {
	l, w := &t.line, &t.h.index
	if !w.shareable || len(l.items) <= l.system || int(w.breaks[t.next]) < l.at { // the last: a result belongs to what lies before
		return false
	}
	if l.pending < len(l.items) || int(w.pending[l.at]) < t.next { // what is waited for no longer is so for good
		return false
	}
	if t.stepStarts && !t.sameSteps() {
		return false
	}
	k := firstAtLeast(t.pinned, l.at)
	return k == 0 || int(t.pinned[k-1]) < t.next
}

// sameSteps reports whether behind next a step starts with the same message in
// the list and in the history.
func (t *Track) sameSteps() bool {
	l, steps := &t.line, &t.h.index.steps
	if t.indexer.walk.open < 0 { // in the list no step is half open, and in the history?
		if k := int(steps.before[t.next]); k == len(steps.at) || int(steps.at[k]) >= t.next {
			return true
		}
	}
	k := len(l.made)
	return t.next == int(t.last)+1 && k > 0 && int(l.made[k-1]) >= t.unbroken
}

// firstUser is the position of the message that the history before at began
// with from the user's side: see [firstUser].
func (h *History) firstUser(at int) int {
	switch {
	case h.typed >= 0 && h.typed < at:
		return h.typed
	case h.user >= 0 && h.user < at:
		return h.user
	}
	return -1
}

// pinned appends the positions of all groups that have a member in the ranges.
func (h *History) pinned(ranges []model.Range, out []int32) []int32 {
	lead := h.index.leader
	hit, first := map[int32]bool{}, len(lead)
	for _, r := range ranges {
		for i := max(0, r.From); i < min(r.To, len(lead)); i++ {
			hit[lead[i]], first = true, min(first, int(lead[i]))
		}
	}
	for i := first; i < len(lead) && len(hit) > 0; i++ {
		if hit[lead[i]] {
			out = append(out, int32(i))
		}
	}
	return out
}
