package histories

import (
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/internal/openai"
	"palimpsest/model/transcript/jspan"
)

func (HistoryItems) Place(_ *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return m.Pieces[0], false
}

// Summary spells a user message, as Codex does, in the form of its neighbour.
func (HistoryItems) Summary(d *model.Document, th *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	if like.Has("type") || like.Has("role") {
		return openai.Codex{}.Summary(d, th, s, like)
	}
	block := edit.NewObject(d).Str("text", s.Text).Done()
	message := edit.NewObject(d).Str("role", "user").Raw("content", append(append([]byte{'['}, block...), ']')).Done()
	return edit.NewObject(d).Raw("message", message).Done(), nil
}

// ResultContent is the output of the call.
func (HistoryItems) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	var spans []model.Span
	for _, p := range m.Pieces {
		v, err := edit.ParsePiece(d, p)
		if err != nil {
			return nil, err
		}
		_, body := historyitem.Unwrap(v)
		if o := body.Get("output"); o.Exists() {
			spans = append(spans, edit.Within(p.Span, o))
		}
	}
	if len(spans) == 0 {
		return nil, fmt.Errorf("the result has no output")
	}
	return spans, nil
}

// Relink has nothing to mend: items refer to each other by call ids only, and
// no group is ever split. The numbers beside the lists tell of the whole
// conversation, which a compaction does not make shorter.
func (HistoryItems) Relink(*model.Document, *model.Thread, *edit.Change, *edit.Edits) ([]edit.Relink, error) {
	return nil, nil
}
