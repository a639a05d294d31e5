package compaction

import (
	"slices"

	"palimpsest/model"
)

// Remedy proposes a change of a policy that removes the cause of a warning, or
// makes it rarer. It returns false when there is no single one, as when a number is missing that
// only the person knows, or when only another replay could tell, as that it thrashes.
//
//	trigger above the reserve, calls over the window or left out, unreachable   the trigger goes down
//	fixed part above the trigger                                    the trigger goes up
//	tail above the trigger, fires again                             the tail goes down
//	summary not smaller than its range                              the budget goes down
//	target missed                                                   no target
//	no trigger                                                      80 % of a known window
func Remedy(p model.Policy, r Reason) (model.Policy, bool) {
	p, _ = Normalise(p)
	was, tail, budget := p, p.TailInForce(), p.BudgetInForce() // a share that goes down becomes tokens
	switch r.Code {
	case "trigger-above-reserve", "unreachable", "calls-over-window", "left-out":
		p.Triggers = lowered(&p)
	case "fixed-above-trigger":
		p.Triggers = raised(&p)
	case "tail-above-trigger":
		// r.N is what stays, tail included, r.M the trigger: half of what is left
		// for the tail lets the history grow before it fires again.
		tail.N = round(max(0, int(r.M)-(int(r.N)-tail.N)) / 2)
	case "fires-again", "still-fires":
		if !p.Sliding() { // which fires for each batch, however small its window is
			tail.N = shorter(tail, r)
		}
	case "summary-larger", "not-smaller":
		budget.N = round(budget.N / 2)
	case "target-missed":
		p.Target = 0
	case "no-trigger":
		if p.Window > 0 {
			p.Triggers = []model.Clause{{Share: usualShare}}
		}
	}
	if tail != was.TailInForce() {
		model.ParamOf("tail").SetNumber(&p, float64(tail.N), tail.Unit)
	}
	if budget != was.BudgetInForce() {
		p.Budget = budget
	}
	return p, differs(&p, &was) && p.Tail.N > 0 && (p.Budget.N > 0 || was.Budget.N == 0) && noneNew(&was, &p) && passes(&p, &was, r)
}

// FiresHere lowers a clause of the trigger so that it fires at a check that it missed by so
// much ([Nearest]), at so many steps: adaptive sizes become those of that length. It does so
// where nothing fired before. It returns false where that gives a policy that warns of itself,
// or nothing is missing.
func FiresHere(p model.Policy, clause int, missing int64, steps int) (model.Policy, bool) {
	p, _ = Normalise(p)
	if p.Adaptive {
		p = adapt(p, steps)
		p.Adaptive = false
	}
	if clause < 0 || clause >= len(p.Triggers) || missing <= 0 {
		return p, false
	}
	was := p
	list := slices.Clone(p.Triggers)
	c := &list[clause]
	g := GaugeOf(*c, p.Window)
	if c.Share > 0 {
		c.Share = float64(100*(g.At-missing)/int64(max(1, p.Window))) / 100
	} else if c.At.N = int(g.Limit() - missing); p.Sliding() {
		p.Batch.N = min(p.Batch.N, c.At.N)
	}
	p.SetTriggers(list)
	return p, g.Known && (c.Share > 0 || c.At.N > 0) && noneNew(&was, &p)
}

// differs compares what remedies change.
func differs(p, q *model.Policy) bool {
	return p.Tail != q.Tail || p.Budget != q.Budget || p.Target != q.Target || !slices.Equal(p.Triggers, q.Triggers)
}

// shorter is half of a tail. Where what is left still reaches a trigger in tokens,
// r.N is what is left and r.M the trigger: half of a tail that would be just below.
func shorter(tail model.Amount, r Reason) int {
	if r.Code == "fires-again" && tail.Unit == model.Tokens {
		tail.N -= int(max(0, r.N-r.M))
	}
	return halved(tail)
}

// passes reports whether a policy passes the check that warned of another one,
// as far as parameters can say.
func passes(p, was *model.Policy, r Reason) bool {
	at := int64(LowestTrigger(p))
	fires := at > 0 && firesAlways(int64(p.Fixed), at)
	switch r.Code {
	case "trigger-above-reserve":
		_, above := aboveReserve(p, at)
		return !above
	case "tail-above-trigger":
		return !fires && !tailReaches(p, r.N-int64(was.TailInForce().N), r.M)
	case "fixed-above-trigger", "fires-again", "still-fires":
		return !fires // no tail is short enough
	}
	return true
}

// ShorterTail returns a recent tail, in tokens, at which a plan would apply that was
// refused because nothing lies before the tail that it has: half of what it holds,
// or half of that again. It returns false if the plan applies or no tail helps. Each
// is tried on the plan's own line, so what it returns does work.
func (p *Plan) ShorterTail() (model.Amount, bool) {
	if p.Outcome == WouldApply || p.Outcome == WouldWait || p.Steps != (StepWindow{}) {
		return model.Amount{}, false
	}
	tail := p.Line.before(p.Line.Len()) - p.Line.before(p.TailFrom)
	for range 4 {
		tail /= 2
		q := p.Policy
		q.Tail = model.Amount{N: round(int(tail)), Unit: model.Tokens}
		if q.Tail.N == 0 {
			break
		}
		if p.Line.Plan(q, Options{Manual: p.Manual}).Outcome == WouldApply {
			return q.Tail, true
		}
	}
	return model.Amount{}, false
}

// usualShare is the trigger of the program's own default.
const usualShare = .8

// lowered brings the clauses that count tokens below what the reserve leaves of
// the window, and below the usual share of it.
func lowered(p *model.Policy) []model.Clause {
	most := min(int64(p.Window-p.Reserve), int64(usualShare*float64(p.Window)))
	share := max(.01, float64(100*most/int64(max(1, p.Window)))/100)
	return moved(p, func(at int64) bool { return at > most && most > 0 }, share, most)
}

// raised brings the clauses that count tokens well above the fixed part, where
// the window has the room.
func raised(p *model.Policy) []model.Clause {
	least, window := 2*int64(p.Fixed), int64(p.Window)
	share := min(1, float64((100*least+window-1)/max(1, window))/100)
	return moved(p, func(at int64) bool {
		return at <= int64(p.Fixed) && (window <= 0 || least <= window-int64(p.Reserve))
	}, share, least)
}

// moved are the clauses of a policy with those in tokens that must move at other places.
func moved(p *model.Policy, must func(at int64) bool, share float64, at int64) []model.Clause {
	out := slices.Clone(p.Triggers)
	for i, c := range out {
		switch g := GaugeOf(c, p.Window); {
		case g.Unit != model.Tokens || !g.Known || !must(g.At):
		case c.Share > 0:
			out[i].Share = share
		default:
			out[i].At.N = round(int(at))
		}
	}
	return out
}

func halved(a model.Amount) int {
	if a.Unit == model.Tokens {
		return round(a.N / 2)
	}
	return a.N / 2
}

// round cuts a number of tokens to one that reads well.
func round(n int) int {
	for _, step := range []int{1000, 100, 10} {
		if n >= 5*step {
			return n / step * step
		}
	}
	return n
}
