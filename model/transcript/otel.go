package transcript

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// otel reads messages in the form of OpenTelemetry's conventions for generative
// AI: gen_ai.input.messages with gen_ai.output.messages in the attributes of a
// span, an event or a log record, in OTLP or as an SDK prints them, or a bare
// array of such messages. Each span is a conversation: it repeats the history up
// to its call, so the last one of an agent holds all.
//
// Exporters may put the messages into a string. It is a packed text (see
// packedSource), and an edit spells it anew.
type otel struct{ unlinked }

func (otel) info() Info {
	return Info{model.FormatOTel, "OpenTelemetry GenAI", "gen_ai.input.messages in attributes, also as strings and in OTLP, or messages of {role, parts} whose parts have a type and content"}
}

func (otel) recognise(s *sniff) (int, string) {
	if shape := s.talkShape(isOTelTalk, "messages of gen_ai spans"); shape != "" {
		return 87, shape
	}
	return 0, ""
}

func (f otel) read(ctx context.Context, b *builder) error {
	return b.readTalks(ctx, isOTelTalk, func(v jspan.Value) {
		for _, t := range otelTalks(v) {
			f.talk(b, t)
		}
		b.packed = nil
	})
}

func (f otel) talk(b *builder, t otelTalk) {
	c := b.newChat()
	defer c.finish()
	c.served = true
	f.span(c, t.attributes)
	for _, list := range []*jspan.Value{&t.system, &t.input, &t.output} {
		if inner, ok := b.unpackString(*list); ok {
			*list = inner
		} else if list.Exists() && list.Kind != jspan.Array {
			b.noteAt(*list, "unknown-record", "neither a list of messages nor a string that holds one; it is kept and not shown")
		}
	}
	if head := t.system.Index(0).Get("content").TextN(previewScan); head != "" {
		c.add(model.Message{Role: model.RoleSystem, Kind: model.KindSystem, Preview: preview(head), Pieces: []model.Piece{b.inner(t.system)}}, t.system)
	}
	b.eachElement(t.input, func(e jspan.Value, p model.Piece) { f.message(c, e, p) })
	if answer := t.output.Index(0); answer.Exists() {
		b.doc.Items++
		list, first := b.array(t.output, model.Piece{}), len(c.th.Messages)
		f.message(c, answer, b.elem(list, 0))
		f.answered(c, t.attributes)
		c.alternatives(first, list)
	}
}

// span reads what the attributes tell of the conversation.
func (otel) span(c *chat, a otelAttributes) {
	c.conv.ID = a.get("gen_ai.conversation.id").TextN(200)
	c.conv.Agents[0].Name = a.get("gen_ai.agent.name").TextN(100)
	for _, key := range []string{"gen_ai.request.model", "gen_ai.response.model"} {
		if name := a.get(key).TextN(200); name != "" {
			c.conv.Model = name
		}
	}
}

// answered gives the usage of the call to its answer.
func (otel) answered(c *chat, a otelAttributes) {
	u := model.Usage{Input: tokens(a.get("gen_ai.usage.input_tokens")), Output: tokens(a.get("gen_ai.usage.output_tokens")),
		CacheRead: tokens(a.get("gen_ai.usage.cache_read.input_tokens")), CacheWrite: tokens(a.get("gen_ai.usage.cache_creation.input_tokens"))}
	if n := len(c.th.Messages); u != (model.Usage{}) && n > 0 {
		c.th.Messages[n-1].Usage = &u
	}
}

// message adds what one message holds: each response to a call is one of its
// own.
func (f otel) message(c *chat, v jspan.Value, p model.Piece) {
	m := model.Message{Name: c.b.intern(v.Get("name").TextN(200))}
	m.Role, m.Kind = roleOf(v.Get("role"))
	if m.Kind == model.KindOther {
		c.b.noteAt(v, "unknown-role", "unknown role "+string(quote(c.b.doc, v.Get("role").TextN(40)))+"; the message is kept")
	}
	list, kind := v.Get("parts"), m.Kind
	if kind == model.KindResult { // what is no response in it is a word of the tool
		kind = model.KindUser
	}
	runs := cutRuns(list, kind, func(e jspan.Value) (model.Kind, bool, bool) {
		switch {
		case e.Get("type").TextN(24) == "tool_call_response":
			return model.KindResult, true, false
		case kind != model.KindAssistant && isSummaryText(e.Get("content").TextN(markScan)):
			return model.KindSummary, true, false
		}
		return kind, false, false
	})
	c.b.eachRun(list, p, kind, runs, func(r blockRun, pieces []model.Piece) {
		one := m
		one.Kind, one.Pieces = r.kind, pieces
		f.run(c, one, v, list, r)
	})
}

