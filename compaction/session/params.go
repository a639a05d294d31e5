package session

import (
	"reflect"
	"slices"

	"palimpsest/model"
)

// undoDepth bounds the memory of parameter changes.
const undoDepth = 500

// Policy is the session's parameters.
func (s *Session) Policy() model.Policy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.policy
}

// SetPolicy changes the parameters and remembers the former ones for Undo. A
// value equal to the present one is no change.
func (s *Session) SetPolicy(p model.Policy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if reflect.DeepEqual(p, s.policy) {
		return
	}
	if s.undo = append(s.undo, s.policy); len(s.undo) > undoDepth {
		s.undo = s.undo[1:]
	}
	s.policy, s.redo = p, nil
}

// UsePreset takes a preset's parameters over. Pins stay, and where it does not
// bring its own, so do the context window and the fixed part: they belong to
// the history.
func (s *Session) UsePreset(p model.Policy) { s.SetPolicy(s.adoptFrom(p, s.Policy())) }

// Undo goes back to the former parameters; false when there are none.
func (s *Session) Undo() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return step(&s.policy, &s.undo, &s.redo)
}

// Redo takes an Undo back; false when there is nothing to take back.
func (s *Session) Redo() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return step(&s.policy, &s.redo, &s.undo)
}

func step(now *model.Policy, from, to *[]model.Policy) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, *now)
	*now, *from = (*from)[n-1], (*from)[:n-1]
	return true
}

// CanUndo reports whether there are former parameters to go back to.
func (s *Session) CanUndo() bool { s.mu.Lock(); defer s.mu.Unlock(); return len(s.undo) > 0 }

// CanRedo reports whether an undo can be taken back.
func (s *Session) CanRedo() bool { s.mu.Lock(); defer s.mu.Unlock(); return len(s.redo) > 0 }

// Pinned reports whether the history message is pinned by the parameters.
func (s *Session) Pinned(history int) bool { return pinned(s.Policy().Pins, history) }

func pinned(pins []model.Range, i int) bool {
	return slices.ContainsFunc(pins, func(r model.Range) bool { return i >= r.From && i < r.To })
}

// TogglePin pins or unpins one history message; undoable like any parameter.
func (s *Session) TogglePin(history int) {
	p := s.Policy()
	p.Pins = togglePin(p.Pins, history)
	s.SetPolicy(p)
}

// Pin pins or unpins history messages together, as one step of the undo.
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
