package frameworks

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/internal/google"
	"palimpsest/model/transcript/jspan"
)

// OTel reads messages in the form of OpenTelemetry's conventions for generative
// AI: gen_ai.input.messages with gen_ai.output.messages in the attributes of a
// span, an event or a log record, in OTLP or as an SDK prints them, or a bare
// array of such messages. Each span is a conversation: it repeats the history up
// to its call, so the last one of an agent holds all.
//
// Exporters may put the messages into a string. It is a packed text (see
// [edit.PackedSource]), and an edit spells it anew.
type OTel struct{ codec.Unlinked }

func (OTel) Info() codec.Info {
	return codec.Info{Format: model.FormatOTel, Title: "OpenTelemetry GenAI",
		How: "gen_ai.input.messages in attributes, also as strings and in OTLP, " +
			"or messages of {role, parts} whose parts have a type and content"}
}

func (OTel) Recognise(s *codec.Sniff) (int, string) {
	return s.ScoreLayout(87, isOTelConversation, "messages of gen_ai spans")
}

func (f OTel) Read(ctx context.Context, b *codec.Builder) error {
	return b.ReadConversations(ctx, isOTelConversation, func(v jspan.Value) {
		for _, t := range otelConversations(v) {
			f.conversation(b, t)
		}
		b.Packed = nil
	})
}

func (f OTel) conversation(b *codec.Builder, t otelConversation) {
	c := b.NewChat()
	defer c.Finish()
	c.Served = true
	f.span(c, t.attributes)
	for _, list := range []*jspan.Value{&t.system, &t.input, &t.output} {
		if inner, ok := b.UnpackString(*list); ok {
			*list = inner
		} else if list.Exists() && list.Kind != jspan.Array {
			b.NoteAt(*list, "unknown-record", "neither a list of messages nor a string that holds one; it is kept and not shown")
		}
	}
	if head := t.system.Index(0).Get("content").TextN(codec.PreviewScan); head != "" {
		c.Add(model.Message{Role: model.RoleSystem, Kind: model.KindSystem, Preview: codec.Preview(head),
			Pieces: []model.Piece{b.InnerPiece(t.system)}}, t.system)
	}
	b.EachMessage(t.input, func(e jspan.Value, p model.Piece) { f.message(c, e, p) })
	if answer := t.output.Index(0); answer.Exists() {
		b.Doc.Items++
		list, first := b.Array(t.output, model.Piece{}), len(c.Th.Messages)
		f.message(c, answer, b.Elem(list, 0))
		f.answered(c, t.attributes)
		c.Alternatives(first, list)
	}
}

// span reads what the attributes say of the conversation.
func (OTel) span(c *codec.Chat, a otelAttributes) {
	c.Conv.ID = a.get("gen_ai.conversation.id").TextN(200)
	c.Conv.Agents[0].Name = a.get("gen_ai.agent.name").TextN(100)
	for _, key := range []string{"gen_ai.request.model", "gen_ai.response.model"} {
		if name := a.get(key).TextN(200); name != "" {
			c.Conv.Model = name
		}
	}
}

// answered gives the usage of the call to its answer.
func (OTel) answered(c *codec.Chat, a otelAttributes) {
	u := model.Usage{Input: codec.Tokens(a.get("gen_ai.usage.input_tokens")), Output: codec.Tokens(a.get("gen_ai.usage.output_tokens")),
		CacheRead:  codec.Tokens(a.get("gen_ai.usage.cache_read.input_tokens")),
		CacheWrite: codec.Tokens(a.get("gen_ai.usage.cache_creation.input_tokens"))}
	if n := len(c.Th.Messages); u != (model.Usage{}) && n > 0 {
		c.Th.Messages[n-1].Usage = &u
	}
}

