package evals

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec].
func (f Inspect) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := edit.ParseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	var attached jspan.Value
	if span, ok := f.attached[m.Pieces[0].Array]; ok && strings.Contains(string(v.Raw()), inspectMark) {
		if attached, err = edit.ParseAt(d, span); err != nil {
			return nil, err
		}
	}
	p := inspectParts{attached: attached}
	content := inspectContent(v)
	if content.Kind == jspan.Array {
		for _, e := range content.Items {
			p.block(m, e)
		}
	} else {
		p.Text(m, p.read(content))
	}
	p.EnsureResult(m)
	for _, e := range v.Get("tool_calls").Items {
		p.Call(m, inspectFunction(e), e.Get("arguments"))
	}
	return p.Done(), nil
}

// inspectContent is what the model gets of a message: its content, or the text
// of the error if a tool failed.
func inspectContent(v jspan.Value) jspan.Value {
	if e := v.Get("error", "message"); e.Kind == jspan.String {
		return e
	}
	return v.Get("content")
}

type inspectParts struct {
	codec.Parts
	attached jspan.Value
}

// read is a text, looked up if it is attached.
func (p *inspectParts) read(v jspan.Value) string {
	s := v.Text()
	if hash, ok := strings.CutPrefix(s, inspectMark); ok {
		if a := p.attached.Get(hash); a.Kind == jspan.String {
			return a.Text()
		}
	}
	return s
}

func (p *inspectParts) block(m *model.Message, e jspan.Value) {
	switch t := e.Get("type").TextN(40); t {
	case "text":
		p.Text(m, p.read(e.Get("text")))
	case "reasoning":
		if e.Get("redacted").Bool() {
			p.Opaque("reasoning", e)
			return
		}
		p.Reasoning(p.read(e.Get("reasoning")))
		if s := e.Get("signature"); s.Kind == jspan.String && s.Len() > 2 {
			p.Opaque("signature", s)
		}
	case "image", "audio", "video", "document":
		data := e.Get(t)
		if hash, ok := strings.CutPrefix(data.TextN(80), inspectMark); ok && p.attached.Get(hash).Exists() {
			data = p.attached.Get(hash)
		}
		p.Media(t, data)
	default:
		p.OpenAIPart(m, e, true)
	}
}
