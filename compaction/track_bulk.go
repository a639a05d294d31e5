package compaction

import (
	"slices"

	"palimpsest/model"
)

// copyIndexed copies a shared stretch into the line itself, as far as the
// position to, or to the last position before it that no group crosses and at
// which no result is awaited. The index of the history, moved, is that of the
// line there, so that no call is matched with its result again.
func (t *Track) copyIndexed(to int) {
	l, g, x, from := &t.line, t.indexer, &t.h.index, t.next
	for to > from && (x.breaks[to] != never || int(x.pending[to]) < to) {
		to--
	}
	if to <= from || l.pins != nil {
		return
	}
	if from != int(t.last)+1 {
		t.unbroken = len(l.items)
	}
	off, sum := len(l.items)-from, l.sum[len(l.items)]-t.h.sum[from]
	n := to + off
	l.items, l.hist = slices.Grow(l.items, to-from)[:n], slices.Grow(l.hist, to-from)[:n]
	l.kind, l.sum = slices.Grow(l.kind, to-from)[:n], slices.Grow(l.sum, to-from)[:n+1]
	for p := from; p < to; p++ {
		i := p + off
		l.items[i], l.hist[i], l.kind[i] = model.Item{Msg: t.h.thread.History[p]}, int32(p), t.h.outlines[p].kind
		l.sum[i+1] = sum + t.h.sum[p+1]
		if x.breaks[p+1] == never {
			l.legal = append(l.legal, int32(i+1))
		}
	}
	l.tokens = append(l.tokens, t.h.tokens[from:to]...)
	l.leader = appendMoved(l.leader, x.leader[from:to], off)
	for k := range l.units {
		l.units[k] = appendMoved(l.units[k], x.in(unitList(k), from, to), off)
	}
	g.answered, g.awaited = slices.Grow(g.answered, to-from)[:n], slices.Grow(g.awaited, to-from)[:n] // none is asked for again
	g.waiting, l.pending = n, n
	g.step, g.walk = t.h.outlines[to-1].step, stepWalk{open: -1, madeBy: -1}
	steps := x.units[stepStarts]
	if k := int(x.before[to][stepStarts]); k < len(steps) && int(steps[k]) < to {
		g.walk.open = int(steps[k]) + off
	}
	if first := int(t.first); first >= from && first < to {
		l.firstUser = first + off
	}
	t.next, t.last = to, int32(to-1)
}

// appendMoved appends positions, each moved by off.
func appendMoved(out, positions []int32, off int) []int32 {
	out = slices.Grow(out, len(positions))
	for _, p := range positions {
		out = append(out, p+int32(off))
	}
	return out
}
