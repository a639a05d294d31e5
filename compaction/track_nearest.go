package compaction

import (
	"palimpsest/model"
)

// Nearest is the clause that fires, or the one nearest to firing.
type Nearest struct {
	Clause int // index into the triggers of the policy then in force; -1: none can fire
	// Missing is how much must be added in the clause's unit until it fires; it
	// fires when nothing is missing.
	Missing int64
}

// Fires reports whether the clause fires.
func (n Nearest) Fires() bool { return n.Clause >= 0 && n.Missing <= 0 }

// Nearest is the first clause that fires now, else the one of which the largest
// share is reached. It allocates nothing.
func (t *Track) Nearest() Nearest { return t.NearestAt(t.line.at) }

// NearestAt is [Track.Nearest] once the history has grown up to a position and
// nothing was compacted until then. The position must not lie before the present
// one, nor behind [Track.Certain].
func (t *Track) NearestAt(at int) Nearest {
	gauges := t.tierAt(at).gauges
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

// tierAt is the form of the policy for a history of at messages.
func (t *Track) tierAt(at int) *policyTier {
	if tiers := t.prepared.tiers; len(tiers) == 1 {
		return &tiers[0]
	}
	return t.prepared.tierAt(at, int(t.h.steps[at]))
}

// FiresAt reports whether a clause fires at a position, as for [Track.NearestAt].
func (t *Track) FiresAt(at int) bool {
	for _, g := range t.tierAt(at).gauges {
		if g.Fires(t.measureAt(g.Unit, at)) {
			return true
		}
	}
	return false
}

// measureAt is what a clause in a unit measures at a position.
func (t *Track) measureAt(u model.Unit, at int) int64 {
	l := &t.line
	switch u {
	case model.Messages:
		return int64(l.Len() + at - l.at)
	case model.Tokens:
		return l.Usage().Tokens + t.h.sum[at] - t.h.sum[l.at]
	}
	return int64(len(l.units[makersOf(u)]))
}

// Certain is the history position up to which [Track.NearestAt] is exact: tokens and
// messages add up, whatever belongs together.
func (t *Track) Certain() int {
	if !t.prepared.countsUnits {
		return t.h.Len()
	}
	return t.line.at
}

// Steady is the history position up to which the clauses are those of a
// position; adaptive tiers change them.
func (t *Track) Steady(at int) int {
	upTo := t.tierAt(at).upTo
	switch n := t.h.Len(); {
	case upTo >= n:
		return n
	case t.prepared.bySteps:
		return firstAtLeast(t.h.steps, upTo+1) - 1
	}
	return upTo
}
