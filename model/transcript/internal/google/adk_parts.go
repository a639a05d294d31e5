package google

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec]. A piece is an event, one of its parts, or the
// text of a compaction.
func (ADK) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) {
		switch {
		case v.Kind == jspan.String:
			p.Text(m, v.Text())
		case v.Has("author"):
			for _, e := range v.Get("content", "parts").Items {
				adkPart(p, m, e)
			}
		default:
			adkPart(p, m, v)
		}
	})
}

// adkNote is the text of a response that holds one text and nothing else, as
// the kit wraps what a function returns.
func adkNote(response jspan.Value) jspan.Value {
	if t := response.Get("result"); t.Kind == jspan.String && response.Count() == 1 {
		return t
	}
	return jspan.Value{}
}

func (ADK) Place(d *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return edit.Outermost(d, m.Pieces[0]), false
}

// Relink keeps the record of a compaction whose text goes.
func (ADK) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	return nil, edit.EmptyTexts(d, th, c, e)
}

// Summary spells an event of the user's, with the invocation and the time of
// the one it replaces.
func (ADK) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	text := edit.List(edit.NewObject(d).Str("text", s.Text).Done())
	o := edit.SpellLike(d, like)
	for _, k := range []string{"invocation_id", "invocationId"} {
		if x := like.Get(k); x.Exists() {
			o.Raw(k, x.Raw())
		}
	}
	o.Str("author", "user").Raw("content", edit.NewObject(d).Raw("parts", text).Str("role", "user").Done()).Str("id", s.UID)
	if when := like.Get("timestamp"); when.Exists() {
		o.Raw("timestamp", when.Raw())
	}
	return o.Done(), nil
}

// ResultContent is the response of the function.
func (ADK) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m, func(v jspan.Value) jspan.Value {
		if v.Has("author") {
			v = v.Get("content", "parts").Index(0)
		}
		return codec.Either(v, "function_response", "functionResponse").Get("response")
	})
}

// SpellNote wraps a note as the kit wraps what a function returns: a response
// has to be an object.
func (ADK) SpellNote(d *model.Document, _ model.Span, note string) ([]byte, error) {
	return edit.NewObject(d).Str("result", note).Done(), nil
}

func adkPart(p *codec.Parts, m *model.Message, e jspan.Value) {
	call, answer := codec.Either(e, "function_call", "functionCall"), codec.Either(e, "function_response", "functionResponse")
	media := codec.Either(e, "inline_data", "inlineData")
	if media.Kind != jspan.Object {
		media = codec.Either(e, "file_data", "fileData")
	}
	switch text := e.Get("text"); {
	case text.Kind == jspan.String && e.Get("thought").Bool():
		p.Reasoning(text.Text())
	case text.Kind == jspan.String:
		p.Text(m, text.Text())
	case call.Kind == jspan.Object:
		p.Call(m, call.Get("name").TextN(200), call.Get("args"))
	case answer.Kind == jspan.Object:
		if note := adkNote(answer.Get("response")); note.Exists() {
			p.Text(m, note.Text())
		} else {
			p.Text(m, answer.Get("response").RawText())
		}
	case media.Kind == jspan.Object:
		p.Media(codec.FirstOf(codec.Either(media, "mime_type", "mimeType").TextN(80), "media"), media)
	default:
		p.Opaque("part", e)
	}
	if s := codec.Either(e, "thought_signature", "thoughtSignature"); s.Kind == jspan.String && s.Len() > 2 {
		p.Opaque("signature", s)
	}
}
