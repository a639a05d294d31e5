package compaction

// Nearest is the clause that fires now or is nearest to it. It allocates
// nothing.
func (t *Track) Nearest() Nearest { return t.NearestAt(t.line.at) }

// NearestAt is [Track.Nearest] once the history has grown up to a position and
// nothing was compacted until then. The position must not lie behind the present
// one, nor beyond [Track.Certain].
func (t *Track) NearestAt(at int) Nearest {
	l := &t.line
	m := measures{tokens: l.before(l.Len()) + l.fixed + t.h.sum[at] - t.h.sum[l.at], messages: l.Len() + at - l.at}
	if t.watch.counts {
		w := &t.h.whole
		m.groups, m.steps, m.turns = len(l.groups), len(l.made), len(l.turns)
		if at > l.from {
			m.groups += w.groups.between(l.from, at)
			m.steps += w.made.between(l.from, at)
			m.turns += w.turns.between(l.from, at)
		}
	}
	return nearest(t.watch.at(at, int(t.h.steps[at])).gauges, m)
}

// Certain is the history position up to which [Track.NearestAt] can tell.
func (t *Track) Certain() int {
	switch {
	case !t.watch.counts: // tokens and messages add up whatever belongs together
		return t.h.Len()
	case !t.alike:
		return t.line.at
	}
	return min(t.h.Len(), int(t.h.whole.breaks[t.next]))
}

// Steady is the history position up to which the clauses stay those that hold at
// a position; adaptive tiers change them.
func (t *Track) Steady(at int) int {
	upTo := t.watch.at(at, int(t.h.steps[at])).upTo
	switch n := t.h.Len(); {
	case upTo >= n:
		return n
	case t.watch.steps:
		return firstAtLeast(t.h.steps, upTo+1) - 1
	}
	return upTo
}
