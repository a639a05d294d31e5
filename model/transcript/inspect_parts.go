package transcript

import (
	"fmt"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec].
func (f inspect) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := parseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	var attached jspan.Value
	if span, ok := f.attached[m.Pieces[0].Array]; ok && strings.Contains(string(v.Raw()), inspectMark) {
		if attached, err = parseAt(d, span); err != nil {
			return nil, err
		}
	}
	p := inspectParts{attached: attached}
	content := inspectContent(v)
	if content.Kind == jspan.Array {
		content.Items(func(_ int, e jspan.Value) bool {
			p.block(m, e)
			return true
		})
	} else {
		p.text(m, p.read(content))
	}
	if m.Kind == model.KindResult && p.result == 0 {
		p.text(m, "")
	}
	v.Get("tool_calls").Items(func(_ int, e jspan.Value) bool {
		p.call(m, inspectFunction(e), e.Get("arguments"))
		return true
	})
	return p.done(), nil
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
	parts
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
		p.text(m, p.read(e.Get("text")))
	case "reasoning":
		if e.Get("redacted").Bool() {
			p.opaque("reasoning", e)
			return
		}
		p.reasoning(p.read(e.Get("reasoning")))
		if s := e.Get("signature"); s.Kind == jspan.String && s.Len() > 2 {
			p.opaque("signature", s)
		}
	case "image", "audio", "video", "document":
		data := e.Get(t)
		if hash, ok := strings.CutPrefix(data.TextN(80), inspectMark); ok && p.attached.Get(hash).Exists() {
			data = p.attached.Get(hash)
		}
		p.media(t, data)
	default:
		p.openAIPart(m, e, true)
	}
}

// summary spells a message of the user's with the mark that Inspect gives to
// its own summaries.
func (inspect) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	o := spellLike(d, v)
	if v.Has("id") {
		o.str("id", s.UID)
	}
	return o.str("content", s.Text).str("role", "user").raw("metadata", newObject(d).raw("summary", []byte("true")).done()).done(), nil
}

// resultContent is what the model gets, and the content beside the error of a
// tool that failed.
func (inspect) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	at := m.Pieces[0].Span
	v, err := parseAt(d, at)
	if err != nil {
		return nil, err
	}
	seen, content := inspectContent(v), v.Get("content")
	if !seen.Exists() {
		return nil, fmt.Errorf("the result has no content")
	}
	spans := []model.Span{within(at, seen)}
	if content.Exists() && content.Off != seen.Off {
		spans = append(spans, within(at, content))
	}
	return spans, nil
}
