package compaction

import (
	"slices"

	"palimpsest/model"
)

// copyIndexed takes a stretch that runs like the history into the line itself, as
// far as the position to, or to the last place before it that no group crosses
// and at which nothing is waited for. There the index of the history is that of
// the line, moved: it is copied, and no call is matched with its result again.
func (t *Track) copyIndexed(to int) {
	l, g, w, from := &t.line, t.indexer, &t.h.index, t.next
	for to > from && (w.breaks[to] != never || int(w.pending[to]) < to) {
		to--
	}
	if to <= from || l.pins != nil {
		return
	}
	if from != int(t.last)+1 {
		t.unbroken = len(l.items)
	}
	off, sum := len(l.items)-from, l.sum[len(l.items)]-t.h.sum[from]
	l.items = slices.Grow(l.items, to-from)
	for _, stored := range t.h.thread.History[from:to] {
		l.items = append(l.items, model.Item{Msg: stored})
	}
	for p := from; p < to; p++ {
		l.hist = append(l.hist, int32(p))
		l.kind = append(l.kind, t.h.outlines[p].kind)
		l.sum = append(l.sum, sum+t.h.sum[p+1])
		if w.breaks[p+1] == never {
			l.legal = append(l.legal, int32(p+1+off))
		}
	}
	l.tokens = append(l.tokens, t.h.tokens[from:to]...)
	l.leader = appendMoved(l.leader, w.leader[from:to], off)
	l.groups, l.turns = w.groups.appendTo(l.groups, from, to, off), w.turns.appendTo(l.turns, from, to, off)
	l.steps, l.made = w.steps.appendTo(l.steps, from, to, off), w.made.appendTo(l.made, from, to, off)
	l.results = w.results.appendTo(l.results, from, to, off)
	n := len(l.items)
	g.answered, g.awaited = slices.Grow(g.answered, to-from)[:n], slices.Grow(g.awaited, to-from)[:n] // none is asked for again
	g.waiting, l.pending = n, n
	g.step, g.walk = t.h.outlines[to-1].step, stepWalk{open: -1, stepped: -1}
	if k := int(w.steps.before[to]); k < len(w.steps.at) && int(w.steps.at[k]) < to {
		g.walk.open = int(w.steps.at[k]) + off
	}
	if first := int(t.first); first >= from && first < to {
		l.firstUser = first + off
	}
	t.next, t.last = to, int32(to-1)
}

// appendTo appends the marks of the positions [from, to), each moved.
func (m *positions) appendTo(out []int32, from, to, off int) []int32 {
	return appendMoved(out, m.at[m.before[from]:m.before[to]], off)
}

func appendMoved(out, positions []int32, off int) []int32 {
	out = slices.Grow(out, len(positions))
	for _, p := range positions {
		out = append(out, p+int32(off))
	}
	return out
}
