package openai

import (
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Native writes a compacted record with what replaces the history, and the event
// behind it, as recent versions of Codex do; summaries are readable messages.
func (f Codex) Native(d *model.Document, th *model.Thread, n *codec.Native) ([][]byte, error) {
	list := []byte{'['}
	add := func(item []byte) {
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, item...)
	}
	for _, it := range n.Items {
		if it.Msg < 0 {
			add(codexMessage(d, n.Summary(it.Record)))
			continue
		}
		m := &th.Messages[it.Msg]
		for _, p := range m.Pieces {
			if p.Duplicate {
				continue
			}
			note := ""
			if it.Cleared {
				note = n.Note(it.Msg)
			}
			item, err := f.itemBytes(d, p, note)
			if err != nil {
				return nil, err
			}
			add(item)
		}
	}
	list = append(list, ']')
	when := n.Time.UTC().Format("2006-01-02T15:04:05.000Z")
	payload := edit.NewObject(d).Str("message", "").Raw("replacement_history", list).Done()
	event := edit.NewObject(d).Str("type", "context_compacted").Done()
	return [][]byte{
		edit.NewObject(d).Str("timestamp", when).Str("type", "compacted").Raw("payload", payload).Done(),
		edit.NewObject(d).Str("timestamp", when).Str("type", "event_msg").Raw("payload", event).Done(),
	}, nil
}

// itemBytes is the item of a piece as the source spells it. A note, if there is
// one, stands for its output.
func (Codex) itemBytes(d *model.Document, p model.Piece, note string) ([]byte, error) {
	isText, err := edit.IsTextElem(d, p)
	if err != nil {
		return nil, err
	}
	v, err := edit.ParsePiece(d, p)
	if err != nil {
		return nil, err
	}
	if isText {
		return codexMessage(d, v.Text()), nil
	}
	if pl := v.Get("payload"); pl.Kind == jspan.Object {
		v = pl
	}
	raw := v.Raw()
	if o := v.Get("output"); note != "" && o.Exists() {
		at := o.Off - v.Off
		return slices.Concat(raw[:at], edit.Quote(d, note), raw[at+o.Len():]), nil
	}
	return raw, nil
}

// codexMessage spells a user message.
func codexMessage(d *model.Document, text string) []byte {
	return edit.NewObject(d).Str("type", "message").Str("role", "user").Raw("content", edit.TypedText(d, "input_text", text)).Done()
}
