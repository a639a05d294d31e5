package anthropic

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec]. A piece is a message, one of its blocks, or
// the value of a system prompt.
func (Messages) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var out []model.Part
	for _, piece := range m.Pieces {
		if piece.Duplicate {
			continue
		}
		v, err := edit.ParseAt(d, piece.Span)
		if err != nil {
			return nil, err
		}
		switch {
		case v.Kind != jspan.Object:
			out = codec.BlockParts(v, out)
		case v.Has("role"):
			out = messageParts(m, v.Get("content"), out)
		default:
			out = codec.BlockPart(v, out)
		}
	}
	k := 0
	for i := range out {
		p := &out[i]
		switch p.Kind {
		case model.PartResult:
			p.Name = m.Name
			if p.CallID == "" {
				p.CallID = m.Answers
			}
		case model.PartCall:
			if p.CallID != "" {
				continue
			}
			for k < len(m.Calls) && !strings.HasPrefix(m.Calls[k].ID, "#") {
				k++
			}
			if k < len(m.Calls) {
				p.CallID = m.Calls[k].ID
				k++
			}
		}
	}
	return out, nil
}

// messageParts decodes a whole message. A result of role tool has its text as
// plain content.
func messageParts(m *model.Message, content jspan.Value, out []model.Part) []model.Part {
	if m.Kind == model.KindResult && content.Kind == jspan.String {
		return append(out, model.Part{Kind: model.PartResult, CallID: m.Answers, Text: content.Text(), Error: m.Error})
	}
	return codec.BlockParts(content, out)
}
