package openai

import (
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

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

// Carries reports whether it is a record, of which Codex reads the members it knows; an
// item is sent to the provider, which does not.
func (Codex) Carries(like jspan.Value) bool { return like.Has("payload") }

// ResultContent is the output of the call, and what events repeat of it.
func (Codex) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpans(d, m.Pieces, func(item jspan.Value, p model.Piece) (out []jspan.Value) {
		if pl := item.Get("payload"); pl.Kind == jspan.Object {
			item = pl
		}
		if !p.Duplicate {
			return []jspan.Value{item.Get("output")}
		}
		for _, k := range []string{"stdout", "stderr", "aggregated_output", "formatted_output"} {
			if o := item.Get(k); o.Kind == jspan.String && o.Len() > 2 {
				out = append(out, o)
			}
		}
		ok := item.Get("result", "Ok")
		for _, c := range ok.Get("content").Items {
			if t := c.Get("text"); t.Kind == jspan.String {
				out = append(out, t)
			}
		}
		if s := ok.Get("structuredContent"); s.Kind != jspan.Null {
			out = append(out, s)
		}
		return out
	})
}

// Native writes a compacted record with what replaces the history, and the event
// behind it, as recent versions of Codex do; summaries are readable messages.
func (f Codex) Native(d *model.Document, th *model.Thread, n *codec.Native) ([][]byte, error) {
	var items [][]byte
	for _, it := range n.Items {
		if it.Msg < 0 {
			items = append(items, codexMessage(d, n.Summary(it.Record)))
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
			items = append(items, item)
		}
	}
	when := n.Time.UTC().Format("2006-01-02T15:04:05.000Z")
	payload := edit.NewObject(d).Str("message", "").Raw("replacement_history", edit.List(items...)).Done()
	event := edit.NewObject(d).Str("type", "context_compacted").Done()
	return [][]byte{
		edit.NewObject(d).Str("timestamp", when).Str("type", "compacted").Raw("payload", payload).Done(),
		edit.NewObject(d).Str("timestamp", when).Str("type", "event_msg").Raw("payload", event).Done(),
	}, nil
}

// itemBytes is the item of a piece as the source spells it. A note, if there is
// one, replaces its output.
func (Codex) itemBytes(d *model.Document, p model.Piece, note string) ([]byte, error) {
	v, err := edit.ParsePiece(d, p)
	if err != nil {
		return nil, err
	}
	if edit.IsTextElem(d, p) {
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
