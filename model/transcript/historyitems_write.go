package transcript

import (
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

func (historyItems) place(_ *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return m.Pieces[0], false
}

// summary spells a user message, as Codex does, in the form of its neighbour.
func (historyItems) summary(d *model.Document, th *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parsePiece(d, like)
	if err != nil {
		return nil, err
	}
	if v.Has("type") || v.Has("role") {
		return codex{}.summary(d, th, s, like)
	}
	block := newObject(d).str("text", s.Text).done()
	message := newObject(d).str("role", "user").raw("content", append(append([]byte{'['}, block...), ']')).done()
	return newObject(d).raw("message", message).done(), nil
}

// resultContent is the output of the call.
func (historyItems) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	var spans []model.Span
	for _, p := range m.Pieces {
		v, err := parsePiece(d, p)
		if err != nil {
			return nil, err
		}
		_, body := historyitem.Unwrap(v)
		if o := body.Get("output"); o.Exists() {
			spans = append(spans, within(p.Span, o))
		}
	}
	if len(spans) == 0 {
		return nil, fmt.Errorf("the result has no output")
	}
	return spans, nil
}

// relink has nothing to mend: items refer to each other by call ids only, and
// no group is ever split. The numbers beside the lists tell of the whole
// conversation, which a compaction does not make shorter.
func (historyItems) relink(*model.Document, *model.Thread, *Change, *Edits) ([]Relink, error) {
	return nil, nil
}
