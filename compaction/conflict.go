package compaction

import (
	"math"
	"slices"

	"palimpsest/model"
)

// Conflict is a value of a parameter that another one leaves no room for. A
// policy in conflict is planned with as it is; whoever sets parameters may refuse
// the value or take the nearest one that fits.
//
//	0      fixed part      tail, target     trigger     window − reserve     window
//	|----------|---------------|---------------|---------------|----------------|
type Conflict struct {
	Code    string // reserve, reserveTrigger, window, trigger, fixed, tail, target; steps, least
	Value   int    // what does not fit, in tokens; 0 of steps
	Limit   int    // what it must stay below, or above
	Nearest model.Amount
	// Legal says that with Nearest in its place the parameter passes the same
	// check, and no other one fails that passed before. Only then it is offered.
	Legal bool
}

// ConflictOf returns the conflict that the parameter of a key has with the
// others; of the trigger, that of one clause. It compares parameters only: a plan
// warns of more, since it knows what its history takes.
func ConflictOf(key string, p *model.Policy, clause int) (Conflict, bool) {
	c, conflicts := conflictOf(key, p, clause)
	if c.Code == "tail" && c.Limit <= 1 {
		return Conflict{}, false // no tail fits: that is the trigger's conflict
	}
	if conflicts {
		q := *p
		if key == "trigger" {
			q.Triggers = slices.Clone(p.Triggers)
			if q.Triggers[clause] = (model.Clause{At: c.Nearest}); c.Nearest.Unit == model.Percent {
				q.Triggers[clause] = ShareClause(float64(c.Nearest.N) / 100)
			}
		} else {
			model.ParamOf(key).SetNumber(&q, float64(c.Nearest.N), c.Nearest.Unit)
		}
		_, still := conflictOf(key, &q, clause)
		c.Legal = !still && c.Nearest.N > 0 && noneNew(p, &q)
	}
	return c, conflicts
}

// noneNew reports whether each parameter that is in conflict in q is so in p.
func noneNew(p, q *model.Policy) bool {
	for _, x := range model.Params() {
		for k := range max(1, len(q.Triggers)) {
			_, was := conflictOf(x.Key, p, k)
			if _, is := conflictOf(x.Key, q, k); is && !was {
				return false
			}
		}
	}
	return true
}

// conflictOf is ConflictOf, but for what the nearest value does.
func conflictOf(key string, p *model.Policy, clause int) (Conflict, bool) {
	if p.Sliding() && !p.Adaptive {
		window, batch := slidingSizes(p)
		set := map[string][2]int{"tail": {p.Triggers[0].At.N, window}, "batch": {p.Batch.N, batch}} // and the nearest legal
		if n, sizes := set[key]; sizes {
			return Conflict{Code: "steps", Limit: window, Nearest: model.Amount{N: n[1], Unit: model.Steps}}, n[0] != n[1]
		}
	}
	at := LowestTrigger(p)
	tokens := func(code string, value, limit, nearest int, conflicts bool) (Conflict, bool) {
		return Conflict{Code: code, Value: value, Limit: limit, Nearest: model.Amount{N: nearest, Unit: model.Tokens}}, conflicts
	}
	switch key {
	case "reserve":
		if room := p.Window - at; at > 0 && room > 0 {
			return tokens("reserveTrigger", p.Reserve, room, room, p.Reserve > room)
		}
		return tokens("reserve", p.Reserve, p.Window, p.Window-1, p.Window > 0 && p.Reserve >= p.Window)
	case "window":
		return tokens("window", p.Window, p.Reserve, p.Reserve+1, p.Window > 0 && p.Reserve >= p.Window)
	case "trigger":
		if clause < len(p.Triggers) {
			return clauseConflict(p.Triggers[clause], p)
		}
	case "tail":
		room := at - p.Fixed
		most := (room - 1) / 1000 * 1000
		if most <= 0 {
			most = room - 1
		}
		c, conflicts := tokens("tail", p.TailInForce().N, room, most, at > 0 && tailReaches(p, int64(p.Fixed), int64(at)))
		if share := most * 100 / max(1, p.Window); p.Tail.Unit == model.Percent && share > 0 {
			c.Nearest = model.Amount{N: share, Unit: model.Percent}
		}
		return c, conflicts
	case "target":
		return tokens("target", p.Target, at, at-1, at > 0 && p.Target >= at)
	}
	return Conflict{}, false
}

// clauseConflict is the conflict of a clause that counts tokens, or that no count is below.
func clauseConflict(c model.Clause, p *model.Policy) (Conflict, bool) {
	if c.Share == 0 && c.At.N <= 0 {
		return Conflict{Code: "least", Limit: 1, Nearest: model.Amount{N: 1, Unit: c.At.Unit}}, true
	}
	at := GaugeOf(c, p.Window).Tokens()
	if at <= 0 {
		return Conflict{}, false
	}
	nearest := func(n int, round func(float64) float64) model.Amount {
		if c.Share == 0 {
			return model.Amount{N: n, Unit: model.Tokens}
		}
		percent := round(float64(n) / float64(p.Window) * 100)
		return model.Amount{N: min(max(int(percent), 1), 100), Unit: model.Percent}
	}
	if room, above := aboveReserve(p, int64(at)); above && room > 0 {
		down := func(x float64) float64 { return math.Floor(x + 1e-9) }
		return Conflict{Code: "trigger", Value: at, Limit: int(room), Nearest: nearest(int(room), down)}, true
	}
	least := (p.Fixed/1000 + 1) * 1000
	return Conflict{Code: "fixed", Value: at, Limit: p.Fixed, Nearest: nearest(least, math.Ceil)}, firesAlways(int64(p.Fixed), int64(at))
}

// aboveReserve reports whether a trigger lies above what the output reserve
// leaves of the window, which it returns.
func aboveReserve(p *model.Policy, at int64) (int64, bool) {
	room := int64(p.Window - p.Reserve)
	return room, p.Window > 0 && at > room
}

// firesAlways reports whether the fixed part alone reaches a trigger.
func firesAlways(fixed, at int64) bool { return fixed >= at }

// tailReaches reports whether a tail in tokens, plus the fixed ones (below), reaches a
// trigger: nothing can be compacted.
func tailReaches(p *model.Policy, below, at int64) bool {
	tail := p.TailInForce()
	return tail.Unit == model.Tokens && below+int64(tail.N) >= at
}
