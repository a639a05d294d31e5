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

	Outcome Outcome
	Why     Reason        // of the outcome
	Clauses []ClauseState // before

	Runs     Runs
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
}

// changed spans the entries from the first to the last one that the plan takes or
// clears; from -1: there are none.
func (p *Plan) changed() (from, to int) {
	from = -1
	for r := range p.Runs.spans() {
		if goes(r.fate) || r.fate == model.Cleared {
			if from < 0 {
				from = r.from
			}
			to = r.to
		}
	}
	return from, to
}

// Covered is the range of history positions that the plan takes messages from; empty
// when it takes none.
func (p *Plan) Covered() (r model.Range) {
	p.Takes(func(i int) {
		if h := p.Line.History(i); h >= 0 && r.To == 0 {
			r = model.Range{From: h, To: h + 1}
		} else if h >= 0 {
			r.To = h + 1
		}
	})
	return r
}

// Formers counts the former summaries that the plan takes: entries that the history does
// not hold and that are no copies of its messages.
func (p *Plan) Formers() (n int) {
	p.Takes(func(i int) {
		if p.Line.hist[i] < 0 && !p.Line.Copy(i) {
			n++
		}
	})
	return n
}

// SentAgain is the first of the entries [0, sent), which a request held, that the
// plan changes, and the tokens of those behind it that stay: a prompt cache does not
// hold them any more. -1: it changes none.
func (p *Plan) SentAgain(sent int) (first int, tokens int64) {
	first, _ = p.changed()
	if first < 0 || first >= sent {
		return -1, 0
	}
	for r := range p.Runs.spans() {
		if r.from >= sent {
			break
		}
		if r.from > first && !goes(r.fate) && r.fate != model.Cleared {
			tokens += p.Line.Span(r.from, min(r.to, sent))
		}
	}
	return first, tokens
}
