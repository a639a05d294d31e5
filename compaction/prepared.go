package compaction

import (
	"math"
	"slices"

	"palimpsest/model"
)

// PreparedPolicy is a policy made ready for a check before every call of a
// history: normalised once, shares turned into tokens, one form for each adaptive
// tier. It is immutable.
type PreparedPolicy struct {
	policy  model.Policy
	changes []Reason
	tiers   []policyTier // one, if the policy is not adaptive
	bySteps bool         // tiers depend on the steps of the history, else on its messages
	steps   StepWindow   // zero: the policy is no step history
}

// policyTier is the form of a policy for histories up to a length.
type policyTier struct {
	upTo   int // length of the history
	policy *model.Policy
	gauges []Gauge
}

// Prepare makes a policy ready.
func Prepare(p model.Policy) *PreparedPolicy {
	p, changes := Normalise(p)
	w := &PreparedPolicy{policy: p, changes: changes, bySteps: p.Tail.Unit == model.Steps}
	w.steps, _ = StepWindowOf(&p)
	if !p.Adaptive {
		w.tiers = []policyTier{w.tier(math.MaxInt, p)}
		return w
	}
	for _, t := range tiers {
		w.tiers = append(w.tiers, w.tier(t.upTo, adapt(p, t.upTo)))
	}
	return w
}

func (w *PreparedPolicy) tier(upTo int, p model.Policy) policyTier {
	spread(&p)
	return policyTier{upTo: upTo, policy: &p, gauges: gaugesOf(nil, &p)}
}

// Policy is the policy in its legal form, with what had to be changed for it.
func (w *PreparedPolicy) Policy() (model.Policy, []Reason) { return w.policy, w.changes }

// Reason says how far a clause was from firing when the history had so many
// messages and steps.
func (w *PreparedPolicy) Reason(n Nearest, messages, steps int) Reason {
	if n.Clause < 0 {
		return Reason{Code: "window-unknown"}
	}
	g := w.tierAt(messages, steps).gauges[n.Clause]
	return g.reason(g.At - n.Missing)
}

// tierAt is the tier for a history of so many messages and steps.
func (w *PreparedPolicy) tierAt(messages, steps int) *policyTier {
	length := messages
	if w.bySteps {
		length = steps
	}
	return &w.tiers[slices.IndexFunc(w.tiers, func(t policyTier) bool { return length <= t.upTo })]
}
