package codec

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// UserOrigin returns who wrote a user message of this conversation.
func (c *Chat) UserOrigin(head string) model.Origin {
	if model.Injected(head) {
		return model.OriginInjected
	}
	if c.Th.Observations {
		if len(c.Th.Found) > 0 || HasMark(head, outputMarks) { // the task may be in a summary by now
			return model.OriginObservation
		}
		for _, i := range c.Th.History {
			if c.Th.Messages[i].Kind == model.KindUser {
				return model.OriginObservation
			}
		}
	}
	return model.OriginTyped
}

// TaskOrigin calls the first user message of an agent's run typed, and all
// others observations. The task may be in a summary by now; a demonstration is
// not it.
func (c *Chat) TaskOrigin() model.Origin {
	if len(c.Th.Found) > 0 {
		return model.OriginObservation
	}
	for _, i := range c.Th.History {
		if c.Th.Messages[i].Typed() {
			return model.OriginObservation
		}
	}
	return model.OriginTyped
}

// Headline finds the first words of a message: those of a person before those
// of a program.
type Headline struct {
	Text            string
	texts, injected int
}

// Add takes in the beginning of one of the texts, in order.
func (h *Headline) Add(text string) {
	if text == "" {
		return
	}
	h.texts++
	if model.Injected(text) {
		h.injected++
	}
	if h.Text == "" || h.injected == h.texts-1 && model.Injected(h.Text) {
		h.Text = text
	}
}

// Origin is who wrote a user message of these texts.
func (h *Headline) Origin() model.Origin {
	if h.texts > 0 && h.texts == h.injected {
		return model.OriginInjected
	}
	return model.OriginTyped
}

// MarkSummary calls a user's or system message a summary if it begins as one.
func MarkSummary(m *model.Message, head string) {
	if (m.Kind == model.KindUser || m.Kind == model.KindSystem) && IsSummaryText(head) {
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	}
}

// SetUser makes a message the user's. The beginning of its text says whether a
// person typed it, a program put it in, or it is a summary.
func SetUser(m *model.Message, head string) {
	m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginTyped
	if model.Injected(head) {
		m.Origin = model.OriginInjected
	}
	MarkSummary(m, head)
}

// NoteRole notes that the value at holds a message of an unknown role, which
// the format calls what: a role, a sender.
func (b *Builder) NoteRole(at jspan.Value, what, role string) {
	b.NoteAt(at, "unknown-role", "unknown "+what+" "+string(edit.Quote(b.Doc, role))+"; the message is kept")
}

// AddHeaded adds a message whose text begins with head: its preview, and for a
// user's message of unknown origin the origin, come from there. A message that
// says nothing is shown by its first call.
func (c *Chat) AddHeaded(m model.Message, head *Headline, at jspan.Value) {
	if m.Kind == model.KindUser && m.Origin == model.OriginUnknown {
		m.Origin = head.Origin()
	}
	if m.Preview = Preview(head.Text); m.Preview == "" && len(m.Calls) > 0 {
		m.Preview = Preview(m.Calls[0].Name)
	}
	if m.Preview == "" && m.Sealed {
		m.Preview = EncryptedSummary
	}
	c.Add(m, at)
}
