package transcript

import (
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// place is where the message's first item stands: a record, or an element of
// what an earlier compaction left.
func (codex) place(_ *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return m.Pieces[0], false
}

// summary spells a user message: a response_item record, a bare item in the flat
// form and inside replacement_history, a string in place of an older summary.
func (codex) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	if isText, err := inText(d, like); isText || err != nil {
		return quote(d, s.Text), err
	}
	content := append(append([]byte{'['}, newObject(d).str("type", "input_text").str("text", s.Text).done()...), ']')
	item := newObject(d).str("type", "message").str("role", "user").raw("content", content).done()
	if like.Array >= 0 {
		return item, nil
	}
	v, err := parsePiece(d, like)
	if err != nil {
		return nil, err
	}
	if !v.Has("payload") {
		return item, nil
	}
	o := newObject(d)
	if t := v.Get("timestamp"); t.Exists() {
		o.raw("timestamp", t.Raw())
	}
	return o.str("type", "response_item").raw("payload", item).done(), nil
}

// resultContent is the output of the call, and what events repeat of it.
func (codex) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	var spans []model.Span
	for _, p := range m.Pieces {
		v, err := parsePiece(d, p)
		if err != nil {
			return nil, err
		}
		item := v
		if pl := v.Get("payload"); pl.Kind == jspan.Object {
			item = pl
		}
		if !p.Duplicate {
			if o := item.Get("output"); o.Exists() {
				spans = append(spans, within(p.Span, o))
			}
			continue
		}
		for _, k := range []string{"stdout", "stderr", "aggregated_output", "formatted_output"} {
			if o := item.Get(k); o.Kind == jspan.String && o.Len() > 2 {
				spans = append(spans, within(p.Span, o))
			}
		}
		ok := item.Get("result", "Ok")
		ok.Get("content").Items(func(_ int, c jspan.Value) bool {
			if t := c.Get("text"); t.Kind == jspan.String {
				spans = append(spans, within(p.Span, t))
			}
			return true
		})
		if s := ok.Get("structuredContent"); s.Exists() && s.Kind != jspan.Null {
			spans = append(spans, within(p.Span, s))
		}
	}
	return spans, nil
}

// relink has no references to mend. The text of an older compaction that goes
// without a summary in its place becomes empty.
func (codex) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	return nil, emptyTexts(d, th, c, e)
}
