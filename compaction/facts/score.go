package facts

import "math"

// Score says how much a ledger wants a fact that a change takes away.
type Score struct {
	// Of prepares the scoring of one change.
	Of func(x *Index, c Change) func(ID) float64
	// Chances says that scores are chances of being needed: a ledger then goes
	// by chance per token, which fills a budget with most needs. Other scores are
	// an order.
	Chances bool
}

// Likely is the score that the ledger uses: the chance that the agent needs a
// fact before the next firing, by the fitted weights.
var Likely = Fitted.Score()

// ByWeight is the pilot's mixed score, see [Index.Weight].
var ByWeight = Score{Of: func(x *Index, c Change) func(ID) float64 {
	return func(id ID) float64 { return x.Weight(id, c.At) }
}}

// ByRecency prefers what occurred last.
var ByRecency = Score{Of: func(x *Index, c Change) func(ID) float64 {
	return func(id ID) float64 { return float64(x.lastBefore(id, c.At)) }
}}

// ByFrequency prefers what occurred in most messages.
var ByFrequency = Score{Of: func(x *Index, c Change) func(ID) float64 {
	return func(id ID) float64 {
		end, _ := x.between(id, c.At, c.At+1)
		return float64(end - x.starts[id])
	}
}}

// Weights are a logistic model: the chance is 1 / (1 + e^−z) with
// z = Base + Σ weight · feature.
type Weights struct {
	Base     float64
	Features Evidence
}

// Chance is how likely the agent is to need a fact.
func (w *Weights) Chance(e *Evidence) float64 {
	z := w.Base
	for i := range e {
		z += w.Features[i] * e[i]
	}
	return 1 / (1 + math.Exp(-z))
}

// Score makes a score of weights.
func (w Weights) Score() Score {
	return Score{Chances: true, Of: func(x *Index, c Change) func(ID) float64 {
		o := x.outlook(&c)
		return func(id ID) float64 {
			e := o.evidence(id)
			return w.Chance(&e)
		}
	}}
}
