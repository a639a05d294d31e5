package google

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Place puts the summary where the first message stood that it replaces: at the
// earliest of its records, because a log keeps a message's place when a later
// record replaces it.
func (GeminiCLI) Place(d *model.Document, th *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	at := edit.EditablePiece(d, th, m)
	for _, p := range m.Pieces {
		if p.Off < at.Off && edit.Editable(d, p) {
			at = p
		}
	}
	return at, false
}

// Summary spells a recorded message of the user.
func (GeminiCLI) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	content := edit.Quote(d, s.Text)
	if like.Get("content").Kind == jspan.Array {
		content = append(append([]byte{'['}, edit.NewObject(d).Str("text", s.Text).Done()...), ']')
	}
	return edit.SpellLike(d, like).Str("id", s.UID).Str("timestamp", s.Time.UTC().Format("2006-01-02T15:04:05.000Z")).
		Str("type", "user").Raw("content", content).Done(), nil
}

// ResultContent is the output in the function responses, and what is kept for
// the eye beside them.
func (GeminiCLI) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpans(d, m, func(v jspan.Value) (out []jspan.Value) {
		eachResult(v.Get("result"), func(e jspan.Value) {
			switch r := geminiResult(e); {
			case r.Exists():
				out = append(out, geminiOutputs(r)...)
			case e.Kind == jspan.String:
				out = append(out, e)
			default:
				out = append(out, e.Get("text"))
			}
		})
		if shown := v.Get("resultDisplay"); shown.Kind == jspan.String && shown.Len() > 2 {
			out = append(out, shown)
		}
		return out
	})
}
