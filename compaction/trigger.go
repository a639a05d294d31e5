package compaction

import (
	"palimpsest/model"
)

// ClauseState is one clause of the trigger, measured.
type ClauseState struct {
	Clause  model.Clause `json:"clause"`
	Measure int64        `json:"measure"`
	Limit   int64        `json:"limit"`
	Fires   bool         `json:"fires"`
	Unknown bool         `json:"unknown,omitempty"` // a share of an unknown window
}

// Reason tells how far the clause is.
func (s ClauseState) Reason() Reason {
	if s.Unknown {
		return Reason{Code: "window-unknown"}
	}
	return Reason{Code: clauseCode(s.Clause.At.Unit), N: s.Measure, M: s.Limit}
}

func clauseCode(u model.Unit) string {
	switch u {
	case model.Messages:
		return "clause-messages"
	case model.Groups:
		return "clause-groups"
	case model.Steps:
		return "clause-steps"
	case model.Turns:
		return "clause-turns"
	}
	return "clause-tokens"
}

// limit is what a clause fires at; 0 with ok false while the window is unknown.
func limit(c model.Clause, window int) (int64, bool) {
	if c.Share > 0 {
		return shareOf(c.Share, window), window > 0
	}
	return int64(c.At.N), true
}

// shareOf is the smallest number of tokens that reaches the share.
func shareOf(share float64, window int) int64 {
	at := int64(share * float64(window))
	// The division is what the systems united here compare (spec D8), so a
	// borderline product is settled by it.
	for at > 0 && float64(at-1)/float64(window) >= share {
		at--
	}
	for window > 0 && float64(at)/float64(window) < share {
		at++
	}
	return at
}

// measures is what clauses are compared with.
type measures struct {
	tokens                         int64
	messages, groups, steps, turns int
}

func (m measures) of(u model.Unit) int64 {
	switch u {
	case model.Messages:
		return int64(m.messages)
	case model.Groups:
		return int64(m.groups)
	case model.Steps:
		return int64(m.steps)
	case model.Turns:
		return int64(m.turns)
	}
	return m.tokens
}

func (l *Line) measures() measures {
	n := l.Len()
	m := measures{tokens: l.before(n) + l.fixed, messages: n, groups: len(l.groups), steps: len(l.made), turns: len(l.turns)}
	if l.to > l.from {
		w := &l.rest.whole
		m.groups += w.groups.between(l.from, l.to)
		m.steps += w.made.between(l.from, l.to)
		m.turns += w.turns.between(l.from, l.to)
	}
	return m
}

// triggers measures every clause and appends what it finds.
func triggers(out []ClauseState, p *model.Policy, m measures) []ClauseState {
	for _, c := range p.Triggers {
		out = append(out, measured(c, p.Window, m))
	}
	return out
}

func measured(c model.Clause, window int, m measures) ClauseState {
	at, known := limit(c, window)
	s := ClauseState{Clause: c, Measure: m.of(c.At.Unit), Limit: at, Unknown: !known}
	switch {
	case !known:
	case c.Share == 0 && c.At.Unit == model.Steps:
		s.Fires = s.Measure > at
	default:
		s.Fires = s.Measure >= at
	}
	return s
}

// fires reports whether any clause fires.
func fires(gauges []gauge, m measures) bool {
	for _, g := range gauges {
		if g.known && m.of(g.unit) >= g.at {
			return true
		}
	}
	return false
}