// message adds what one message holds: each response to a call is one of its
// own.
func (f OTel) message(c *codec.Chat, v jspan.Value, p model.Piece) {
	m := model.Message{Name: c.B.Intern(v.Get("name").TextN(200))}
	m.Role, m.Kind = codec.RoleOf(v.Get("role"))
	if m.Kind == model.KindOther {
		c.B.NoteRole(v, "role", v.Get("role").TextN(40))
	}
	if m.Kind == model.KindResult { // what is no response in it is a word of the tool
		m.Kind = model.KindUser
	}
	list, kind := v.Get("parts"), m.Kind
	runs := codec.CutRuns(list, kind, func(e jspan.Value) (model.Kind, bool, bool) {
		switch {
		case e.Get("type").TextN(24) == "tool_call_response":
			return model.KindResult, true, false
		case kind != model.KindAssistant && codec.IsSummaryText(e.Get("content").TextN(codec.MarkScan)):
			return model.KindSummary, true, false
		}
		return kind, false, false
	})
	c.B.EachRun(list, p, m, runs, func(r codec.BlockRun, one model.Message) { f.run(c, one, v, list, r) })
}

// run completes the message of one run of parts and adds it.
func (OTel) run(c *codec.Chat, m model.Message, v, list jspan.Value, r codec.BlockRun) {
	var head codec.Headline
	r.Each(list, func(e jspan.Value) {
		switch e.Get("type").TextN(24) {
		case "text":
			head.Add(e.Get("content").TextN(codec.PreviewScan))
		case "tool_call":
			m.Calls = append(m.Calls, model.Call{ID: e.Get("id").TextN(200), Name: c.B.Intern(e.Get("name").TextN(200))})
		case "server_tool_call": // the provider's own: nothing is waited for
			m.Calls = append(m.Calls, model.Call{Name: c.B.Intern(e.Get("name").TextN(200))})
		case "tool_call_response":
			m.Role, m.Answers = model.RoleTool, e.Get("id").TextN(200)
			head.Text = codec.HeadOf(codec.TextOrRaw(otelResponse(e)))
		}
	})
	if m.Kind == model.KindUser && m.Role == model.RoleTool {
		m.Origin = model.OriginObservation
	}
	c.AddHeaded(m, &head, v)
}

// otelResponse is what came of a call, in either spelling.
func otelResponse(e jspan.Value) jspan.Value { return codec.Either(e, "response", "result") }

// Parts implements [model.Codec]. A piece is a message, one of its parts, or the
// list of system instructions.
func (OTel) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) {
		list := v
		if v.Has("role") {
			list = v.Get("parts")
		}
		if list.Kind != jspan.Array {
			otelPart(p, m, list)
			return
		}
		for _, e := range list.Items {
			otelPart(p, m, e)
		}
	})
}

// Place puts the summary before the message that held the first thing it
// replaces, or behind it if kept parts are in front; that of an answer goes to
// the end of the input.
func (OTel) Place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	return google.Gemini{}.Place(d, th, m, dropped)
}

// Summary spells a message of the user, or a part of one between kept parts.
func (OTel) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	o := edit.SpellLike(d, like)
	if !like.Has("role") {
		return o.Str("type", "text").Str("content", s.Text).Done(), nil
	}
	o.Str("role", "user").Raw("parts", edit.TextBlocks(d, "content", s.Text))
	if like.Has("finish_reason") {
		o.Str("finish_reason", "stop")
	}
	return o.Done(), nil
}

// ResultContent is the response of the call.
func (OTel) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpans(d, m, func(v jspan.Value) []jspan.Value {
		if v.Has("role") {
			v = v.Get("parts").Index(0)
		}
		return []jspan.Value{otelResponse(v)}
	})
}

func otelPart(p *codec.Parts, m *model.Message, e jspan.Value) {
	switch t := e.Get("type").TextN(80); t {
	case "text":
		p.Text(m, codec.TextOrRaw(e.Get("content")))
	case "reasoning":
		p.Reasoning(codec.TextOrRaw(e.Get("content")))
	case "tool_call":
		p.Call(m, e.Get("name").Text(), e.Get("arguments"))
	case "server_tool_call":
		p.Call(m, e.Get("name").Text(), e.Get(t))
	case "tool_call_response":
		p.Text(m, codec.TextOrRaw(otelResponse(e)))
	case "server_tool_call_response":
		p.Add(model.Part{Kind: model.PartResult, Text: codec.TextOrRaw(e.Get(t))})
	case "blob", "file", "uri":
		name := e.Get("mime_type").TextN(80)
		if name == "" {
			name = strings.TrimSpace(t + " " + e.Get("modality").TextN(20))
		}
		p.Media(name, e)
	default:
		if t == "" {
			t = "part"
		}
		p.Opaque(t, e)
	}
}
