package openai

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Place is where the message's first item stands: a record, or an element of
// what an earlier compaction left.
func (Codex) Place(_ *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return m.Pieces[0], false
}

// Summary spells a user message: a response_item record, a bare item in the flat
// form and inside replacement_history, a string in place of an older summary.
func (Codex) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	item := codexMessage(d, s.Text)
	if !like.Has("payload") {
		return item, nil
	}
	o := edit.NewObject(d)
	if t := like.Get("timestamp"); t.Exists() {
		o.Raw("timestamp", t.Raw())
	}
	return o.Str("type", "response_item").Raw("payload", item).Done(), nil
}

// ResultContent is the output of the call, and what events repeat of it.
func (Codex) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	var spans []model.Span
	for _, p := range m.Pieces {
		v, err := edit.ParsePiece(d, p)
		if err != nil {
			return nil, err
		}
		item := v
		if pl := v.Get("payload"); pl.Kind == jspan.Object {
			item = pl
		}
		if !p.Duplicate {
			if o := item.Get("output"); o.Exists() {
				spans = append(spans, edit.Within(p.Span, o))
			}
			continue
		}
		for _, k := range []string{"stdout", "stderr", "aggregated_output", "formatted_output"} {
			if o := item.Get(k); o.Kind == jspan.String && o.Len() > 2 {
				spans = append(spans, edit.Within(p.Span, o))
			}
		}
		ok := item.Get("result", "Ok")
		for _, c := range ok.Get("content").Items {
			if t := c.Get("text"); t.Kind == jspan.String {
				spans = append(spans, edit.Within(p.Span, t))
			}
		}
		if s := ok.Get("structuredContent"); s.Exists() && s.Kind != jspan.Null {
			spans = append(spans, edit.Within(p.Span, s))
		}
	}
	return spans, nil
}

// Relink has no references to mend. The text of an older compaction that goes
// without a summary in its place becomes empty.
func (Codex) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	return nil, edit.EmptyTexts(d, th, c, e)
}
