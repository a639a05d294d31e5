package compaction

import (
	"palimpsest/model"
)

// Ahead is one clause of a trigger with its distance from firing.
type Ahead struct {
	ClauseState
	// Messages are how many more the history would hold when the clause fires; 0:
	// it fires now; -1: never, or nothing to go by.
	Messages int
	// Estimated says that Messages goes by the mean of the messages so far: what
	// the next ones weigh, and how many make a step, is not known before.
	Estimated bool

	past int64 // messages since it began to fire, by the same reckoning
}

// Rule is when one policy would compact next, why, and what it would do if that
// is now.
type Rule struct {
	Preset  string // its ID; of the policy itself, that which it started from
	Clauses []Ahead
	First   int   // the clause that fires first; -1: none will
	Plan    *Plan // an automatic check now: its outcome, reason, range and passes
}

// Messages are how many more the history would hold when the rule fires; 0: it
// fires now; -1: never, or nothing to go by.
func (r Rule) Messages() int {
	if r.First < 0 {
		return -1
	}
	return r.Clauses[r.First].Messages
}

// Estimated reports whether Messages is an estimate.
func (r Rule) Estimated() bool { return r.First >= 0 && r.Clauses[r.First].Estimated }

// Next gives for each policy when its rule would fire on a history that goes on
// as this one has gone so far. The policies come with what belongs to the
// history: context window, pins.
func (l *Line) Next(policies []model.Policy) []Rule {
	pace := l.pace()
	out := make([]Rule, len(policies))
	for i, p := range policies {
		pl := l.Plan(p, Options{})
		r := Rule{Preset: p.Preset, First: -1, Plan: pl, Clauses: make([]Ahead, len(pl.Clauses))}
		for k, c := range pl.Clauses {
			r.Clauses[k] = pace.ahead(c)
			if n := r.Clauses[k].Messages; n >= 0 && (r.First < 0 || n < r.Messages()) {
				r.First = k
			}
		}
		out[i] = r
	}
	return out
}

// FiresFirst is the index of the rule that fires first; -1: none will. Of those
// that fire now it is one that would do something, and of these the one that
// has been firing for the longest.
func FiresFirst(rules []Rule) int {
	first := -1
	for i, r := range rules {
		if r.Messages() >= 0 && (first < 0 || r.before(rules[first])) {
			first = i
		}
	}
	return first
}

func (r Rule) before(o Rule) bool {
	if a, b := r.Messages(), o.Messages(); a != b || a > 0 {
		return a < b
	}
	if a, b := r.Plan.Outcome == WouldApply, o.Plan.Outcome == WouldApply; a != b {
		return a
	}
	return r.past() > o.past()
}

// past is for how many messages the rule has been firing.
func (r Rule) past() int64 {
	most := int64(-1)
	for _, c := range r.Clauses {
		if c.Fires {
			most = max(most, c.past)
		}
	}
	return most
}

// pace is how a line has grown so far: its own messages, without the system
// prompt and the summaries of what was compacted before.
type pace struct {
	line     *Line
	messages int
}

func (l *Line) pace() pace { return pace{l, l.Len() - l.system - len(l.summaries)} }

// grown is how much of a unit those messages have brought.
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

// ahead is how far a clause is at this pace.
func (p pace) ahead(c ClauseState) Ahead {
	a := Ahead{ClauseState: c, Messages: -1}
	missing, grown, counted := c.gauge.Missing(c.Measure), p.grown(c.gauge.Unit), c.gauge.Unit == model.Messages
	switch {
	case c.Unknown:
	case c.Fires:
		a.Messages, a.past = 0, -missing
		if !counted && grown > 0 {
			a.past = -missing * int64(p.messages) / grown
		}
	case counted:
		a.Messages = int(missing)
	case grown > 0:
		a.Messages, a.Estimated = int(ceilDiv(missing*int64(p.messages), grown)), true
	}
	return a
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }
