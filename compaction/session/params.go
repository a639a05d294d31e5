package session

import (
	"slices"

	"palimpsest/model"
)

// Policy is the session's parameters.
func (s *Session) Policy() model.Policy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.policy
}

// SetPolicy changes the parameters.
func (s *Session) SetPolicy(p model.Policy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policy = p
}

// UsePreset takes a preset's parameters over. Pins stay, and where it does not
// bring its own, so do the context window and the fixed part: they belong to
// the history.
func (s *Session) UsePreset(p model.Policy) { s.SetPolicy(s.adoptFrom(p, s.Policy())) }

// Pinned reports whether the history message is pinned by the parameters.
func (s *Session) Pinned(history int) bool { return pinned(s.Policy().Pins, history) }

// pinned reports whether a place is in one of the ranges.
func pinned(ranges []model.Range, i int) bool {
	return slices.ContainsFunc(ranges, func(r model.Range) bool { return i >= r.From && i < r.To })
}

// Pin pins or unpins history messages together.
func Pin(s *Session, messages []int, on bool) {
	p := s.Policy()
	for _, i := range messages {
		if pinned(p.Pins, i) != on {
			p.Pins = togglePin(p.Pins, i)
		}
	}
	s.SetPolicy(p)
}

// togglePin returns a fresh list: policies share their slices.
func togglePin(pins []model.Range, i int) []model.Range {
	var out []model.Range
	if !pinned(pins, i) {
		return append(append(out, pins...), model.Range{From: i, To: i + 1})
	}
	for _, r := range pins {
		if i < r.From || i >= r.To {
			out = append(out, r)
			continue
		}
		if r.From < i {
			out = append(out, model.Range{From: r.From, To: i})
		}
		if i+1 < r.To {
			out = append(out, model.Range{From: i + 1, To: r.To})
		}
	}
	return out
}
