package compaction

import (
	"palimpsest/model"
)

// ClauseForecast is one clause of a trigger with its distance from firing.
type ClauseForecast struct {
	ClauseState
	// Messages is how many more messages the history would hold when the clause
	// fires; 0: it fires now; -1: never, or nothing to estimate it from.
	Messages int
	// Estimated says that Messages is computed from the mean of the messages so far:
	// the size of the next ones, and how many make a step, is not known.
	Estimated bool

	overdue int64 // messages since it began to fire, computed likewise
}

// Rule says when one policy would compact next, why, and what it would do now.
type Rule struct {
	Preset  string // its ID; of a changed policy that of the preset it started from
	Clauses []ClauseForecast
	First   int   // the clause that fires first; -1: none will
	Plan    *Plan // an automatic check now: its outcome, reason, range and passes
}

// Messages is how many more messages the history would hold when the rule fires;
// 0: it fires now; -1: never, or nothing to estimate it from.
func (r Rule) Messages() int {
	if r.First < 0 {
		return -1
	}
	return r.Clauses[r.First].Messages
}

// Estimated reports whether Messages is an estimate.
func (r Rule) Estimated() bool { return r.First >= 0 && r.Clauses[r.First].Estimated }

// Next forecasts for each policy when it would fire if the history continues as
// it has gone so far. Context window and pins are those of the policies.
func (l *Line) Next(policies []model.Policy) []Rule {
	pace := pace{l, l.Len() - l.system - len(l.summaries)}
	out := make([]Rule, len(policies))
	for i, p := range policies {
		pl := l.Plan(p, Options{})
		r := Rule{Preset: p.Preset, First: -1, Plan: pl, Clauses: make([]ClauseForecast, len(pl.Clauses))}
		for k, c := range pl.Clauses {
			r.Clauses[k] = pace.forecast(c)
			if n := r.Clauses[k].Messages; n >= 0 && (r.First < 0 || n < r.Messages()) {
				r.First = k
			}
		}
		out[i] = r
	}
	return out
}

// FiresFirst is the index of the rule that fires first; -1: none will. Of rules
// that fire now those come first that would compact, and of these the one that
// has been firing for the longest.
func FiresFirst(rules []Rule) int {
	first := -1
	for i, r := range rules {
		if r.Messages() >= 0 && (first < 0 || r.firesBefore(rules[first])) {
			first = i
		}
	}
	return first
}

func (r Rule) firesBefore(o Rule) bool {
	if a, b := r.Messages(), o.Messages(); a != b || a > 0 {
		return a < b
	}
	if a, b := r.Plan.Outcome == WouldApply, o.Plan.Outcome == WouldApply; a != b {
		return a
	}
	return r.overdue() > o.overdue()
}

// overdue is the number of messages for which the rule has been firing.
func (r Rule) overdue() int64 {
	most := int64(-1)
	for _, c := range r.Clauses {
		if c.Fires {
			most = max(most, c.overdue)
		}
	}
	return most
}

// pace is how fast a line has grown. messages counts it without the system prompt
// and former summaries.
type pace struct {
	line     *Line
	messages int
}

// grown is how much of a unit those messages are.
func (p pace) grown(u model.Unit) int64 {
	l := p.line
	switch u {
	case model.Messages:
		return int64(p.messages)
	case model.Tokens:
		n := l.Span(l.system, l.Len())
		for _, i := range l.summaries {
			n -= int64(l.tokens[i])
		}
		return n
	}
	return int64(l.Count(u))
}

// forecast says when a clause fires at this pace.
func (p pace) forecast(c ClauseState) ClauseForecast {
	a := ClauseForecast{ClauseState: c, Messages: -1}
	missing, grown, counted := c.gauge.Missing(c.Measure), p.grown(c.gauge.Unit), c.gauge.Unit == model.Messages
	switch {
	case c.Unknown:
	case c.Fires:
		a.Messages, a.overdue = 0, -missing
		if !counted && grown > 0 {
			a.overdue = -missing * int64(p.messages) / grown
		}
	case counted:
		a.Messages = int(missing)
	case grown > 0:
		a.Messages, a.Estimated = int((missing*int64(p.messages)+grown-1)/grown), true
	}
	return a
}
