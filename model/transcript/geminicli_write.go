package transcript

import (
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// place puts the summary where the first message stood that it replaces: at the
// earliest of its records, because a log keeps a message's place when a later
// record replaces it.
func (geminiCLI) place(d *model.Document, th *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	at := heldBy(d, th, m)
	for _, p := range m.Pieces {
		if p.Off < at.Off && standing(d, p) {
			at = p
		}
	}
	return at, false
}

// summary spells a recorded message of the user.
func (geminiCLI) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	content := quote(d, s.Text)
	if v.Get("content").Kind == jspan.Array {
		content = append(append([]byte{'['}, newObject(d).str("text", s.Text).done()...), ']')
	}
	return spellLike(d, v).str("id", s.UID).str("timestamp", s.Time.UTC().Format("2006-01-02T15:04:05.000Z")).
		str("type", "user").raw("content", content).done(), nil
}

// resultContent is the output in the function responses, and what is kept for
// the eye beside them.
func (geminiCLI) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	p := m.Pieces[0]
	v, err := parseAt(d, p.Span)
	if err != nil {
		return nil, err
	}
	var spans []model.Span
	eachResult(v.Get("result"), func(e jspan.Value) {
		switch r := geminiResult(e); {
		case r.Exists():
			for _, out := range geminiOutputs(r) {
				spans = append(spans, within(p.Span, out))
			}
		case e.Kind == jspan.String:
			spans = append(spans, within(p.Span, e))
		case e.Has("text"):
			spans = append(spans, within(p.Span, e.Get("text")))
		}
	})
	if shown := v.Get("resultDisplay"); shown.Kind == jspan.String && shown.Len() > 2 {
		spans = append(spans, within(p.Span, shown))
	}
	return spans, nil
}
