package compaction

import (
	"math"

	"palimpsest/model"
)

// watch is a policy's trigger made ready to be looked at before every call:
// normalised once, shares turned into tokens, one row for each adaptive tier.
type watch struct {
	policy model.Policy // normalised
	said   []Reason
	tiers  []watchTier
	steps  bool // tiers go by steps, else by messages
}

type watchTier struct {
	upTo   int // length of the history
	gauges []gauge
}

// gauge is one clause: it fires when its measure reaches at.
type gauge struct {
	unit  model.Unit
	at    int64
	known bool
}

func newWatch(p model.Policy) *watch {
	p, said := Normalise(p)
	w := &watch{policy: p, said: said, steps: p.Tail.Unit == model.Steps}
	if !p.Adaptive {
		w.tiers = []watchTier{{math.MaxInt, gauges(&p)}}
		return w
	}
	for _, t := range tiers {
		q := adapt(p, t.upTo)
		w.tiers = append(w.tiers, watchTier{t.upTo, gauges(&q)})
	}
	return w
}

func gauges(p *model.Policy) []gauge {
	out := make([]gauge, len(p.Triggers))
	for i, c := range p.Triggers {
		at, known := limit(c, p.Window)
		if c.Share == 0 && c.At.Unit == model.Steps {
			at++ // fires above, not at
		}
		unit := c.At.Unit
		if c.Share > 0 {
			unit = model.Tokens
		}
		out[i] = gauge{unit, at, known}
	}
	return out
}

// at is the clauses for a history of so many messages and steps.
func (w *watch) at(messages, steps int) []gauge {
	length := messages
	if w.steps {
		length = steps
	}
	for i := range w.tiers {
		if length <= w.tiers[i].upTo {
			return w.tiers[i].gauges
		}
	}
	return w.tiers[len(w.tiers)-1].gauges
}

// Nearest is the clause that fires or is nearest to it.
type Nearest struct {
	Clause int // index into the triggers of the policy as it was in force; -1: none can fire
	// Missing is how much must be added in the clause's unit until it fires; it
	// fires when nothing is missing.
	Missing int64
}

// Fires reports whether the clause fires.
func (n Nearest) Fires() bool { return n.Clause >= 0 && n.Missing <= 0 }

// nearest is the first clause that fires, else the one of which the largest
// share is reached.
func nearest(gauges []gauge, m measures) Nearest {
	best, share := Nearest{Clause: -1}, -1.0
	for i, g := range gauges {
		if !g.known {
			continue
		}
		v := m.of(g.unit)
		if v >= g.at {
			return Nearest{i, g.at - v}
		}
		if s := float64(v) / float64(g.at); s > share {
			best, share = Nearest{i, g.at - v}, s
		}
	}
	return best
}
