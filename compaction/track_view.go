package compaction

import (
	"palimpsest/model"
)

// trackView says how much of a track's line is stored in it. The line stores only
// its first entries: prompt, summaries, and what pins, clearings and open calls
// make different from the history. From history position next on it is identical
// to the history and uses the history's index, so that a message costs nothing.
//
//	entries   prompt  S1  m7  m8      m9   m10  m11 …
//	          own: Line.items         shared: history[next:at]
//	                          last ─┘ └─ next
//	              unbroken ─┘ (m7 and m8 follow each other in the history)
//
// That holds if no group, step or pin crosses next and no call before it is
// unanswered.
type trackView struct {
	next       int     // first history position that the line does not store
	last       int32   // history position of the last own entry; noNeighbour: of a summary, or there is none
	unbroken   int     // from this entry on the own entries follow each other in the history
	shares     bool    // the entries behind the own ones are shared
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

// share stores messages of the history before the line's position in the line
// until it can share all that are left.
func (t *Track) share() {
	l := &t.line
	for t.shares = t.canShare(); !t.shares && t.next < l.at; t.shares = t.canShare() {
		l.from, l.to = t.next, t.next
		t.add(model.Item{Msg: t.h.thread.History[t.next], Cleared: l.notes.has(t.next)}, int32(t.next))
		t.next++
	}
	l.to = l.at
	if l.from != t.next {
		l.from = t.next
		l.notes.cut(t.next)
		l.beyond = l.sum[len(l.items)] - t.h.sum[l.from]
	}
	if first := int(t.first); first >= l.from && first < l.to {
		l.firstUser = len(l.items) + first - l.from
	}
}

// canShare reports whether the history from next up to the line's position has
// the same groups, cuts, units and pins in the line.
func (t *Track) canShare() bool {
	l, x := &t.line, &t.h.index
	switch {
	case !x.shareable || len(l.items) <= l.system:
		return false
	case int(x.breaks[t.next]) < l.at: // a result behind next belongs to a call before it
		return false
	case l.pending < len(l.items) || int(x.pending[l.at]) < t.next: // a call before next may still be answered
		return false
	case t.stepStarts && !t.sameSteps():
		return false
	}
	k := firstAtLeast(t.pinned, l.at)
	return k == 0 || int(t.pinned[k-1]) < t.next
}

// sameSteps reports whether the steps behind next start with the same messages
// in the line and in the history.
func (t *Track) sameSteps() bool {
	l, starts := &t.line, t.h.index.units[stepStarts]
	if t.indexer.walk.open < 0 { // no step is half open in the line: in the history neither?
		if k := int(t.h.index.before[t.next][stepStarts]); k == len(starts) || int(starts[k]) >= t.next {
			return true
		}
	}
	makers := l.units[stepMakers]
	k := len(makers)
	return t.next == int(t.last)+1 && k > 0 && int(makers[k-1]) >= t.unbroken
}

// firstUser is the position of the message with which the history before at
// began from the user's side: see [firstUser].
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
