package model

import "time"

// Metrics are what a set of records comes to: rates, durations, what
// was saved, failures. They are added up in one place, for window and verbs.
type Metrics struct {
	Tally
	Restores int // of the records that switch others off; they are no compactions

	// By strategy and by the model that was asked, in the order of their names.
	By []MetricsRow
}

// MetricsRow is a part of the metrics.
type MetricsRow struct {
	Strategy Strategy
	Model    string // "": none
	Tally
}

// Tally counts compactions and what came of them.
type Tally struct {
	Compactions int // that were tried
	Applied     int
	Refused     int
	Failed      int
	Cancelled   int

	// Of those that were applied and not undone, each range of messages once.
	Messages      int64 // that went, without former summaries
	Before, After int64 // tokens

	Time    time.Duration // of all of them
	Longest time.Duration
}

// Add adds another tally.
func (t *Tally) Add(o Tally) {
	t.Compactions += o.Compactions
	t.Applied += o.Applied
	t.Refused += o.Refused
	t.Failed += o.Failed
	t.Cancelled += o.Cancelled
	t.Messages += o.Messages
	t.Before += o.Before
	t.After += o.After
	t.Time += o.Time
	t.Longest = max(t.Longest, o.Longest)
}

// SuccessRate is the share of the tries that were applied, of those that were not
// refused or cancelled: a refusal is a decision. 0: nothing was tried.
func (t *Tally) SuccessRate() float64 {
	if t.Applied+t.Failed == 0 {
		return 0
	}
	return float64(t.Applied) / float64(t.Applied+t.Failed)
}

// Saved is how many tokens went.
func (t *Tally) Saved() int64 { return t.Before - t.After }

// SavedShare is the share that went of the tokens before; 0: there were none.
func (t *Tally) SavedShare() float64 {
	if t.Before == 0 {
		return 0
	}
	return float64(t.Saved()) / float64(t.Before)
}

// MeanTime is how long a compaction took.
func (t *Tally) MeanTime() time.Duration { return t.Time / time.Duration(max(1, t.Compactions)) }
