package evals

import (
	"errors"
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

// Summary spells a message of the user's with the mark that Inspect gives to
// its own summaries.
func (Inspect) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	o := edit.SpellLike(d, like)
	if like.Has("id") {
		o.Str("id", s.UID)
	}
	return o.Str("content", s.Text).Str("role", "user").Raw("metadata", edit.NewObject(d).Raw("summary", []byte("true")).Done()).Done(), nil
}

// ResultContent is what the model gets, and the content beside the error of a
// tool that failed.
func (Inspect) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	spans, err := codec.ResultSpans(d, m, func(v jspan.Value) []jspan.Value {
		seen, content := inspectContent(v), v.Get("content")
		if content.Off == seen.Off {
			return []jspan.Value{seen}
		}
		return []jspan.Value{seen, content}
	})
	if err == nil && len(spans) == 0 {
		return nil, errors.New("the result has no content")
	}
	return spans, err
}
