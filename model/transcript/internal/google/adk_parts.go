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
	return Gemini{}.Parts(d, m)
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
