package compaction

import (
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
	over := m.Exceeded(l.Usage())
	if over {
		o.Manual = true
		p.MinGain = model.Gain{Tokens: 1}
	}
	pl := x.Plan(l, p, o)
	if !over && (pl.Outcome != WouldApply || !pl.firesByTokens()) {
		return pl
	}
	if pl.Outcome == WouldApply && !pl.firesByTokens() && !m.Exceeded(pl.After) {
		pl.Why = hardLimit(l, m, pl.Why)
		return pl
	}
	p = pl.Policy // legal, with the tier in force
	p.Adaptive = false
	if p.Target == 0 && over && m.Tokens > 0 {
		p.Target = int(m.Tokens)
	}
	n := p.Tail.N
	if n > 1 {
		n = x.tailToFit(l, p, o, m, over)
	}
	return x.again(l, p, o, n, m, over)
}

// again plans with another tail.
func (x *Planner) again(l *Line, p model.Policy, o Options, tail int, m Limits, over bool) *Plan {
	p.Tail.N = tail
	pl := x.Plan(l, p, o)
	if over && pl.Outcome == WouldApply {
		pl.Why = hardLimit(l, m, pl.Why)
	}
	return pl
}

// hardLimit is the reason of a plan for a list that can't be sent.
func hardLimit(l *Line, m Limits, otherwise Reason) Reason {
	if used := l.Usage().Tokens; m.Tokens > 0 && used > m.Tokens {
		return Reason{Code: "over-limit", N: used, M: m.Tokens}
	}
	return otherwise
}

// tailToFit is the longest tail below the policy's own that will do; the
// policy's own, if none helps.
func (x *Planner) tailToFit(l *Line, p model.Policy, o Options, m Limits, over bool) int {
	type try struct {
		tail  int
		after model.Size
	}
	var tries []try // of plans that apply, the longest tail first
	for n := p.Tail.N / 2; ; n /= 2 {
		n = max(n, 1)
		q := p
		q.Tail.N = n
		if pl := x.Plan(l, q, o); pl.Outcome == WouldApply {
			tries = append(tries, try{n, pl.After})
		}
		if n == 1 {
			break
		}
	}
	goals := make([]int64, 0, 4)
	if at, _ := tokenTrigger(&p); at > 0 {
		goals = append(goals, at-1-m.Growth, at-1)
	}
	if over && m.Tokens > 0 {
		goals = append(goals, m.Tokens-m.Growth, m.Tokens)
	}
	if over && len(goals) == 0 { // messages alone are too many
		goals = append(goals, 1<<62)
	}
	for _, goal := range goals {
		for _, t := range tries {
			if t.after.Tokens <= goal && !m.Exceeded(t.after) {
				return t.tail
			}
		}
	}
	if over && len(tries) > 0 {
		return tries[len(tries)-1].tail
	}
	return p.Tail.N
}

// firesByTokens reports whether the result still reaches a clause in tokens.
func (p *Plan) firesByTokens() bool {
	at, _ := tokenTrigger(&p.Policy)
	return at > 0 && p.After.Tokens >= at
}
