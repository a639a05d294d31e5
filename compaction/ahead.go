package compaction

import "palimpsest/model"

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
		m.groups, m.steps, m.turns = t.unitsAt(at, len(l.groups), &w.groups), t.unitsAt(at, len(l.made), &w.made), t.unitsAt(at, len(l.turns), &w.turns)
	}
	return nearest(t.tierAt(at).gauges, m)
}

// tierAt is the clauses once the history is at long.
func (t *Track) tierAt(at int) *watchTier {
	if tiers := t.watch.tiers; len(tiers) == 1 {
		return &tiers[0]
	}
	return t.watch.at(at, int(t.h.steps[at]))
}

// FiresAt reports whether a clause fires then.
func (t *Track) FiresAt(at int) bool {
	l := &t.line
	for _, g := range t.tierAt(at).gauges {
		v := 0
		switch g.unit {
		case model.Messages:
			v = l.Len() + at - l.at
		case model.Groups:
			v = t.unitsAt(at, len(l.groups), &t.h.whole.groups)
		case model.Steps:
			v = t.unitsAt(at, len(l.made), &t.h.whole.made)
		case model.Turns:
			v = t.unitsAt(at, len(l.turns), &t.h.whole.turns)
		default:
			v = int(l.before(l.Len()) + l.fixed + t.h.sum[at] - t.h.sum[l.at])
		}
		if g.known && int64(v) >= g.at {
			return true
		}
	}
	return false
}

// unitsAt counts the units of the line's own entries and of the history behind
// them.
func (t *Track) unitsAt(at, own int, m *marks) int {
	if at > t.line.from {
		return own + m.between(t.line.from, at)
	}
	return own
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
	upTo := t.tierAt(at).upTo
	switch n := t.h.Len(); {
	case upTo >= n:
		return n
	case t.watch.steps:
		return firstAtLeast(t.h.steps, upTo+1) - 1
	}
	return upTo
}
