package session

import (
	"fmt"

	"palimpsest/model"
)

// Text is one readable stretch of a message.
type Text struct {
	Kind   model.PartKind
	Name   string // tool, media type
	CallID string
	Error  bool
	Text   string
	Bytes  int // of media and opaque parts
}

// Read decodes a stored message for looking at.
func (s *Session) Read(stored int32) ([]Text, error) {
	parts, err := s.file.Doc.Parts(&s.thread.Messages[stored])
	if err != nil {
		return nil, fmt.Errorf("read the message: %w", err)
	}
	out := make([]Text, len(parts))
	for i, p := range parts {
		out[i] = Text{p.Kind, p.Name, p.CallID, p.Error, p.Text, p.Bytes}
	}
	return out, nil
}

// Raw gives the bytes of a stored message as the source spells them, at most
// limit; more tells how many bytes are left out.
func (s *Session) Raw(stored int32, limit int64) (raw []byte, more int64, err error) {
	for _, p := range s.thread.Messages[stored].Pieces {
		if p.Duplicate {
			continue
		}
		span := p.Span
		if room := limit - int64(len(raw)); span.Len > room {
			more += span.Len - max(0, room)
			span.Len = max(0, room)
		}
		b, err := s.file.Doc.Bytes(span)
		if err != nil {
			return nil, 0, fmt.Errorf("read the source: %w", err)
		}
		raw = append(append(raw, b...), '\n')
	}
	return raw, more, nil
}
