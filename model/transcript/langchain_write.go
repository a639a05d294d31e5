package transcript

import (
	"bytes"
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// lcSummarySource marks the message as LangChain's own summarisation does.
const lcSummarySource = `{"lc_source":"summarization"}`

// summary spells a human message in the form of its neighbour.
func (langChain) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	form, body, _ := lcMessage(v)
	inner := spellLike(d, body).str("content", s.Text).raw("additional_kwargs", []byte(lcSummarySource)).
		raw("response_metadata", []byte("{}"))
	switch form {
	case lcConstructor:
		class, err := lcHumanClass(d, v.Get("id"))
		if err != nil {
			return nil, err
		}
		return spellLike(d, v).raw("lc", v.Get("lc").Raw()).str("type", "constructor").raw("id", class).
			raw("kwargs", inner.str("id", s.UID).done()).done(), nil
	case lcData:
		return spellLike(d, v).str("type", "human").raw("data", inner.str("type", "human").str("id", s.UID).done()).done(), nil
	}
	return inner.str("type", "human").str("id", s.UID).done(), nil
}

// lcHumanClass is the neighbour's class path with the class of a human message.
func lcHumanClass(d *model.Document, path jspan.Value) ([]byte, error) {
	last := path.Index(path.Count() - 1)
	if last.Kind != jspan.String {
		return nil, fmt.Errorf("the neighbour names no class")
	}
	raw := path.Raw()
	at := last.Off - path.Off
	return bytes.Join([][]byte{raw[:at], quote(d, "HumanMessage"), raw[at+last.Len():]}, nil), nil
}

// resultContent is the content of the tool message.
func (langChain) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	at := m.Pieces[0].Span
	v, err := parseAt(d, at)
	if err != nil {
		return nil, err
	}
	_, body, _ := lcMessage(v)
	if content := body.Get("content"); content.Exists() {
		return []model.Span{within(at, content)}, nil
	}
	return nil, fmt.Errorf("the result has no content")
}
