package compaction

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
// share is reached.
func (t *Track) Nearest() Nearest {
	best, share := Nearest{Clause: -1}, -1.0
	for i, g := range t.tier().gauges {
		if !g.Known {
			continue
		}
		v := int64(t.line.Count(g.Unit))
		if g.Fires(v) {
			return Nearest{i, g.Missing(v)}
		}
		if s := float64(v) / float64(g.At); s > share {
			best, share = Nearest{i, g.Missing(v)}, s
		}
	}
	return best
}

// tier is the form of the policy for the history so far.
func (t *Track) tier() *policyTier { return t.prepared.tierAt(t.line.at, t.line.totalSteps) }
