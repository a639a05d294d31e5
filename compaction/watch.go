package compaction

import (
	"math"

	"palimpsest/model"
)

// Watch is a policy made ready to be looked at before every call of a history:
// brought to its legal form once, shares turned into tokens, a row of clauses
// for each adaptive tier. It is immutable.
type Watch struct {
	policy model.Policy
	said   []Reason
	tiers  []watchTier
	steps  bool // tiers go by steps, else by messages
	counts bool // a clause counts groups, steps or turns
}

type watchTier struct {
	upTo   int // length of the history
	policy *model.Policy
	gauges []Gauge
	slides bool
}

// NewWatch makes a policy ready.
func NewWatch(p model.Policy) *Watch {
	p, said := Normalise(p)
	w := &Watch{policy: p, said: said, steps: p.Tail.Unit == model.Steps}
	if !p.Adaptive {
		w.tiers = []watchTier{w.tier(math.MaxInt, p)}
		return w
	}
	for _, t := range tiers {
		w.tiers = append(w.tiers, w.tier(t.upTo, adapt(p, t.upTo)))
	}
	return w
}

func (w *Watch) tier(upTo int, p model.Policy) watchTier {
	t := watchTier{upTo: upTo, policy: &p, gauges: gaugesOf(nil, &p)}
	t.slides = slides(&p, t.gauges)
	for _, g := range t.gauges {
		w.counts = w.counts || g.Unit != model.Tokens && g.Unit != model.Messages
	}
	return t
}

// Policy is the policy in its legal form, with what had to be changed for it.
func (w *Watch) Policy() (model.Policy, []Reason) { return w.policy, w.said }

// Reason tells how far a clause was when the history had so many messages and
// steps.
func (w *Watch) Reason(n Nearest, messages, steps int) Reason {
	if n.Clause < 0 {
		return Reason{Code: "window-unknown"}
	}
	g := w.at(messages, steps).gauges[n.Clause]
	return g.reason(g.At - n.Missing)
}

// at is the tier for a history of so many messages and steps.
func (w *Watch) at(messages, steps int) *watchTier {
	length := messages
	if w.steps {
		length = steps
	}
	for i := range w.tiers {
		if length <= w.tiers[i].upTo {
			return &w.tiers[i]
		}
	}
	return &w.tiers[len(w.tiers)-1]
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
