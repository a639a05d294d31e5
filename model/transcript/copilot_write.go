package transcript

import (
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

func (copilot) place(_ *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return m.Pieces[0], false
}

// summary spells a message of the user's, or the text of an older compaction.
// It has the time of the event it stands for: the chain is read in order.
func (copilot) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	if isText, err := inText(d, like); isText || err != nil {
		return quote(d, s.Text), err
	}
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	data := newObject(d).str("content", s.Text).raw("attachments", []byte("[]"))
	for _, k := range []string{"interactionId", "parentToolCallId"} {
		if x := v.Get("data", k); x.Exists() {
			data.raw(k, x.Raw())
		}
	}
	o := newObject(d).str("type", "user.message").raw("data", data.done()).str("id", s.UID)
	if when := v.Get("timestamp"); when.Exists() {
		o.raw("timestamp", when.Raw())
	}
	return o.raw("parentId", s.parent).done(), nil
}

// resultContent is what the model got, the longer form for the screen, and what
// a hook was told of it.
func (copilot) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	var spans []model.Span
	for _, p := range m.Pieces {
		v, err := parseAt(d, p.Span)
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
				spans = append(spans, within(p.Span, x))
			}
		}
	}
	if len(spans) == 0 {
		return nil, fmt.Errorf("the result has no content")
	}
	return spans, nil
}

func copilotIDs(v jspan.Value, ref func(field string, parent bool, at jspan.Value)) string {
	if p := v.Get("parentId"); p.Exists() {
		ref("parentId", true, p)
	}
	return v.Get("id").Text()
}

// relink closes the chain over what goes.
func (copilot) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	if err := emptyTexts(d, th, c, e); err != nil {
		return nil, err
	}
	l, err := readLinks(d, e, copilotIDs)
	if err != nil {
		return nil, err
	}
	for i := range c.Summaries {
		s := &c.Summaries[i]
		s.parent = quoteOrNull(d, l.stand(th.Messages[s.Before].Pieces[0].Off, s.UID))
	}
	return l.mend(e, func(_, id string) []byte { return quoteOrNull(d, id) }), nil
}
