package compaction

import (
	"math"
	"sort"

	"palimpsest/model"
)

// An automatic check has to leave a list that can be sent. Where the recent tail alone
// is too large for that, it is shortened by what is needed, at most down to one group,
// before anything would have to be left out unsummarised:
//
//	S  #  │ u a u a u a u a u a    the tail of the policy: the list can't be sent, whatever goes
//	S  #      │ u a u a u a u a    it can, but a clause fires again at once
//	S  #          │ u a u a u a    none fires: the next messages have room
//	S  #                     │ a   one group: the least

// Limits is what a request may hold, and how much a list should be able to grow
// before the next check that acts.
type Limits struct {
	Tokens   int64 // 0: unknown
	Messages int   // 0: any number
	Growth   int64 // tokens
}

// Exceeded reports whether a list is too large to be sent.
func (m Limits) Exceeded(s model.Size) bool {
	return m.Tokens > 0 && s.Tokens > m.Tokens || m.Messages > 0 && s.Messages > m.Messages
}

// PlanToFit is [Planner.Plan] for an automatic check. While a list can be sent, or can
// be with the tail of the policy as it is, that is the plan. Else the tail is shortened
// by what is needed: so that no clause in tokens fires, if that can be, or so that the
// list can be sent, or to the least. A list that can't be sent is compacted whether or
// not a clause fires, for any gain.
func (b *Planner) PlanToFit(l *Line, p model.Policy, o Options, m Limits) *Plan {
	p, o = b.toFit(l, p, o, m)
	return b.Plan(l, p, o).overLimit(m)
}

// overLimit says that the plan applies because its list can't be sent, where that is so.
func (p *Plan) overLimit(m Limits) *Plan {
	if p.Outcome == WouldApply && m.Exceeded(p.Before) {
		p.Why = Reason{Code: "over-limit", N: p.Before.Tokens, M: m.Tokens}
	}
	return p
}

// toFit is the policy that PlanToFit plans with.
func (b *Planner) toFit(l *Line, p model.Policy, o Options, m Limits) (model.Policy, Options) {
	if !m.Exceeded(l.Usage()) {
		return p, o
	}
	p = b.inForce(l, p)
	o.Manual, p.MinGain = true, model.Gain{Tokens: 1}
	if after, applies := b.leaves(l, &p, o); applies && !m.Exceeded(after) {
		return p, o
	}
	if p.Target == 0 {
		p.Target = int(m.Tokens)
	}
	if p.Tail.N > 1 {
		p.Tail.N = b.tailToFit(l, p, o, m)
	}
	return p, o
}

// inForce is the legal policy for a line, its adaptive tier put in. A step history is
// in the terms of the others.
func (b *Planner) inForce(l *Line, p model.Policy) model.Policy {
	b.policy = p
	if !b.legal {
		normalise(&b.policy)
	}
	if steps := l.adapted(&b.policy); steps != (StepWindow{}) {
		b.policy = steps.slide(b.policy, l)
	}
	b.policy.Adaptive = false
	return b.policy
}

// tailToFit is the longest tail below the policy's own with which the list can be sent
// and, if that can be, is as small as a clause asks; the least where no tail helps.
func (b *Planner) tailToFit(l *Line, p model.Policy, o Options, m Limits) int {
	var memory [5]int64
	longest := p.Tail.N - 1
	leaves := func(shorter int) (model.Size, bool) {
		p.Tail.N = longest - shorter
		return b.leaves(l, &p, o)
	}
	for _, goal := range goalsToFit(memory[:0], &p, m) {
		n := sort.Search(longest, func(shorter int) bool {
			after, ok := leaves(shorter)
			return ok && after.Tokens <= goal && !m.Exceeded(after)
		})
		if n < longest {
			return longest - n
		}
	}
	if _, ok := leaves(longest - 1); ok {
		return 1
	}
	return longest + 1
}

// goalsToFit appends the sizes that a shorter tail should leave, the best first.
func goalsToFit(goals []int64, p *model.Policy, m Limits) []int64 {
	if at := int64(LowestTrigger(p)); at > 0 {
		goals = append(goals, at-1-m.Growth, at-1)
	}
	if m.Tokens > 0 {
		goals = append(goals, m.Tokens-m.Growth, m.Tokens)
	}
	return append(goals, math.MaxInt64) // messages alone are too many
}

// DropToFit leaves out the oldest messages of a list that can't be sent and of
// which no summary can be made: everything before the tail, and as much more as
// must go, down to the last group. Former summaries and what is protected stay. A
// plan that does not apply says that nothing helps.
func (b *Planner) DropToFit(l *Line, p model.Policy, m Limits) *Plan {
	p = b.inForce(l, p)
	p.Strategy, p.Former, p.Batch = model.Drop, model.LayerFormer, model.Amount{Unit: model.Messages}
	p.MinGain, p.Clear, p.Target = model.Gain{Tokens: 1}, model.Clearing{}, 0
	most := max(1, l.Len()-l.tailFrom(p.Tail))
	shorter := func(k int) *model.Policy {
		p.Tail = model.Amount{N: most - k, Unit: model.Messages}
		return &p
	}
	n := sort.Search(most, func(k int) bool {
		after, ok := b.leaves(l, shorter(k), Options{Manual: true})
		return ok && !m.Exceeded(after)
	})
	pl := b.Plan(l, *shorter(min(n, most-1)), Options{Manual: true})
	pl.Why = Reason{Code: "over-limit", N: l.Usage().Tokens, M: m.Tokens}
	if n == most {
		pl.Outcome = WouldRefuse
	}
	return pl
}
