package google

import (
	"palimpsest/model"
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
func (GeminiCLI) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like model.Piece) ([]byte, error) {
	v, err := edit.ParseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	content := edit.Quote(d, s.Text)
	if v.Get("content").Kind == jspan.Array {
		content = append(append([]byte{'['}, edit.NewObject(d).Str("text", s.Text).Done()...), ']')
	}
	return edit.SpellLike(d, v).Str("id", s.UID).Str("timestamp", s.Time.UTC().Format("2006-01-02T15:04:05.000Z")).
		Str("type", "user").Raw("content", content).Done(), nil
}

// ResultContent is the output in the function responses, and what is kept for
// the eye beside them.
func (GeminiCLI) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	p := m.Pieces[0]
	v, err := edit.ParseAt(d, p.Span)
	if err != nil {
		return nil, err
	}
	var spans []model.Span
	eachResult(v.Get("result"), func(e jspan.Value) {
		switch r := geminiResult(e); {
		case r.Exists():
			for _, out := range geminiOutputs(r) {
				spans = append(spans, edit.Within(p.Span, out))
			}
		case e.Kind == jspan.String:
			spans = append(spans, edit.Within(p.Span, e))
		case e.Has("text"):
			spans = append(spans, edit.Within(p.Span, e.Get("text")))
		}
	})
	if shown := v.Get("resultDisplay"); shown.Kind == jspan.String && shown.Len() > 2 {
		spans = append(spans, edit.Within(p.Span, shown))
	}
	return spans, nil
}
