package compaction

import (
	"palimpsest/model"
)

// Outcome is what a plan comes to.
type Outcome string

const (
	WouldApply  Outcome = "apply"         // it compacts
	WouldRefuse Outcome = "refuse"        // it fires, but nothing can or should be taken
	WouldWait   Outcome = "not-triggered" // automatic: no clause fires, or back-off
)

// Run is a run of entries of one fate and reason.
type Run struct {
	From, To int // entries of the line, half-open
	Fate     model.Fate
	Why      string // code of the reason
	Tokens   int64  // before
}

// Goes reports whether the messages of the run are summarised or dropped.
func (r *Run) Goes() bool { return r.Fate == model.Summarised || r.Fate == model.Dropped }

// Options of one plan.
type Options struct {
	// Manual skips the trigger and the back-off, nothing else.
	Manual bool
	// SummaryTokens is the size of the summary if it is known; 0: estimated from
	// the budget.
	SummaryTokens int
	// Wait is how many messages the history must still grow before an automatic
	// check may act again (the caller's back-off state).
	Wait int
}

// Plan is what a policy would do to a line now. It is immutable.
type Plan struct {
	Line   *Line
	Policy model.Policy // normalised, adaptive tiers put in
	Manual bool

	// Steps is the step history that the policy is on this line: the summary is its
	// whole layer. Zero: the policy is none, or the line holds no step records.
	Steps StepWindow

	uncleared int // leading results that this policy will never clear

	Outcome Outcome
	Why     Reason        // of the outcome
	Clauses []ClauseState // before

	Runs     []Run
	Taken    model.Range // entries whose unprotected members go; empty when none go
	Insert   int         // the summary goes before this entry; -1: none
	TailFrom int         // entry where the recent tail begins
	Passes   int

	// Budget is the most the summary may take: the policy's budget, or what the
	// layer of summaries has room for when former ones are merged into it.
	Budget model.Amount

	Removed  model.Size // messages that go
	ClearedN int        // results that are cleared
	Summary  int        // tokens of the summary, estimated until there is a text
	Before   model.Size // live messages and fixed part
	After    model.Size

	Warnings []Reason

	// Of a plan that applies: what the clauses measure afterwards, and whether one
	// of them still fires.
	left       measures
	stillFires bool

	bySlide bool // the entries from Insert to the end of what is taken go, and nothing else changes
}

// changed spans the entries from the first to the last one that the plan takes or
// clears; from -1: there are none.
func (p *Plan) changed() (from, to int) {
	from = -1
	for i := range p.Runs {
		if r := &p.Runs[i]; r.Goes() || r.Fate == model.Cleared {
			if from < 0 {
				from = r.From
			}
			to = r.To
		}
	}
	return from, to
}
