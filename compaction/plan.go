package compaction

import (
	"slices"

	"palimpsest/model"
)

// Outcome of a plan.
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

	uncleared int // leading results that will never be cleared under this policy

	Outcome Outcome
	Why     Reason        // of the outcome
	Clauses []ClauseState // before

	Runs     []Run
	Taken    model.Range // entries whose unprotected members go; empty when none go
	Insert   int         // the summary stands before this entry; -1: none
	TailFrom int         // entry where the recent tail begins
	Passes   int

	// Budget is the most the summary may take: the policy's budget, or what the
	// layer of summaries has room for when former ones are merged into it.
	Budget model.Amount

	Removed  model.Size // messages that go
	ClearedN int        // results that are cleared
	Summary  int        // tokens the summary is taken for
	Before   model.Size // live messages and fixed part
	After    model.Size

	Warnings []Reason

	// Of a plan that applies: what the clauses are compared with afterwards, and
	// whether one of them still fires.
	left       measures
	stillFires bool

	bySlide bool // the entries from Insert to the end of what is taken go, and nothing else changes
}

// planLine plans with what memory there is from the plan before, which is lost. The
// policy is legal, adaptive tiers put in; said is what was changed for it.
func (b *planner) planLine(l *Line, p *model.Policy, o Options, said []Reason) *Plan {
	b.begin(l, p, o)
	b.plan.Warnings = append(b.plan.Warnings, said...)
	b.run()
	return b.plan
}

// begin forgets the plan before. The policy is copied only when it is another
// one: it is the largest part of a plan, and a replay makes plans by the thousand.
func (b *planner) begin(l *Line, p *model.Policy, o Options) {
	pl := b.plan
	if b.p != p {
		b.p, pl.Policy = p, *p
	}
	b.l, b.o = l, o
	b.pins, b.marked, b.kept, b.cleared, b.savings = nil, b.marked[:0], b.kept[:0], nil, nil
	b.notCleared, b.low, b.high, b.removed, b.measured = Reason{}, 0, 0, removal{}, false
	pl.Line, pl.Manual, pl.uncleared, pl.Outcome, pl.Why = l, o.Manual, 0, "", Reason{}
	pl.Clauses, pl.Runs, pl.Warnings = pl.Clauses[:0], pl.Runs[:0], pl.Warnings[:0]
	pl.Taken, pl.Insert, pl.TailFrom, pl.Passes, pl.Budget = model.Range{}, -1, 0, 0, p.Budget
	pl.Removed, pl.ClearedN, pl.Summary = model.Size{}, 0, 0
	pl.Before, pl.After, pl.left, pl.stillFires, pl.bySlide = model.Size{}, model.Size{}, measures{}, false, false
}

// planner holds the working state of one plan.
type planner struct {
	l    *Line
	p    *model.Policy
	o    Options
	plan *Plan

	gauges     []Gauge // the clauses of the policy
	leads      []int32 // entries that lead pinned groups, ascending
	pinMembers []int   // entries of pinned groups, where the line does not keep them itself
	pins       []int   // entries of pinned groups, ascending, in system and tail too
	marked     []span  // entries that pins and rules protect, some of them twice
	movable    []int32 // former summaries that may stand or go
	kept       []span  // protected entries outside system and tail, ascending
	clearing   clearing
	cleared    []int32 // results that are cleared, ascending
	savings    []int64 // what clearing them frees, summed up
	notCleared Reason  // why nothing is cleared, by a policy that clears
	low        int     // first entry that may be taken
	high       int     // first entry of the recent tail
	removed    removal // what the passes took
	runTokens  int64   // tokens of the entries that have a run

	measured   bool // left and again are what measuresAfter found for what is taken up to leftOf
	leftOf     int
	left       measures
	stillFires bool // a clause fires
}

// span is a protected run of entries.
type span struct {
	from, to int
	fate     model.Fate
	code     string
}

func (b *planner) run() {
	b.plan.Clauses = b.l.clauseStates(b.plan.Clauses, b.p.Triggers, b.gauges)
	b.survey()
	if b.decide() {
		b.choose()
	}
	b.fates()
	b.warn()
}

// survey finds what may be taken and what is protected in it.
func (b *planner) survey() {
	l, pl := b.l, b.plan
	pl.Before = l.Usage()
	b.low = l.system
	b.high = max(l.tailFrom(b.p.Tail), l.system)
	b.removed.to = b.low
	pl.TailFrom = b.high
	b.protect()
}

// choose finds out what is to be done.
func (b *planner) choose() {
	b.clear()
	b.passes()
}

