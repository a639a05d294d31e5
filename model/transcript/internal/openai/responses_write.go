package openai

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec].
func (Responses) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadItems(d, m, func(v jspan.Value, out []model.Part) []model.Part { return responseItemParts(m, v, out) })
}

// responseItemParts decodes an item with what the provider's own tools gave.
func responseItemParts(m *model.Message, v jspan.Value, out []model.Part) []model.Part {
	switch t := v.Get("type").TextN(24); t {
	case "mcp_approval_request":
		return append(out, model.Part{Kind: model.PartCall, CallID: v.Get("id").Text(), Name: v.Get("name").Text(),
			Text: codec.TextOrRaw(v.Get("arguments"))})
	case "mcp_approval_response":
		return append(out, model.Part{Kind: model.PartResult, Text: "approve: " + string(v.Get("approve").Raw())})
	case "image_generation_call":
		out = codec.ItemParts(v, out)
		if img := v.Get("result"); img.Kind == jspan.String {
			out = append(out, codec.MediaPart("image", img))
		}
		return out
	case "mcp_call":
		out = codec.ItemParts(v, out)
		p := model.Part{Kind: model.PartResult, Name: v.Get("name").Text(), Text: v.Get("output").Text()}
		if e := v.Get("error"); e.Exists() && e.Kind != jspan.Null {
			p.Text, p.Error = codec.TextOrRaw(e), true
		}
		return append(out, p)
	case "code_interpreter_call", "file_search_call":
		out = codec.ItemParts(v, out)
		for _, list := range codec.MembersOf(v, "outputs", "results") {
			for _, e := range list.Items {
				text := codec.FirstOf(e.Get("logs").Text(), e.Get("text").Text())
				out = append(out, model.Part{Kind: model.PartResult, Name: strings.TrimSuffix(t, "_call"), Text: text})
			}
		}
		return out
	}
	if t := v.Get("type").TextN(40); strings.HasSuffix(t, "_call") && codec.KindOfItem(v) == codec.ItemOther {
		return append(out, codec.CallPart(v, t))
	}
	return codec.ItemParts(v, out)
}

// Place puts the summary before the first item it replaces. In a response
// beside its request it goes to the end of the request: a response holds what
// the model said, nothing else.
func (Responses) Place(d *model.Document, th *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	if at, ok := edit.LastOfOtherList(d, th, m); ok {
		return at, true
	}
	return m.Pieces[0], false
}

// Summary spells a message item: the user's, or the assistant's where it is all
// that a response holds.
func (Responses) Summary(d *model.Document, th *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	o := edit.SpellLike(d, like).Str("type", "message")
	for i := range th.Messages {
		if k := th.Messages[i].Kind; k == model.KindUser || k == model.KindResult {
			return o.Str("role", "user").Raw("content", edit.TypedText(d, "input_text", s.Text)).Done(), nil
		}
	}
	return o.Str("role", "assistant").Raw("content", edit.TypedText(d, "output_text", s.Text)).Done(), nil
}

// ResultContent is the output of the call; where the output is a list of
// streams, the text of each, because its reader wants the list. An approval has
// no output, and nothing to clear.
func (Responses) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpans(d, m.Pieces[:1], func(v jspan.Value, _ model.Piece) (streams []jspan.Value) {
		o := v.Get("output")
		for _, e := range o.Items {
			for _, k := range []string{"stdout", "stderr"} {
				if t := e.Get(k); t.Kind == jspan.String && t.Len() > 2 {
					streams = append(streams, t)
				}
			}
		}
		if len(streams) > 0 {
			return streams
		}
		if c := o.Get("content"); c.Exists() {
			o = c
		}
		return []jspan.Value{o}
	})
}
