package compaction

import (
	"math"
	"math/bits"
	"sort"

	"palimpsest/model"
)

// An automatic check has to leave a list that can be sent and does not fire again
// at once. Where the recent tail alone is too large for that, it is shortened, at
// most down to one group, before anything would have to be left out unsummarised
// (spec F59):
//
//	S  #  │ u a u a u a u a u a    the tail of the policy: above the trigger, whatever goes
//	S  #         │ u a u a u       half of it: below it, but the next message fires again
//	S  #                │ u a      a quarter: there is room to go on
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

// PlanToFit is [Planner.Plan] for an automatic check. It takes the tail of the
// policy as it is if that leaves a list that can be sent and fires no clause in
// tokens; else the longest part of it, by halves, that does; else, if the list
// can't be sent as it is, the one that leaves the shortest list. While a list can
// be sent, one that lies in the tail as a whole is left as it is; one that can't
// is compacted whether or not a clause fires, for any gain.
func (x *Planner) PlanToFit(l *Line, p model.Policy, o Options, m Limits) *Plan {
	p, o = x.toFit(l, p, o, m)
	return x.Plan(l, p, o).overLimit(m)
}

// overLimit says that the plan applies because its list can't be sent, where that is so.
func (p *Plan) overLimit(m Limits) *Plan {
	if p.Outcome == WouldApply && m.Exceeded(p.Before) {
		p.Why = Reason{Code: "over-limit", N: p.Before.Tokens, M: m.Tokens}
	}
	return p
}

// toFit is the policy that PlanToFit plans with.
func (x *Planner) toFit(l *Line, p model.Policy, o Options, m Limits) (model.Policy, Options) {
	set := p
	p, steps := x.inForce(l, p)
	over := m.Exceeded(l.Usage())
	if steps && !over { // its window is in steps, whatever they take
		return set, o
	}
	if over {
		o.Manual = true
		p.MinGain = model.Gain{Tokens: 1}
	}
	after, applies := x.leaves(l, &p, o)
	if applies && !firesByTokens(&x.policy, after) && !m.Exceeded(after) || !applies && !over {
		return p, o
	}
	if p.Target == 0 && over {
		p.Target = int(m.Tokens)
	}
	if p.Tail.N > 1 {
		p.Tail.N = x.tailToFit(l, p, o, m, over)
	}
	return p, o
}

// inForce is the legal policy for a line, its adaptive tier put in. A step history is
// in the terms of the others.
func (x *Planner) inForce(l *Line, p model.Policy) (_ model.Policy, steps bool) {
	x.policy = p
	if !x.legal {
		normalise(&x.policy)
	}
	w := l.adapted(&x.policy)
	if steps = w != (StepWindow{}); steps {
		x.policy = w.slide(x.policy, l.totalSteps)
	}
	x.policy.Adaptive = false
	return x.policy, steps
}

// tailToFit is the longest tail below the policy's own that will do; the
// policy's own, if none helps.
func (x *Planner) tailToFit(l *Line, p model.Policy, o Options, m Limits, over bool) int {
	var memory [4]int64
	goals := goalsToFit(memory[:0], &p, m, over)
	type try struct {
		tail  int
		after model.Size
	}
	var room [bits.UintSize]try
	tries := room[:0] // of plans that apply, the longest tail first
	does := func(t try, goal int64) bool { return t.after.Tokens <= goal && !m.Exceeded(t.after) }
	q := p
	leaves := func(tail int) (model.Size, bool) {
		q.Tail.N = tail
		return x.leaves(l, &q, o)
	}
	if p.Strategy == model.ClearOnly && len(goals) > 0 { // the shorter the tail, the more is cleared
		after, ok := leaves(1)
		switch least := (try{1, after}); {
		case !ok || !over && !does(least, goals[len(goals)-1]):
			return p.Tail.N
		case !does(least, goals[len(goals)-1]):
			return 1
		default:
			for !does(least, goals[0]) { // nor does any other
				goals = goals[1:]
			}
		}
	}
	for n := p.Tail.N / 2; n > 0 && len(goals) > 0; n /= 2 {
		if after, ok := leaves(n); ok {
			t := try{n, after}
			if tries = append(tries, t); does(t, goals[0]) {
				return n
			}
		}
	}
	for _, goal := range goals {
		for _, t := range tries {
			if does(t, goal) {
				return t.tail
			}
		}
	}
	if over && len(tries) > 0 {
		return tries[len(tries)-1].tail
	}
	return p.Tail.N
}

// goalsToFit appends the sizes that a shorter tail should leave, the best first; none
// where no tail has to be shorter.
func goalsToFit(goals []int64, p *model.Policy, m Limits, over bool) []int64 {
	if at, _ := tokenTrigger(p); at > 0 {
		goals = append(goals, at-1-m.Growth, at-1)
	}
	if over && m.Tokens > 0 {
		goals = append(goals, m.Tokens-m.Growth, m.Tokens)
	}
	if over && len(goals) == 0 { // messages alone are too many
		goals = append(goals, math.MaxInt64)
	}
	return goals
}

// firesByTokens reports whether a list of a size still reaches a clause in tokens.
func firesByTokens(p *model.Policy, s model.Size) bool {
	at, _ := tokenTrigger(p)
	return at > 0 && s.Tokens >= at
}

// DropToFit leaves out the oldest messages of a list that can't be sent and of
// which no summary can be made: everything before the tail, and as much more as
// must go, down to the last group. Former summaries and what is protected stay. A
// plan that does not apply says that nothing helps.
func (x *Planner) DropToFit(l *Line, p model.Policy, m Limits) *Plan {
	p, _ = x.inForce(l, p)
	p.Strategy, p.Former, p.Batch = model.Drop, model.LayerFormer, model.Amount{Unit: model.Messages}
	p.MinGain, p.Clear, p.Target = model.Gain{Tokens: 1}, model.Clearing{}, 0
	most := max(1, l.Len()-l.tailFrom(p.Tail))
	shorter := func(k int) *model.Policy {
		p.Tail = model.Amount{N: most - k, Unit: model.Messages}
		return &p
	}
	n := sort.Search(most, func(k int) bool {
		after, ok := x.leaves(l, shorter(k), Options{Manual: true})
		return ok && !m.Exceeded(after)
	})
	pl := x.Plan(l, *shorter(min(n, most-1)), Options{Manual: true})
	pl.Why = Reason{Code: "over-limit", N: l.Usage().Tokens, M: m.Tokens}
	if n == most {
		pl.Outcome = WouldRefuse
	}
	return pl
}
