package facts

// Score says how much a ledger wants a fact that a change takes away.
type Score struct {
	// Of prepares the scoring of one change.
	Of func(x *Index, c Change) func(ID) float64
	// Chances says that scores are chances of being needed: a ledger then goes
	// by chance per token, which fills a budget with most needs. Other scores are
	// an order.
	Chances bool

	forest func() *Forest // whose chances they are; nil: of no forest
}

// Likely is the score that the ledger uses: the chance that the agent needs a
// fact before the next firing, as learned from sessions that are over.
var Likely = scoreOf(Fitted)

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
