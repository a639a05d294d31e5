package compaction

import (
	"slices"

	"palimpsest/model"
)

// Remedy proposes a change of a policy that removes the cause of a warning, or
// makes it rarer. It returns false when there is no single one, as when a number
// is missing that only the person knows.
//
//	trigger above the reserve, calls over the window or left out, unreachable   the trigger goes down
//	fixed part above the trigger                                    the trigger goes up
//	tail above the trigger, fires again, thrash, nothing to take    the tail goes down
//	summary not smaller than its range                              the budget goes down
//	target missed                                                   no target
//	no trigger                                                      80 % of a known window
func Remedy(p model.Policy, r Reason) (model.Policy, bool) {
	p, _ = Normalise(p)
	was := p
	switch r.Code {
	case "trigger-above-reserve", "unreachable", "calls-over-window", "left-out":
		p.Triggers = lowered(&p)
	case "fixed-above-trigger":
		p.Triggers = raised(&p)
	case "tail-above-trigger":
		// r.N is what stays, tail included, r.M the trigger: half of what is left
		// for the tail lets the history grow before it fires again.
		p.Tail.N = round(max(0, int(r.M)-(int(r.N)-p.Tail.N)) / 2)
	case "fires-again", "still-fires", "thrash", "refused-calls":
		p.Tail.N = halved(p.Tail)
	case "summary-larger", "not-smaller":
		p.Budget.N = round(p.Budget.N / 2)
	case "budget-above-range":
		p.Budget.N = round(max(0, min(p.Budget.N, int(r.M))) / 2)
	case "target-missed":
		p.Target = 0
	case "no-trigger":
		if p.Window > 0 {
			p.Triggers = []model.Clause{{Share: usualShare}}
		}
	}
	changed := p.Tail != was.Tail || p.Budget != was.Budget || p.Target != was.Target || !slices.Equal(p.Triggers, was.Triggers)
	return p, changed && p.Tail.N > 0 && (p.Budget.N > 0 || was.Budget.N == 0)
}

// usualShare is the trigger of the program's own default.
const usualShare = .8

// lowered brings the clauses that count tokens below what the reserve leaves of
// the window, and below the usual share of it.
func lowered(p *model.Policy) []model.Clause {
	out := slices.Clone(p.Triggers)
	most := min(int64(p.Window-p.Reserve), int64(usualShare*float64(p.Window)))
	for i, c := range out {
		switch g := GaugeOf(c, p.Window); {
		case g.Unit != model.Tokens || !g.Known || g.At <= most || most <= 0:
		case c.Share > 0:
			out[i].Share = max(.01, float64(100*most/int64(p.Window))/100)
		default:
			out[i].At.N = round(int(most))
		}
	}
	return out
}

// raised brings the clauses that count tokens well above the fixed part, where
// the window has the room.
func raised(p *model.Policy) []model.Clause {
	out := slices.Clone(p.Triggers)
	least := 2 * int64(p.Fixed)
	if room := int64(p.Window - p.Reserve); p.Window > 0 && least > room {
		return out
	}
	for i, c := range out {
		switch g := GaugeOf(c, p.Window); {
		case g.Unit != model.Tokens || !g.Known || g.At > int64(p.Fixed):
		case c.Share > 0:
			out[i].Share = min(1, float64((100*least+int64(p.Window)-1)/int64(p.Window))/100)
		default:
			out[i].At.N = round(int(least))
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
