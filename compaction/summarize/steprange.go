package summarize

// StepRange is a range of step numbers, both ends in it.
type StepRange struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Include widens the range by step n.
func (r StepRange) Include(n int) StepRange {
	return StepRange{min(r.From, n), max(r.To, n)}
}

// Omitted announces that the steps of a range are not told,
// "[steps 1-9 omitted]".
func (r StepRange) Omitted(l Lang) string { return wordsOf(l).stepsGone(r.From, r.To) }
