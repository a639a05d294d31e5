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

	settled int // leading results that will never be cleared under this policy

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
	left  measures
	again bool

	slid bool // the entries from Insert to the end of what is taken go, and nothing else changes
}

// make plans with what memory there is from the plan before, which is lost. The
// policy is legal, adaptive tiers put in; said is what was changed for it.
func (b *planner) make(l *Line, p *model.Policy, o Options, said []Reason) *Plan {
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
	b.unworthy, b.low, b.high, b.taken, b.measured = Reason{}, 0, 0, taking{}, false
	pl.Line, pl.Manual, pl.settled, pl.Outcome, pl.Why = l, o.Manual, 0, "", Reason{}
	pl.Clauses, pl.Runs, pl.Warnings = pl.Clauses[:0], pl.Runs[:0], pl.Warnings[:0]
	pl.Taken, pl.Insert, pl.TailFrom, pl.Passes, pl.Budget = model.Range{}, -1, 0, 0, p.Budget
	pl.Removed, pl.ClearedN, pl.Summary = model.Size{}, 0, 0
	pl.Before, pl.After, pl.left, pl.again, pl.slid = model.Size{}, model.Size{}, measures{}, false, false
}

// planner holds the working state of one plan.
type planner struct {
	l    *Line
	p    *model.Policy
	o    Options
	plan *Plan

	gauges   []Gauge // the clauses of the policy
	leads    []int32 // entries that lead pinned groups, ascending
	members  []int   // entries of pinned groups, where the line does not keep them itself
	pins     []int   // entries of pinned groups, ascending, in system and tail too
	marked   []span  // entries that pins and rules protect, some of them twice
	movables []int32 // former summaries that may stand or go
	kept     []span  // protected entries outside system and tail, ascending
	clearing clearing
	cleared  []int32 // results that are cleared, ascending
	savings  []int64 // what clearing them frees, summed up
	unworthy Reason  // why nothing is cleared, by a policy that clears
	low      int     // first entry that may be taken
	high     int     // first entry of the recent tail
	taken    taking  // what the passes took
	told     int64   // tokens of the entries that have a run

	measured bool // left and again are what measuresAfter found for what is taken up to leftOf
	leftOf   int
	left     measures
	again    bool // a clause fires
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
		b.act()
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
	b.taken.to = b.low
	pl.TailFrom = b.high
	b.protect()
}

// act finds out what is to be done.
func (b *planner) act() {
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
		b.settle(len(b.cleared) > 0, b.unworthy)
		return
	}
	if !b.o.Manual && len(b.cleared) > 0 && b.satisfied(b.taken) {
		b.settle(true, Reason{})
		return
	}
	refused := b.nothing()
	for pl.Passes == 0 || !b.satisfied(b.taken) {
		t, ok, why := b.pass()
		if !ok {
			if pl.Passes == 0 {
				refused = why
			}
			break
		}
		b.taken = t
		pl.Passes++
	}
	b.settle(pl.Passes > 0 || len(b.cleared) > 0, refused)
}

func (b *planner) settle(acts bool, otherwise Reason) {
	b.plan.Outcome = WouldApply
	if !acts {
		b.plan.Outcome, b.plan.Why = WouldRefuse, otherwise
	}
}

func (b *planner) nothing() Reason {
	if b.high <= b.low {
		return Reason{Code: "nothing", N: int64(b.l.Len())}
	}
	return Reason{Code: "all-kept"}
}

// pass finds what the next pass takes: all before the largest legal cut within
// the batch; if that frees less than the minimum gain, before the smallest one
// beyond it that frees enough and lies before the tail. It gives false and the
// reason when there is none.
func (b *planner) pass() (taking, bool, Reason) {
	l := b.l
	if b.taken.to >= b.high {
		return taking{}, false, b.nothing()
	}
	last := l.CutBefore(b.high)
	if last <= b.taken.to {
		return taking{}, false, b.nothing()
	}
	to := last
	if b.p.Batch.N > 0 {
		if to = l.CutBefore(min(l.batchTo(b.taken.to, b.p.Batch), b.high)); to <= b.taken.to {
			to = l.CutAfter(b.taken.to + 1)
		}
	}
	t := b.taking(to)
	if ok, why := b.gains(t); ok {
		return t, true, Reason{}
	} else if to >= last {
		return taking{}, false, why
	}
	whole := b.taking(last)
	if ok, why := b.gains(whole); !ok { // a longer pass never frees less: when all is not enough, nothing is
		return taking{}, false, why
	}
	for to = l.CutAfter(to + 1); to < last; to = l.CutAfter(to + 1) {
		t = b.taking(to)
		if ok, _ := b.gains(t); ok {
			return t, true, Reason{}
		}
	}
	return whole, true, Reason{}
}

// gains reports whether taking more than is taken already frees the minimum
// gain.
func (b *planner) gains(t taking) (bool, Reason) {
	switch {
	case t.removed.Messages == 0:
		return false, b.nothing()
	case t.removed.Messages == t.formers.Messages: // summarising summaries again frees nothing for long
		return false, Reason{Code: "only-former"}
	}
	msgs := b.fewer(t) - b.fewer(b.taken)
	toks := b.worth(t) - b.worth(b.taken)
	if msgs < max(0, b.p.MinGain.Messages) || toks < max(1, int64(b.p.MinGain.Tokens)) {
		return false, Reason{Code: "gain", N: int64(msgs), M: toks}
	}
	return true, Reason{}
}

// fewer is how many messages less there are when so much is taken, former
// summaries not counted: that they could be merged is no reason to compact.
func (b *planner) fewer(t taking) int {
	n := t.removed.Messages - t.formers.Messages
	if n > 0 && t.formers.Messages == 0 && b.p.Strategy != model.Drop {
		n-- // the summary is a new message
	}
	return n
}

// worth is what taking so much frees, former summaries taken at their present
// size: that a summary could be written shorter a second time is no reason to
// compact.
func (b *planner) worth(t taking) int64 {
	fresh := t.removed.Tokens - t.formers.Tokens - t.saved
	return fresh - max(0, t.summary-t.formers.Tokens)
}
