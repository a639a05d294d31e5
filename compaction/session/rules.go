package session

import (
	"slices"

	"palimpsest/compaction"
	"palimpsest/model"
)

// nextRules are the rules of the built-in presets on a line, for one context
// window and set of pins.
type nextRules struct {
	line   *compaction.Line
	window int
	pins   []model.Range
	rules  []compaction.Rule
}

// Next returns when the rule of a policy and those of the built-in presets would
// fire at the present position: the policy first, then the presets in their
// order. The presets are taken as [Session.UsePreset] would take them,
// with the policy. While only other parameters change, as under a slider, the rules
// of the presets are not computed again.
func (s *Session) Next(p model.Policy) []compaction.Rule {
	line, _, _ := s.lineFor(p)
	s.mu.Lock()
	known := s.next
	s.mu.Unlock()
	if known.line != line || known.window != p.Window || !slices.Equal(known.pins, p.Pins) {
		presets := compaction.Presets()
		policies := make([]model.Policy, len(presets))
		for i, x := range presets {
			x.Policy.Preset = x.ID
			policies[i] = s.adoptFrom(x.Policy, p)
		}
		known = nextRules{line, p.Window, p.Pins, line.Next(policies)}
		s.mu.Lock()
		s.next = known
		s.mu.Unlock()
	}
	return append(line.Next([]model.Policy{p}), known.rules...)
}

// adoptFrom fills in what a policy takes from the history it is used on: pins, and
// where it does not bring its own, the context window and the fixed part of now.
func (s *Session) adoptFrom(p, now model.Policy) model.Policy {
	if p.Window == 0 {
		p.Window = now.Window
	}
	if p.Fixed == 0 {
		p.Fixed = now.Fixed
	}
	p.Pins = now.Pins
	return s.adopt(p)
}

// Adapt returns a policy of another session as it applies to this one: context window,
// fixed part and pins are those of the session, everything else is the policy's.
func (s *Session) Adapt(p model.Policy) model.Policy {
	p.Window, p.Fixed = 0, 0
	return s.adoptFrom(p, s.Policy())
}
