package compaction

import (
	"slices"

	"palimpsest/model"
)

// Plan is [Line.Plan], which the next one overwrites.
func (b *Planner) Plan(l *Line, p model.Policy, o Options) *Plan {
	b.policy = p
	var changes []Reason
	if !b.legal {
		changes = normalise(&b.policy)
	}
	b.steps, b.p = l.adapted(&b.policy), nil
	b.clearing.reset()
	b.begin(l, &b.policy, gaugesOf(b.gauges[:0], &b.policy), o)
	b.plan.Warnings = append(b.plan.Warnings, changes...)
	return b.run()
}

// Plan gives each entry its fate under the policy.
func (l *Line) Plan(p model.Policy, o Options) *Plan { return new(Planner).Plan(l, p, o) }

// adapted puts the line's tier into a legal policy, and returns the policy's step
// history; zero: there is none.
func (l *Line) adapted(p *model.Policy) (steps StepWindow) {
	if l.records {
		steps, _ = StepWindowOf(p)
	}
	*p = l.Tiered(*p)
	if steps == (StepWindow{}) {
		spread(p)
	}
	return steps
}

// Tiered is a policy with the window and the batch that are in force for the line:
// those of its tier where it is adaptive.
func (l *Line) Tiered(p model.Policy) model.Policy {
	if !p.Adaptive {
		return p
	}
	length := l.at
	if p.Tail.Unit == model.Steps {
		length = l.totalSteps
	}
	return adapt(p, length)
}

// leaves is the size that a plan leaves; false: it does not apply.
func (b *Planner) leaves(l *Line, p *model.Policy, o Options) (model.Size, bool) {
	pl := b.Plan(l, *p, o)
	return pl.After, pl.Outcome == WouldApply
}

// Planner makes one plan after the other in the same memory: once that has grown,
// planning allocates nothing. It belongs to one goroutine. The zero value is ready.
type Planner struct {
	l      *Line
	p      *model.Policy
	o      Options
	plan   *Plan
	policy model.Policy // of [Planner.Plan], made legal
	legal  bool         // so are all policies that it gets

	steps StepWindow   // the policy is a step history; zero: it is none
	slid  model.Policy // then it in the terms of the others

	gauges     []Gauge // the clauses of the policy
	leads      []int32 // entries that lead pinned groups, ascending
	pinMembers []int   // memory of pins, where the line does not keep them
	pins       []int   // entries of pinned groups, ascending, in system and tail too
	opened     []int32 // compactions that only their provider can read, and that the policy lets go
	marked     []span  // entries that pins and rules protect, some of them twice
	movable    []int32 // former summaries that a new one may take in
	kept       []span  // protected entries outside system and tail, ascending
	clearing   clearing
	cleared    []int32 // results that are cleared, ascending
	savings    []int64 // what clearing them frees, summed up
	notCleared Reason  // why nothing is cleared, by a policy that clears
	low        int     // first entry that may be taken
	high       int     // first entry of the recent tail
	removed    removal // what the passes took
}

// span is a run of entries.
type span struct {
	from, to int
	fate     model.Fate
	why      runReason
}

// begin starts another plan in the memory of the one before. The policy is legal,
// adaptive tiers put in; the plan shows it as it is, also that of a step history. It is
// copied only when it is another one: it is the largest part of a plan, and a replay
// makes plans by the thousand.
func (b *Planner) begin(l *Line, p *model.Policy, gauges []Gauge, o Options) {
	if b.plan == nil {
		b.plan = new(Plan)
	}
	pl := b.plan
	if b.steps != (StepWindow{}) {
		pl.Policy, b.slid = *p, b.steps.slide(*p, l)
		p = &b.slid
	} else if b.p != p {
		pl.Policy = *p
	}
	b.p = p
	b.l, b.gauges, b.o = l, gauges, o
	b.pins, b.opened, b.marked, b.kept, b.cleared, b.savings = nil, b.opened[:0], b.marked[:0], b.kept[:0], nil, nil
	b.low, b.high = 0, 0
	b.notCleared = Reason{} // each by itself: a list of structs is put together first, and then copied
	b.removed = removal{}
	pl.Steps = b.steps
	pl.Line, pl.Manual, pl.Outcome, pl.Why = l, o.Manual, "", Reason{}
	pl.Runs.ends, pl.Runs.line = pl.Runs.ends[:0], l
	pl.Clauses, pl.Warnings = pl.Clauses[:0], pl.Warnings[:0]
	pl.Taken, pl.Insert, pl.TailFrom, pl.Passes, pl.Budget = model.Range{}, -1, 0, 0, p.BudgetInForce()
	pl.Removed, pl.ClearedN, pl.Summary = model.Size{}, 0, 0
	pl.Before, pl.After, pl.stillFires = model.Size{}, model.Size{}, false
	pl.left = measures{}
}

// run makes the plan.
func (b *Planner) run() *Plan {
	b.plan.Clauses = b.l.clauseStates(b.plan.Clauses, b.p.Triggers, b.gauges)
	b.survey()
	if b.decide() {
		b.choose()
	}
	b.fates()
	b.warn()
	return b.plan
}

// survey finds what may be taken and what of it is protected.
func (b *Planner) survey() {
	l, pl := b.l, b.plan
	pl.Before = l.Usage()
	b.low = l.system
	b.high = max(l.tailFrom(b.p.TailInForce()), l.system)
	b.removed.to = b.low
	pl.TailFrom = b.high
	b.protect()
}

// choose finds out what goes: what is cleared, then what the passes take.
func (b *Planner) choose() {
	b.clear()
	b.passes()
}

// decide reports whether the policy acts at all, and notes why.
func (b *Planner) decide() bool {
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
