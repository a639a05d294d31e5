package coders

import (
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

func (Copilot) Place(_ *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return m.Pieces[0], false
}

// Summary spells a message of the user's, or the text of an older compaction.
// It has the time of the event it stands for: the chain is read in order.
func (Copilot) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	data := edit.NewObject(d).Str("content", s.Text).Raw("attachments", []byte("[]"))
	for _, k := range []string{"interactionId", "parentToolCallId"} {
		if x := like.Get("data", k); x.Exists() {
			data.Raw(k, x.Raw())
		}
	}
	o := edit.NewObject(d).Str("type", "user.message").Raw("data", data.Done()).Str("id", s.UID)
	if when := like.Get("timestamp"); when.Exists() {
		o.Raw("timestamp", when.Raw())
	}
	return o.Raw("parentId", s.Parent).Done(), nil
}

// ResultContent is what the model got, the longer form for the screen, and what
// a hook was told of it.
func (Copilot) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	var spans []model.Span
	for _, p := range m.Pieces {
		v, err := edit.ParseAt(d, p.Span)
		if err != nil {
			return nil, err
		}
		data := v.Get("data")
		values := []jspan.Value{copilotOutput(data), data.Get("result", "detailedContent")}
		if p.Duplicate {
			told := data.Get("input", "toolResult")
			values = []jspan.Value{told.Get("textResultForLlm"), told.Get("sessionLog")}
		}
		for _, x := range values {
			if x.Exists() {
				spans = append(spans, edit.Within(p.Span, x))
			}
		}
	}
	if len(spans) == 0 {
		return nil, fmt.Errorf("the result has no content")
	}
	return spans, nil
}

func CopilotIDs(v jspan.Value, ref func(field string, parent bool, at jspan.Value)) string {
	if p := v.Get("parentId"); p.Exists() {
		ref("parentId", true, p)
	}
	return v.Get("id").Text()
}

// Relink closes the chain over what goes.
func (Copilot) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	if err := edit.EmptyTexts(d, th, c, e); err != nil {
		return nil, err
	}
	l, err := edit.ReadLinks(d, e, CopilotIDs)
	if err != nil {
		return nil, err
	}
	for i := range c.Summaries {
		s := &c.Summaries[i]
		s.Parent = edit.QuoteOrNull(d, l.PlaceSummary(th.Messages[s.Before].Pieces[0].Off, s.UID))
	}
	return l.Relink(e, func(_, id string) []byte { return edit.QuoteOrNull(d, id) }), nil
}