// decide settles whether the policy acts at all.
func (b *planner) decide() bool {
	pl := b.plan
	if b.o.Manual {
		pl.Why = Reason{Code: "manual"}
		return true
	}
	if !slices.ContainsFunc(pl.Clauses, func(c ClauseState) bool { return c.Fires }) {
		pl.Outcome, pl.Why = WouldWait, Reason{Code: "not-triggered"}
		return false
	}
	if b.o.Wait > 0 {
		pl.Outcome, pl.Why = WouldWait, Reason{Code: "back-off", N: int64(b.o.Wait)}
		return false
	}
	pl.Why = Reason{Code: "fires"}
	return true
}

// passes extends what is taken until no clause fires and the target is met.
func (b *planner) passes() {
	pl := b.plan
	if b.p.Strategy == model.ClearOnly {
		b.conclude(len(b.cleared) > 0, b.notCleared)
		return
	}
	if !b.o.Manual && len(b.cleared) > 0 && b.satisfied(b.removed) {
		b.conclude(true, Reason{})
		return
	}
	refused := b.nothingLeft()
	for pl.Passes == 0 || !b.satisfied(b.removed) {
		t, ok, why := b.pass()
		if !ok {
			if pl.Passes == 0 {
				refused = why
			}
			break
		}
		b.removed = t
		pl.Passes++
	}
	b.conclude(pl.Passes > 0 || len(b.cleared) > 0, refused)
}

func (b *planner) conclude(acts bool, otherwise Reason) {
	b.plan.Outcome = WouldApply
	if !acts {
		b.plan.Outcome, b.plan.Why = WouldRefuse, otherwise
	}
}

func (b *planner) nothingLeft() Reason {
	if b.high <= b.low {
		return Reason{Code: "nothing", N: int64(b.l.Len())}
	}
	return Reason{Code: "all-kept"}
}

// pass finds what the next pass takes: all before the largest legal cut within
// the batch; if that frees less than the minimum gain, before the smallest one
// beyond it that frees enough and lies before the tail. It gives false and the
// reason when there is none.
func (b *planner) pass() (removal, bool, Reason) {
	l := b.l
	if b.removed.to >= b.high {
		return removal{}, false, b.nothingLeft()
	}
	last := l.CutBefore(b.high)
	if last <= b.removed.to {
		return removal{}, false, b.nothingLeft()
	}
	to := last
	if b.p.Batch.N > 0 {
		if to = l.CutBefore(min(l.batchTo(b.removed.to, b.p.Batch), b.high)); to <= b.removed.to {
			to = l.CutAfter(b.removed.to + 1)
		}
	}
	t := b.removal(to)
	if ok, why := b.gainsEnough(t); ok {
		return t, true, Reason{}
	} else if to >= last {
		return removal{}, false, why
	}
	whole := b.removal(last)
	if ok, why := b.gainsEnough(whole); !ok { // a longer pass never frees less: when all is not enough, nothing is
		return removal{}, false, why
	}
	for to = l.CutAfter(to + 1); to < last; to = l.CutAfter(to + 1) {
		t = b.removal(to)
		if ok, _ := b.gainsEnough(t); ok {
			return t, true, Reason{}
		}
	}
	return whole, true, Reason{}
}

// gainsEnough reports whether taking more than is taken already frees the minimum
// gain.
func (b *planner) gainsEnough(t removal) (bool, Reason) {
	switch {
	case t.removed.Messages == 0:
		return false, b.nothingLeft()
	case t.removed.Messages == t.formers.Messages: // summarising summaries again frees nothing for long
		return false, Reason{Code: "only-former"}
	}
	msgs := b.messagesFreed(t) - b.messagesFreed(b.removed)
	toks := b.tokensFreed(t) - b.tokensFreed(b.removed)
	if msgs < max(0, b.p.MinGain.Messages) || toks < max(1, int64(b.p.MinGain.Tokens)) {
		return false, Reason{Code: "gain", N: int64(msgs), M: toks}
	}
	return true, Reason{}
}

// messagesFreed is how many messages less there are when so much is taken, former
// summaries not counted: that they could be merged is no reason to compact.
func (b *planner) messagesFreed(t removal) int {
	n := t.removed.Messages - t.formers.Messages
	if n > 0 && t.formers.Messages == 0 && b.p.Strategy != model.Drop {
		n-- // the summary is a new message
	}
	return n
}

// tokensFreed is what taking so much frees, former summaries taken at their present
// size: that a summary could be written shorter a second time is no reason to
// compact.
func (b *planner) tokensFreed(t removal) int64 {
	fresh := t.removed.Tokens - t.formers.Tokens - t.saved
	return fresh - max(0, t.summary-t.formers.Tokens)
}
