package compaction

import (
	"palimpsest/model"
)

// Nearest is the clause that fires now or is nearest to it. It allocates
// nothing.
func (t *Track) Nearest() Nearest { return t.NearestAt(t.line.at) }

// NearestAt is [Track.Nearest] once the history has grown up to a position and
// nothing was compacted until then. The position must not lie behind the present
// one, nor beyond [Track.Certain].
func (t *Track) NearestAt(at int) Nearest {
	return t.nearest(t.tierAt(at).gauges, at)
}

// nearest is the first clause that fires, else the one of which the largest
// share is reached.
func (t *Track) nearest(gauges []Gauge, at int) Nearest {
	if len(gauges) == 1 && gauges[0].Known {
		return Nearest{0, gauges[0].Missing(t.measureAt(gauges[0].Unit, at))}
	}
	best, share := Nearest{Clause: -1}, -1.0
	for i, g := range gauges {
		if !g.Known {
			continue
		}
		v := t.measureAt(g.Unit, at)
		if g.Fires(v) {
			return Nearest{i, g.Missing(v)}
		}
		if s := float64(v) / float64(g.At); s > share {
			best, share = Nearest{i, g.Missing(v)}, s
		}
	}
	return best
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
	for _, g := range t.tierAt(at).gauges {
		if g.Fires(t.measureAt(g.Unit, at)) {
			return true
		}
	}
	return false
}

// measureAt is what a clause in a unit is compared with then.
func (t *Track) measureAt(u model.Unit, at int) int64 {
	l := &t.line
	switch u {
	case model.Messages:
		return int64(l.Len() + at - l.at)
	case model.Groups:
		return int64(t.unitsAt(at, len(l.groups), &t.h.whole.groups))
	case model.Steps:
		return int64(t.unitsAt(at, len(l.made), &t.h.whole.made))
	case model.Turns:
		return int64(t.unitsAt(at, len(l.turns), &t.h.whole.turns))
	}
	return l.before(l.Len()) + l.fixed + t.h.sum[at] - t.h.sum[l.at]
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
