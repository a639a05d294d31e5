package openai

import (
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Place puts the summary before the first message it replaces. What stands
// outside the list of messages (a response beside its request) has it behind
// the last message of the list.
func (Chat) Place(d *model.Document, th *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	p := m.Pieces[0]
	if p.Array < 0 {
		return p, false
	}
	v, err := edit.ParseAt(d, p.Span)
	if err != nil || v.Get("message").Kind != jspan.Object {
		return p, false
	}
	if at, ok := edit.LastOfOtherList(d, th, m); ok {
		return at, true
	}
	return p, false
}

// Summary spells a system message (spec C6) with the members in the order and
// the white space of its neighbour.
func (Chat) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	if inner := like.Get("message"); inner.Kind == jspan.Object {
		body := edit.SpellLike(d, inner).Str("role", "system").Str("content", s.Text).Done()
		return edit.SpellLike(d, like).Raw("index", []byte("0")).Raw("message", body).Done(), nil
	}
	content := edit.Quote(d, s.Text)
	contentFirst := false
	first := true
	for key, val := range like.Each {
		if first && string(key) == "content" {
			contentFirst = true
		}
		first = false
		if string(key) == "content" && val.Index(0).Get("value").Kind == jspan.String {
			content = edit.TextBlocks(d, "value", s.Text) // a reader of typed parts takes nothing else
		}
	}
	o := edit.SpellLike(d, like)
	if contentFirst {
		return o.Raw("content", content).Str("role", "system").Done(), nil
	}
	return o.Str("role", "system").Raw("content", content).Done(), nil
}

// ResultContent is the content of the tool message.
func (Chat) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	var spans []model.Span
	for _, p := range m.Pieces {
		v, err := edit.ParseAt(d, p.Span)
		if err != nil {
			return nil, err
		}
		content := v.Get("content")
		if one := content.Index(0).Get("value"); content.Count() == 1 && one.Kind == jspan.String {
			content = one
		}
		if content.Exists() {
			spans = append(spans, edit.Within(p.Span, content))
		}
	}
	if len(spans) == 0 {
		return nil, fmt.Errorf("the result has no content")
	}
	return spans, nil
}

// Relink mends one thing: where the first choice of an answer goes and no
// summary takes its place, the others go as well, or one of them would become
// the answer. Messages refer to each other by call ids only, and no group is
// ever split.
func (f Chat) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	for _, i := range c.Drop {
		p := th.Messages[i].Pieces[0]
		if p.Array < 0 || len(d.Arrays[p.Array].Elems) < 2 {
			continue
		}
		if v, err := edit.ParseAt(d, p.Span); err != nil {
			return nil, err
		} else if v.Get("message").Kind != jspan.Object {
			continue
		}
		if _, beside := f.Place(d, th, &th.Messages[i], e.Dropped); !beside && edit.HasSummary(c, i) {
			continue
		}
		for _, el := range d.Arrays[p.Array].Elems {
			e.Drop(model.Piece{Span: el, Array: p.Array})
		}
	}
	return nil, nil
}
