package frameworks

import (
	"bytes"
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// lcSummarySource marks the message as LangChain's own summarisation does.
const lcSummarySource = `{"lc_source":"summarization"}`

// Summary spells a human message in the form of its neighbour.
func (LangChain) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	form, body, _ := lcMessage(like)
	inner := edit.SpellLike(d, body).Str("content", s.Text).Raw("additional_kwargs", []byte(lcSummarySource)).
		Raw("response_metadata", []byte("{}"))
	switch form {
	case lcConstructor:
		class, err := lcHumanClass(d, like.Get("id"))
		if err != nil {
			return nil, err
		}
		return edit.SpellLike(d, like).Raw("lc", like.Get("lc").Raw()).Str("type", "constructor").Raw("id", class).
			Raw("kwargs", inner.Str("id", s.UID).Done()).Done(), nil
	case lcData:
		return edit.SpellLike(d, like).Str("type", "human").Raw("data", inner.Str("type", "human").Str("id", s.UID).Done()).Done(), nil
	}
	return inner.Str("type", "human").Str("id", s.UID).Done(), nil
}

// lcHumanClass is the neighbour's class path with the class of a human message.
func lcHumanClass(d *model.Document, path jspan.Value) ([]byte, error) {
	last := path.Index(path.Count() - 1)
	if last.Kind != jspan.String {
		return nil, fmt.Errorf("the neighbour names no class")
	}
	raw := path.Raw()
	at := last.Off - path.Off
	return bytes.Join([][]byte{raw[:at], edit.Quote(d, "HumanMessage"), raw[at+last.Len():]}, nil), nil
}

// ResultContent is the content of the tool message.
func (LangChain) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m, func(v jspan.Value) jspan.Value {
		_, body, _ := lcMessage(v)
		return body.Get("content")
	})
}
