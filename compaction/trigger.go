package compaction

import (
	"palimpsest/model"
)

// Gauge is a clause of the trigger made ready for one context window: what it
// measures and the first value at which it fires. How a clause is compared is
// said here and nowhere else; whoever checks, predicts or shows one asks its
// gauge.
//
//	clause                       Unit      At
//	share 0.8, window 200,000    tokens    160,000
//	share 0.8, window unknown    tokens    not Known: never fires
//	40 messages                  messages  40
//	5 steps                      steps     6: steps fire above their number
type Gauge struct {
	Unit  model.Unit // messages, groups, steps, turns; else tokens
	At    int64
	Known bool // false: a share of an unknown window
}

// GaugeOf is the gauge of a clause for a context window of so many tokens; 0:
// unknown.
func GaugeOf(c model.Clause, window int) Gauge {
	if c.Share > 0 {
		return Gauge{model.Tokens, shareOf(c.Share, window), window > 0}
	}
	g := Gauge{c.At.Unit, int64(c.At.N), true}
	switch g.Unit {
	case model.Messages, model.Groups, model.Turns:
	case model.Steps:
		g.At++
	default:
		g.Unit = model.Tokens
	}
	return g
}

// gaugesOf appends the gauges of a policy's clauses.
func gaugesOf(out []Gauge, p *model.Policy) []Gauge {
	for _, c := range p.Triggers {
		out = append(out, GaugeOf(c, p.Window))
	}
	return out
}

// Fires reports whether the clause fires at a value.
func (g Gauge) Fires(value int64) bool { return g.Known && value >= g.At }

// Missing is how much must be added to a value until the clause fires; it fires
// when nothing is missing.
func (g Gauge) Missing(value int64) int64 { return g.At - value }

// Above reports whether the clause fires above its number, not at it.
func (g Gauge) Above() bool { return g.Unit == model.Steps }

// Limit is the clause's own number: where it fires, or above which.
func (g Gauge) Limit() int64 {
	if g.Above() {
		return g.At - 1
	}
	return g.At
}

// Tokens is the number of tokens at which the clause fires; 0: it counts
// something else, or the window is unknown.
func (g Gauge) Tokens() int {
	if g.Unit != model.Tokens || !g.Known {
		return 0
	}
	return int(g.At)
}

// LowestTrigger is the lowest number of tokens at which a policy fires; 0: it has no
// such clause, or its context window is unknown.
func LowestTrigger(p *model.Policy) (least int) {
	for _, c := range p.Triggers {
		if n := GaugeOf(c, p.Window).Tokens(); n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// reason says how far a value is from firing.
func (g Gauge) reason(value int64) Reason {
	if !g.Known {
		return Reason{Code: "window-unknown"}
	}
	return Reason{Code: clauseCodes[g.Unit], N: value, M: g.Limit()}
}

var clauseCodes = map[model.Unit]string{model.Messages: "clause-messages", model.Groups: "clause-groups", model.Steps: "clause-steps",
	model.Turns: "clause-turns", model.Tokens: "clause-tokens"}

// ClauseState is one clause of the trigger, measured.
type ClauseState struct {
	Clause  model.Clause `json:"clause"`
	Measure int64        `json:"measure"`
	Limit   int64        `json:"limit"` // see [Gauge.Limit]
	Fires   bool         `json:"fires"`
	Unknown bool         `json:"unknown,omitempty"` // a share of an unknown window

	gauge Gauge
}

// Reason says how far the clause is from firing.
func (s ClauseState) Reason() Reason { return s.gauge.reason(s.Measure) }

// clauseStates measures the clauses of a policy on a line and appends what it
// finds.
func (l *Line) clauseStates(out []ClauseState, clauses []model.Clause, gauges []Gauge) []ClauseState {
	for i, g := range gauges {
		v := int64(l.Count(g.Unit))
		out = append(out, ClauseState{Clause: clauses[i], Measure: v, Limit: g.Limit(), Fires: g.Fires(v), Unknown: !g.Known, gauge: g})
	}
	return out
}

// shareOf is the smallest number of tokens that reaches the share.
func shareOf(share float64, window int) int64 {
	const most = 1 << 62 // of a share that no context reaches
	at := int64(min(share*float64(window), most))
	// The division is what the systems united here compare, so a
	// borderline product is settled by it.
	for at > 0 && float64(at-1)/float64(window) >= share {
		at--
	}
	for window > 0 && at < most && float64(at)/float64(window) < share {
		at++
	}
	return at
}

// measures is what the clauses measure once a plan is carried out.
type measures struct {
	tokens   int64
	messages int
	units    [unitLists]int // by the list of what makes the unit
}

func (m *measures) of(u model.Unit) int64 {
	switch u {
	case model.Tokens:
		return m.tokens
	case model.Messages:
		return int64(m.messages)
	}
	return int64(m.units[makersOf(u)])
}

// fires reports whether any clause fires.
func (m *measures) fires(gauges []Gauge) bool {
	for _, g := range gauges {
		if g.Fires(m.of(g.Unit)) {
			return true
		}
	}
	return false
}
