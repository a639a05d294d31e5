package frameworks

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/anthropic"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// sdkCall is a call in a part.
type sdkCall struct {
	is       bool
	id, args jspan.Value
	name     string
	result   jspan.Value // Missing while it is open, or if it is elsewhere
	failed   bool
}

// sdkCallOf reads the call of a part: tool-call of the model's messages; for the
// window's tool-<name>, dynamic-tool, and tool-invocation of version 4, whose
// invocations may also be beside the text of a message.
func sdkCallOf(e jspan.Value) (c sdkCall) {
	t := e.Get("type").TextN(200)
	switch {
	case t == "tool-call":
		c = sdkCall{is: true, args: e.Get("input"), name: e.Get("toolName").TextN(200)}
		if !c.args.Exists() {
			c.args = e.Get("args")
		}
	case t == "tool-invocation", isInvocation(e):
		if t != "" {
			e = e.Get("toolInvocation")
		}
		c = sdkCall{is: true, args: e.Get("args"), name: e.Get("toolName").TextN(200), result: e.Get("result")}
	case t == "dynamic-tool", strings.HasPrefix(t, "tool-") && e.Has("toolCallId") && !strings.HasPrefix(t, "tool-approval-") &&
		t != "tool-result":
		c = sdkCall{is: true, args: e.Get("input"), name: strings.TrimPrefix(t, "tool-"), result: e.Get("output")}
		if t == "dynamic-tool" {
			c.name = e.Get("toolName").TextN(200)
		}
		if !c.args.Exists() {
			c.args = e.Get("rawInput")
		}
		if text := e.Get("errorText"); text.Exists() && !c.result.Exists() {
			c.result, c.failed = text, true
		}
	}
	c.id = e.Get("toolCallId")
	return c
}

// isInvocation recognises an element of toolInvocations.
func isInvocation(e jspan.Value) bool {
	return !e.Has("type") && e.Get("toolCallId").Kind == jspan.String && e.Get("toolName").Kind == jspan.String && e.Has("state")
}

// sdkOutput is the text of a tool-result part.
func sdkOutput(e jspan.Value) string {
	out := e.Get("output")
	if !out.Exists() {
		return codec.TextOrRaw(e.Get("result"))
	}
	value := out.Get("value")
	if out.Get("type").TextN(8) != "content" {
		return codec.TextOrRaw(value)
	}
	var texts []string
	for _, p := range value.Items {
		if t := p.Get("text"); t.Kind == jspan.String {
			texts = append(texts, t.Text())
		}
	}
	return strings.Join(texts, "\n")
}

// Parts implements [model.Codec]. A piece is a message, one of its parts, or a
// system prompt.
func (AISDK) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) {
		list := v.Get("parts")
		if list.Kind != jspan.Array {
			list = v.Get("content")
		}
		switch {
		case v.Kind == jspan.String:
			p.Text(m, v.Text())
		case !v.Has("role"):
			sdkPart(p, m, v)
		case list.Kind == jspan.String:
			p.Text(m, list.Text())
			for _, e := range v.Get("toolInvocations").Items {
				sdkPart(p, m, e)
			}
		default:
			for _, e := range list.Items {
				sdkPart(p, m, e)
			}
		}
	})
}

// Place puts the summary before the message that held the first thing it
// replaces, or behind it if kept parts are in front, or between them.
func (AISDK) Place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	at := *m
	at.Pieces = []model.Piece{edit.EditablePiece(d, th, m)}
	return anthropic.Messages{}.Place(d, th, &at, dropped)
}

// Summary spells a message of the user in the form its neighbour has; between
// kept parts, a text. A model's message says by its empty providerOptions that
// it is one of the SDK, which text alone would not show.
func (AISDK) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	o := edit.SpellLike(d, like)
	if !like.Has("role") {
		return o.Str("type", "text").Str("text", s.Text).Done(), nil
	}
	text := edit.TypedText(d, "text", s.Text)
	switch {
	case like.Get("toolInvocations").Exists() || like.Get("content").Kind == jspan.String && like.Has("id"): // of version 4, which has both
		return o.Str("id", s.UID).Str("role", "user").Str("content", s.Text).Raw("parts", text).Done(), nil
	case like.Get("parts").Kind == jspan.Array:
		return o.Str("id", s.UID).Str("role", "user").Raw("parts", text).Done(), nil
	}
	return o.Str("role", "user").Raw("content", text).Raw("providerOptions", []byte("{}")).Done(), nil
}

// ResultContent is the output of the call, or of the tool-result part. A list of
// contents stays one: only its texts are replaced.
func (AISDK) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpans(d, m, func(v jspan.Value) (texts []jspan.Value) {
		if v.Has("role") { // a message of one result
			v = v.Get("content").Index(0)
		}
		if call := sdkCallOf(v); call.is {
			return []jspan.Value{call.result}
		}
		out := v.Get("output")
		switch {
		case !out.Exists():
			return []jspan.Value{v.Get("result")}
		case out.Get("type").TextN(8) != "content":
			return []jspan.Value{out.Get("value")}
		}
		for _, e := range out.Get("value").Items {
			texts = append(texts, e.Get("text"))
		}
		return texts
	})
}

func sdkPart(p *codec.Parts, m *model.Message, e jspan.Value) {
	switch call := sdkCallOf(e); {
	case call.is && m.Kind == model.KindResult:
		p.Text(m, codec.TextOrRaw(call.result))
		return
	case call.is:
		p.Call(m, call.name, call.args)
		return
	}
	switch t := e.Get("type").TextN(200); t {
	case "text":
		p.Text(m, e.Get("text").Text())
	case "reasoning":
		text := e.Get("text")
		if !text.Exists() {
			text = e.Get("reasoning")
		}
		p.Reasoning(text.Text())
	case "tool-result":
		p.Text(m, sdkOutput(e))
		for _, v := range e.Get("output", "value").Items {
			if v.Kind == jspan.Object && !v.Has("text") {
				p.Media(v.Get("type").TextN(80), v)
			}
		}
	case "file", "image", "reasoning-file":
		name := codec.Either(e, "mediaType", "mimeType").TextN(80)
		if name == "" {
			name = t
		}
		p.Media(name, e)
	case "step-start":
	default:
		if t == "" {
			t = "part"
		}
		p.Opaque(t, e)
	}
}
