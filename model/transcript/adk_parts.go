package transcript

import (
	"bytes"
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec]. A piece is an event, one of its parts, or the
// text of a compaction.
func (adk) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var p parts
	for _, piece := range m.Pieces {
		v, err := parseAt(d, piece.Span)
		if err != nil {
			return nil, err
		}
		switch {
		case v.Kind == jspan.String:
			p.text(m, v.Text())
		case v.Has("author"):
			v.Get("content", "parts").Items(func(_ int, e jspan.Value) bool {
				p.adkPart(m, e)
				return true
			})
		default:
			p.adkPart(m, v)
		}
	}
	return p.done(), nil
}

func (p *parts) adkPart(m *model.Message, e jspan.Value) {
	call, answer := either(e, "function_call", "functionCall"), either(e, "function_response", "functionResponse")
	media := either(e, "inline_data", "inlineData")
	if media.Kind != jspan.Object {
		media = either(e, "file_data", "fileData")
	}
	switch text := e.Get("text"); {
	case text.Kind == jspan.String && e.Get("thought").Bool():
		p.reasoning(text.Text())
	case text.Kind == jspan.String:
		p.text(m, text.Text())
	case call.Kind == jspan.Object:
		p.call(m, call.Get("name").TextN(200), call.Get("args"))
	case answer.Kind == jspan.Object:
		if note := adkNote(answer.Get("response")); note.Exists() {
			p.text(m, note.Text())
		} else {
			p.text(m, rawText(answer.Get("response")))
		}
	case media.Kind == jspan.Object:
		p.media(firstOf(either(media, "mime_type", "mimeType").TextN(80), "media"), media)
	default:
		p.opaque("part", e)
	}
	if s := either(e, "thought_signature", "thoughtSignature"); s.Kind == jspan.String && s.Len() > 2 {
		p.opaque("signature", s)
	}
}

// adkNote is the text of a response that holds one text and nothing else, as
// the kit wraps what a function returns.
func adkNote(response jspan.Value) jspan.Value {
	if t := response.Get("result"); t.Kind == jspan.String && response.Count() == 1 {
		return t
	}
	return jspan.Value{}
}

func (adk) place(d *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return outermost(d, m.Pieces[0]), false
}

// relink keeps the record of a compaction whose text goes.
func (adk) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	return nil, emptyTexts(d, th, c, e)
}

// summary spells an event of the user's, with the invocation and the time of
// the one it stands for.
func (adk) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	if isText, err := inText(d, like); isText || err != nil {
		return quote(d, s.Text), err
	}
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	text := bytes.Join([][]byte{{'['}, newObject(d).str("text", s.Text).done(), {']'}}, nil)
	o := spellLike(d, v)
	for _, k := range []string{"invocation_id", "invocationId"} {
		if x := v.Get(k); x.Exists() {
			o.raw(k, x.Raw())
		}
	}
	o.str("author", "user").raw("content", newObject(d).raw("parts", text).str("role", "user").done()).str("id", s.UID)
	if when := v.Get("timestamp"); when.Exists() {
		o.raw("timestamp", when.Raw())
	}
	return o.done(), nil
}

// resultContent is the response of the function.
func (adk) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	at := m.Pieces[0].Span
	v, err := parseAt(d, at)
	if err != nil {
		return nil, err
	}
	if v.Has("author") {
		v = v.Get("content", "parts").Index(0)
	}
	if r := either(v, "function_response", "functionResponse").Get("response"); r.Exists() {
		return []model.Span{within(at, r)}, nil
	}
	return nil, fmt.Errorf("the result has no content")
}

// spellNote wraps a note as the kit wraps what a function returns: a response
// has to be an object.
func (adk) spellNote(d *model.Document, _ model.Span, note string) ([]byte, error) {
	return newObject(d).str("result", note).done(), nil
}
