package session

import (
	"slices"

	"palimpsest/model"
)

// Speaker is one of several agents that speak in one history, as in the log of a
// group: they share its context and have none of their own.
type Speaker struct {
	Name     string
	Messages int
	Tokens   int64 // of its messages in the history
}

// Speakers are the agents whose names stand at the answers of a history, in the
// order in which they first speak; none where fewer than two do.
func (s *Session) Speakers() []Speaker {
	var out []Speaker
	for _, i := range s.thread.History {
		m := &s.thread.Messages[i]
		if m.Kind != model.KindAssistant || m.Name == "" || m.Step > 0 { // a phase of a step has a name, too
			continue
		}
		at := slices.IndexFunc(out, func(x Speaker) bool { return x.Name == m.Name })
		if at < 0 {
			at = len(out)
			out = append(out, Speaker{Name: m.Name})
		}
		out[at].Messages++
		out[at].Tokens += int64(s.Tokens(i))
	}
	if len(out) < 2 {
		return nil
	}
	return out
}