// run completes the message of one run of parts and adds it.
func (otel) run(c *chat, m model.Message, v, list jspan.Value, r blockRun) {
	var head headline
	r.items(list, func(e jspan.Value) {
		switch e.Get("type").TextN(24) {
		case "text":
			head.add(e.Get("content").TextN(previewScan))
		case "tool_call":
			m.Calls = append(m.Calls, model.Call{ID: e.Get("id").TextN(200), Name: c.b.intern(e.Get("name").TextN(200))})
		case "server_tool_call": // the provider's own: nothing is waited for
			m.Calls = append(m.Calls, model.Call{Name: c.b.intern(e.Get("name").TextN(200))})
		case "tool_call_response":
			m.Role, m.Answers = model.RoleTool, e.Get("id").TextN(200)
			head.text = headOf(argumentText(otelResponse(e)))
		}
	})
	if m.Kind == model.KindUser {
		if m.Origin = head.origin(); m.Role == model.RoleTool {
			m.Origin = model.OriginObservation
		}
	}
	if m.Preview = preview(head.text); m.Preview == "" && len(m.Calls) > 0 {
		m.Preview = preview(m.Calls[0].Name)
	}
	c.add(m, v)
}

// otelResponse is what came of a call, in either spelling.
func otelResponse(e jspan.Value) jspan.Value { return eitherKey(e, "response", "result") }

// Parts implements [model.Codec]. A piece is a message, one of its parts, or the
// list of system instructions.
func (otel) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var p parts
	err := eachPiece(d, m, func(v jspan.Value) {
		list := v
		if v.Has("role") {
			list = v.Get("parts")
		}
		if list.Kind != jspan.Array {
			p.otelPart(m, list)
			return
		}
		list.Items(func(_ int, e jspan.Value) bool {
			p.otelPart(m, e)
			return true
		})
	})
	return p.done(), err
}

func (p *parts) otelPart(m *model.Message, e jspan.Value) {
	switch t := e.Get("type").TextN(80); t {
	case "text":
		p.text(m, argumentText(e.Get("content")))
	case "reasoning":
		p.reasoning(argumentText(e.Get("content")))
	case "tool_call":
		p.call(m, e.Get("name").Text(), e.Get("arguments"))
	case "server_tool_call":
		p.call(m, e.Get("name").Text(), e.Get(t))
	case "tool_call_response":
		p.text(m, argumentText(otelResponse(e)))
	case "server_tool_call_response":
		p.add(model.Part{Kind: model.PartResult, Text: argumentText(e.Get(t))})
	case "blob", "file", "uri":
		name := e.Get("mime_type").TextN(80)
		if name == "" {
			name = strings.TrimSpace(t + " " + e.Get("modality").TextN(20))
		}
		p.media(name, e)
	default:
		if t == "" {
			t = "part"
		}
		p.opaque(t, e)
	}
}

// place puts the summary before the message that held the first thing it
// replaces, or behind it if kept parts stand in front; that of an answer goes to
// the end of the input.
func (otel) place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	return gemini{}.place(d, th, m, dropped)
}

// summary spells a message of the user, or a part of one between kept parts.
func (otel) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	o := spellLike(d, v)
	if !v.Has("role") {
		return o.str("type", "text").str("content", s.Text).done(), nil
	}
	o.str("role", "user").raw("parts", textBlocks(d, "content", s.Text))
	if v.Has("finish_reason") {
		o.str("finish_reason", "stop")
	}
	return o.done(), nil
}

// resultContent is the response of the call.
func (otel) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	p := m.Pieces[0]
	v, err := parseAt(d, p.Span)
	if err != nil {
		return nil, err
	}
	if v.Has("role") {
		v = v.Get("parts").Index(0)
	}
	if out := otelResponse(v); out.Exists() {
		return []model.Span{within(p.Span, out)}, nil
	}
	return nil, nil
}
