package frameworks

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// AISDK reads both kinds of messages of Vercel's AI SDK: those of the window
// (UIMessage: parts, in which a call holds its result) and those of the model
// (ModelMessage: content with tool-call and tool-result), in bare arrays,
// objects with messages, and collections of them.
//
// One message of the window holds a whole run of an agent. It is cut at its
// step-start parts: each step is a message, as a request would hold it, and each
// result is one whose piece lies inside its call. Version 4 may have the calls
// in toolInvocations instead, beside the text: that is one message.
type AISDK struct{ codec.Unlinked }

func (AISDK) Info() codec.Info {
	return codec.Info{Format: model.FormatAISDK, Title: "Vercel AI SDK",
		How: "messages with parts (text, step-start, tool-…), or with content of tool-call and tool-result parts"}
}

// sdkMessages is the list of a conversation; Missing if there is none.
func sdkMessages(v jspan.Value) jspan.Value {
	list := v
	if v.Kind == jspan.Object {
		list = v.Get("messages")
	}
	if list.Kind != jspan.Array {
		return jspan.Value{}
	}
	sure, other := false, 0
	for i, e := range list.Items {
		switch sdkSign(e) {
		case 1:
			sure = true
		case -1:
			other++
		}
		if i >= codec.SignScan || other >= 10 {
			break
		}
	}
	if !sure || other > 0 && other*2 >= list.Count() {
		return jspan.Value{}
	}
	return list
}

// sdkSign is 1 for what only a message of the SDK has, 0 for what others have as
// well, -1 for what is none.
func sdkSign(v jspan.Value) int {
	if v.Get("role").Kind != jspan.String || v.Has("tool_calls") || v.Has("tool_call_id") || v.Has("author") {
		return -1
	}
	if parts := v.Get("parts"); parts.Kind == jspan.Array {
		return sdkPartsSign(parts)
	}
	if !v.Has("content") {
		return -1
	}
	if isInvocation(v.Get("toolInvocations").Index(0)) {
		return 1
	}
	sign := 0
	if v.Has("providerOptions") {
		sign = 1
	}
	for _, e := range v.Get("content").Items {
		switch e.Get("type").TextN(30) {
		case "tool-call", "tool-result", "tool-approval-request", "tool-approval-response", "reasoning-file":
			sign = 1
		case "tool_use", "tool_result", "image_url", "input_text", "output_text", "tool_call", "thinking":
			sign = -1
		}
		if sign < 0 {
			break
		}
	}
	return sign
}

// sdkPartsSign is sdkSign for the parts of a message of the window.
func sdkPartsSign(parts jspan.Value) (sign int) {
	for _, e := range parts.Items {
		switch t := e.Get("type").TextN(20); {
		case t == "text" && e.Get("text").Kind == jspan.String, t == "reasoning" && (e.Has("text") || e.Has("reasoning")),
			t == "step-start", t == "dynamic-tool", strings.HasPrefix(t, "tool-"), strings.HasPrefix(t, "data-"),
			strings.HasPrefix(t, "source-"),
			t == "file" && (e.Has("mediaType") || e.Has("mimeType")):
			sign = 1
		default:
			return -1
		}
	}
	return sign
}

func isSDKConversation(v jspan.Value) bool { return sdkMessages(v).Exists() }

func (AISDK) Recognise(s *codec.Sniff) (int, string) {
	return s.ScoreLayout(84, isSDKConversation, "messages of the AI SDK")
}

func (f AISDK) Read(ctx context.Context, b *codec.Builder) error {
	return b.ReadChats(ctx, isSDKConversation, func(c *codec.Chat, v jspan.Value) {
		list := v
		if v.Kind == jspan.Object {
			list = v.Get("messages")
			codec.ReadMeta(c, v)
			if system := v.Get("system"); system.Kind == jspan.String {
				codec.AddSystem(c, system)
			}
		}
		b.EachMessage(list, func(e jspan.Value, p model.Piece) { f.element(c, e, p) })
	})
}

// element adds the messages of one element.
func (f AISDK) element(c *codec.Chat, v jspan.Value, p model.Piece) {
	m := model.Message{ID: v.Get("id").TextN(200), Time: codec.Millis(v.Get("createdAt"))}
	m.Role, m.Kind = codec.RoleOf(v.Get("role"))
	if m.Kind == model.KindOther {
		c.B.NoteRole(v, "role", v.Get("role").TextN(40))
	}
	list := v.Get("parts")
	if list.Kind != jspan.Array {
		list = v.Get("content")
	}
	kind := m.Kind
	runs := codec.CutRuns(list, kind, func(e jspan.Value) (own model.Kind, alone, begins bool) {
		switch e.Get("type").TextN(12) {
		case "step-start":
			return kind, false, true
		case "tool-result":
			return model.KindResult, true, false
		case "text":
			if codec.IsSummaryText(e.Get("text").TextN(codec.MarkScan)) {
				return model.KindSummary, true, false
			}
		}
		return kind, false, false
	})
	c.B.EachRun(list, p, m, runs, func(r codec.BlockRun, one model.Message) { f.run(c, one, v, list, r) })
}

// run completes the message of one run of parts and adds it, then the results
// that lie in its calls.
func (AISDK) run(c *codec.Chat, m model.Message, v, list jspan.Value, r codec.BlockRun) {
	var head codec.Headline
	if list.Kind == jspan.String {
		head.Add(list.TextN(codec.PreviewScan))
		codec.MarkSummary(&m, head.Text)
	}
	var results []model.Message
	part := func(e jspan.Value) {
		switch call := sdkCallOf(e); {
		case e.Get("type").TextN(12) == "tool-result":
			m.Role, m.Answers, m.Name = model.RoleTool, e.Get("toolCallId").TextN(200), c.B.Intern(e.Get("toolName").TextN(200))
			m.Error = strings.HasPrefix(e.Get("output", "type").TextN(16), "error") || e.Get("isError").Bool()
			head.Text = codec.HeadOf(sdkOutput(e))
		case call.is:
			one := model.Call{ID: call.id.TextN(200), Name: c.B.Intern(call.name)}
			m.Calls = append(m.Calls, one)
			if call.result.Exists() {
				results = append(results, model.Message{Role: model.RoleTool, Kind: model.KindResult, Answers: one.ID, Name: one.Name,
					Error: call.failed, Time: m.Time, Preview: codec.Preview(codec.HeadOf(codec.TextOrRaw(call.result))),
					Pieces: []model.Piece{c.B.InnerPiece(e)}})
			}
		case e.Get("type").TextN(12) == "text":
			head.Add(e.Get("text").TextN(codec.PreviewScan))
		}
	}
	if list.Kind == jspan.String {
		for _, e := range v.Get("toolInvocations").Items {
			part(e)
		}
	}
	r.Each(list, part)
	c.AddHeaded(m, &head, v)
	for _, res := range results {
		c.Add(res, v)
	}
}
