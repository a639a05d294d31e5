package transcript

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// aiSDK reads both kinds of messages of Vercel's AI SDK: those of the window
// (UIMessage: parts, in which a call holds its result) and those of the model
// (ModelMessage: content with tool-call and tool-result), in bare arrays,
// objects with messages, and collections of them.
//
// One message of the window holds a whole run of an agent. It is cut at its
// step-start parts: each step is a message, as a request would hold it, and each
// result is one whose piece lies inside its call. Version 4 may have the calls
// in toolInvocations instead, beside the text: that is one message.
type aiSDK struct{ unlinked }

func (aiSDK) info() Info {
	return Info{model.FormatAISDK, "Vercel AI SDK", "messages with parts (text, step-start, tool-…), or with content of tool-call and tool-result parts"}
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
	list.Items(func(i int, e jspan.Value) bool {
		switch sdkSign(e) {
		case 1:
			sure = true
		case -1:
			other++
		}
		return i < signScan && other < 10
	})
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
		sign := 0
		parts.Items(func(_ int, e jspan.Value) bool {
			switch t := e.Get("type").TextN(20); {
			case t == "text" && e.Get("text").Kind == jspan.String, t == "reasoning" && (e.Has("text") || e.Has("reasoning")),
				t == "step-start", t == "dynamic-tool", strings.HasPrefix(t, "tool-"), strings.HasPrefix(t, "data-"), strings.HasPrefix(t, "source-"),
				t == "file" && (e.Has("mediaType") || e.Has("mimeType")):
				sign = 1
			default:
				sign = -1
			}
			return sign == 1
		})
		return sign
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
	v.Get("content").Items(func(_ int, e jspan.Value) bool {
		switch e.Get("type").TextN(30) {
		case "tool-call", "tool-result", "tool-approval-request", "tool-approval-response", "reasoning-file":
			sign = 1
		case "tool_use", "tool_result", "image_url", "input_text", "output_text", "tool_call", "thinking":
			sign = -1
		}
		return sign >= 0
	})
	return sign
}

func isSDKTalk(v jspan.Value) bool { return sdkMessages(v).Exists() }

func (aiSDK) recognise(s *sniff) (int, string) {
	if shape := s.talkShape(isSDKTalk, "messages of the AI SDK"); shape != "" {
		return 84, shape
	}
	return 0, ""
}

func (f aiSDK) read(ctx context.Context, b *builder) error {
	return b.readTalks(ctx, isSDKTalk, func(v jspan.Value) {
		c := b.newChat()
		defer c.finish()
		list := v
		if v.Kind == jspan.Object {
			list = v.Get("messages")
			readTalkMeta(c, talk{outer: v})
			if system := v.Get("system"); system.Kind == jspan.String {
				addSystem(c, system)
			}
		}
		b.eachElement(list, func(e jspan.Value, p model.Piece) { f.element(c, e, p) })
	})
}

// element adds the messages of one element.
func (f aiSDK) element(c *chat, v jspan.Value, p model.Piece) {
	m := model.Message{ID: v.Get("id").TextN(200), Time: millis(v.Get("createdAt"))}
	m.Role, m.Kind = roleOf(v.Get("role"))
	if m.Kind == model.KindOther {
		c.b.noteAt(v, "unknown-role", "unknown role "+string(quote(c.b.doc, v.Get("role").TextN(40)))+"; the message is kept")
	}
	list := v.Get("parts")
	if list.Kind != jspan.Array {
		list = v.Get("content")
	}
	kind := m.Kind
	runs := cutRuns(list, kind, func(e jspan.Value) (own model.Kind, alone, begins bool) {
		switch e.Get("type").TextN(12) {
		case "step-start":
			return kind, false, true
		case "tool-result":
			return model.KindResult, true, false
		case "text":
			if isSummaryText(e.Get("text").TextN(markScan)) {
				return model.KindSummary, true, false
			}
		}
		return kind, false, false
	})
	c.b.eachRun(list, p, kind, runs, func(r blockRun, pieces []model.Piece) {
		one := m
		one.Kind, one.Pieces = r.kind, pieces
		f.run(c, one, v, list, r)
	})
}

// run completes the message of one run of parts and adds it, then the results
// that lie in its calls.
func (aiSDK) run(c *chat, m model.Message, v, list jspan.Value, r blockRun) {
	var head headline
	if list.Kind == jspan.String {
		head.add(list.TextN(previewScan))
		summaryItself(&m, head.text)
	}
	var results []model.Message
	part := func(e jspan.Value) {
		switch call := sdkCallOf(e); {
		case e.Get("type").TextN(12) == "tool-result":
			m.Role, m.Answers, m.Name = model.RoleTool, e.Get("toolCallId").TextN(200), c.b.intern(e.Get("toolName").TextN(200))
			m.Error = strings.HasPrefix(e.Get("output", "type").TextN(16), "error") || e.Get("isError").Bool()
			head.text = headOf(sdkOutput(e))
		case call.is:
			one := model.Call{ID: call.id.TextN(200), Name: c.b.intern(call.name)}
			m.Calls = append(m.Calls, one)
			if call.result.Exists() {
				results = append(results, model.Message{Role: model.RoleTool, Kind: model.KindResult, Answers: one.ID, Name: one.Name,
					Error: call.failed, Time: m.Time, Preview: preview(headOf(argumentText(call.result))), Pieces: []model.Piece{c.b.inner(e)}})
			}
		case e.Get("type").TextN(12) == "text":
			head.add(e.Get("text").TextN(previewScan))
		}
	}
	if list.Kind == jspan.String {
		v.Get("toolInvocations").Items(func(_ int, e jspan.Value) bool {
			part(e)
			return true
		})
	}
	r.items(list, part)
	if m.Kind == model.KindUser {
		m.Origin = head.origin()
	}
	if m.Preview = preview(head.text); m.Preview == "" && len(m.Calls) > 0 {
		m.Preview = preview(m.Calls[0].Name)
	}
	c.add(m, v)
	for _, res := range results {
		c.add(res, v)
	}
}
