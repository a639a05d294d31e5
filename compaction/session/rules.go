package session

import (
	"palimpsest/compaction"
	"palimpsest/model"
)

// Next returns when the rule of a policy and those of the built-in presets would
// fire at the present position: the policy first, then the presets in their
// order. The presets are taken as [Session.UsePreset] would take them,
// with the policy.
func (s *Session) Next(p model.Policy) []compaction.Rule {
	line, _, _ := s.lineFor(p)
	policies := []model.Policy{p}
	for _, x := range compaction.Presets() {
		x.Policy.Preset = x.ID
		policies = append(policies, s.adoptFrom(x.Policy, p))
	}
	return line.Next(policies)
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
