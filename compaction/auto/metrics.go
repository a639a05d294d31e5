package auto

import (
	"time"
)

// Metrics counts what a [Compactor] did.
type Metrics struct {
	Triggers  int // decisions to compact, automatic and manual
	Asked     int // questions to the summary model
	Succeeded int // answers that were applied or could have been
	Failed    int // questions without a usable answer
	Cached    int // summaries taken from an earlier answer to the same question, without asking
	Applied   int // compactions of the list
	Refused   int // summaries not applied: not smaller, or the list had changed
	Instead   int // summaries made without the model after it failed

	Truncations int // at a hard limit
	Truncated   int // messages that went in them
	Shortened   int // tool results
	Rejected    int // calls that did not fit

	SummaryTime time.Duration // of all questions

	// Of the compactions of the list, summed up.
	MessagesBefore, MessagesAfter int
	TokensBefore, TokensAfter     int64
}

// SuccessRate is the share of questions that got a usable answer; 0 when none
// was asked.
func (m Metrics) SuccessRate() float64 {
	if m.Asked == 0 {
		return 0
	}
	return float64(m.Succeeded) / float64(m.Asked)
}
