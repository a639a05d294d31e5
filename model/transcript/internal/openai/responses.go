package openai

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Responses reads the items of the OpenAI Responses API: request bodies with
// input, response objects with output, listings with data, logs of a request
// with its response, bare arrays of items, and collections of all of them.
//
// What the model said in one go is several items: reasoning, text and calls
// that follow each other are one message here. Reasoning that may not be
// without its follower thus goes with it. A call and its output have call_id in
// common; calls that the provider runs itself have no output to wait for. A
// previous_response_id stays as it is: it names what the server holds, which no
// compaction of a file touches.
type Responses struct{ codec.Unlinked }

func (Responses) Info() codec.Info {
	return codec.Info{Format: model.FormatResponses, Title: "OpenAI Responses",
		How: "items (message with input_text or output_text, reasoning, function_call …) in input, output, data or a bare array"}
}

// itemList is one conversation: the items sent, and the items answered.
type itemList struct {
	outer                       jspan.Value
	input, output, instructions jspan.Value
	response                    jspan.Value // the object that holds output
	previous                    bool        // the history before it is on the server
	text                        bool        // the input is one string
}

func asItemList(v jspan.Value) (t itemList, ok bool) {
	t.outer = v
	if v.Kind == jspan.Array {
		t.input = v
		return t, responseItems(v) == surelyItems
	}
	t.members(v, 0)
	return t, t.input.Exists() || t.output.Exists()
}

// members finds the lists in an object, in a request or body inside it, and in
// a response inside it.
func (t *itemList) members(v jspan.Value, depth int) {
	var m itemMembers
	v.Members(map[string]*jspan.Value{"input": &m.input, "output": &m.output, "data": &m.data, "instructions": &m.instructions,
		"object": &m.object, "messages": &m.messages, "model": &m.model, "previous_response_id": &m.previous,
		"request": &m.request, "body": &m.request, "response": &m.answer})
	if m.object.TextN(8) == "list" && responseItems(m.data) == surelyItems {
		m.input = m.data
	}
	if !t.input.Exists() && isInput(m) {
		t.input = m.input
	}
	if is := responseItems(m.output); !t.output.Exists() && (is == surelyItems || is == maybeItems && m.object.TextN(10) == "response") {
		t.output, t.response = m.output, v
	}
	t.text = t.text || m.input.Kind == jspan.String
	t.previous = t.previous || m.previous.Kind == jspan.String
	if m.instructions.Kind == jspan.String && !t.instructions.Exists() {
		t.instructions = m.instructions
	}
	for _, in := range []jspan.Value{m.request, m.answer} {
		if in.Kind == jspan.Object && depth < 2 {
			t.members(in, depth+1)
		}
	}
}

// isInput reports whether the input is a list of items. Plain messages count
// beside a model, unless a chat request whose log also has its input holds them.
func isInput(m itemMembers) bool {
	is := responseItems(m.input)
	return is == surelyItems || is == maybeItems && m.model.Kind == jspan.String && !m.messages.Exists()
}

// itemMembers are the members that a request, its log or a response has.
type itemMembers struct {
	input, output, data, instructions, object, model, previous, messages jspan.Value
	request, answer                                                      jspan.Value // objects inside it
}

const (
	noItems = iota
	maybeItems
	surelyItems
)

// responseItems says whether a value is a list of items. Messages with plain text
// look the same in other formats: only what no other has makes it sure.
func responseItems(v jspan.Value) int {
	if v.Kind != jspan.Array {
		return noItems
	}
	seen, good, sure, foreign := 0, 0, false, false
	for i, e := range v.Items {
		kind := kindOfResponseItem(e)
		if seen < 10 {
			seen++
			if kind != codec.ItemOther {
				good++
			}
		}
		sure = sure || kind != codec.ItemOther && kind != codec.ItemMessage
		if kind == codec.ItemMessage {
			own, other := contentSigns(e.Get("content"))
			sure = sure || own
			foreign = other || e.Has("tool_calls") || e.Has("tool_call_id") || e.Has("ts")
		}
		if i >= codec.SignScan || foreign {
			break
		}
	}
	switch {
	case good == 0 || good*2 < seen || foreign:
		return noItems
	case sure:
		return surelyItems
	}
	return maybeItems
}

// contentSigns reports whether a content has parts that only messages of the
// Responses API have, up to one that only other formats have.
func contentSigns(content jspan.Value) (own, other bool) {
	for _, c := range content.Items {
		switch c.Get("type").TextN(16) {
		case "input_text", "output_text", "input_image", "input_file":
			own = true
		case "tool_use", "tool_result", "thinking", "image_url", "tool_call", "tool-call", "tool-result":
			return own, true
		}
	}
	return own, false
}

// kindOfResponseItem adds to what a rollout may hold what only requests and
// responses do.
func kindOfResponseItem(v jspan.Value) codec.ItemKind {
	switch v.Get("type").TextN(24) {
	case "mcp_list_tools", "mcp_approval_request":
		return codec.ItemAnswer
	case "mcp_approval_response":
		return codec.ItemResult
	}
	kind := codec.KindOfItem(v)
	if kind == codec.ItemOther && strings.HasSuffix(v.Get("type").TextN(40), "_call") {
		return codec.ItemAnswer // of a tool that is newer than this list
	}
	return kind
}

func isItemList(v jspan.Value) bool { _, ok := asItemList(v); return ok }

func (Responses) Recognise(s *codec.Sniff) (int, string) {
	return s.ScoreLayout(90, isItemList, "Responses items")
}

func (f Responses) Read(ctx context.Context, b *codec.Builder) error {
	return b.ReadConversations(ctx, isItemList, func(v jspan.Value) {
		t, _ := asItemList(v)
		r := itemReader{c: b.NewChat()}
		r.read(t)
		r.c.Finish()
	})
}

// itemReader gathers items into messages.
type itemReader struct {
	c    *codec.Chat
	open *model.Message // the assistant message that items are added to
	at   jspan.Value    // its first item
}

func (r *itemReader) read(t itemList) {
	c, b := r.c, r.c.B
	c.Served, c.ByID = true, true
	codec.ReadMeta(c, t.outer)
	if t.instructions.Exists() {
		codec.AddSystem(c, t.instructions)
	}
	if t.previous {
		b.NoteAt(t.outer, "previous-response", "it goes on from a response that the server keeps: what came before is not in the file")
	}
	if t.text && !t.input.Exists() {
		b.NoteAt(t.outer, "input-text", "the input is one text, not a list of items; it is kept and not shown")
	}
	b.EachMessage(t.input, r.item)
	b.EachMessage(t.output, r.item)
	r.flush()
	if t.response.Exists() {
		r.answered(t.response)
	}
}

// answered gives the model, time and usage of a response to its last message.
func (r *itemReader) answered(v jspan.Value) {
	if r.c.Conv.Model == "" {
		r.c.Conv.Model = v.Get("model").TextN(200)
	}
	for i := len(r.c.Th.Messages) - 1; i >= 0; i-- {
		if m := &r.c.Th.Messages[i]; m.Kind == model.KindAssistant {
			m.Model, m.Time = r.c.B.Intern(v.Get("model").TextN(200)), codec.Millis(v.Get("created_at"))
			m.Usage = responsesUsage(v.Get("usage"))
			return
		}
	}
}

func responsesUsage(v jspan.Value) *model.Usage {
	if v.Kind != jspan.Object || !v.Has("input_tokens") {
		return nil
	}
	return &model.Usage{Input: codec.Tokens(v.Get("input_tokens")), Output: codec.Tokens(v.Get("output_tokens")),
		CacheRead: codec.Tokens(v.Get("input_tokens_details", "cached_tokens")),
		Reasoning: codec.Tokens(v.Get("output_tokens_details", "reasoning_tokens"))}
}

// item takes one item into the conversation.
func (r *itemReader) item(v jspan.Value, p model.Piece) {
	m := model.Message{ID: v.Get("id").TextN(200), Pieces: []model.Piece{p}}
	head := itemText(v)
	kind := kindOfResponseItem(v)
	if kind == codec.ItemMessage && codec.IsSummaryText(head) {
		kind = codec.ItemSummary // also in output, where all messages are the assistant's
	}
	switch kind {
	case codec.ItemAnswer:
		r.answer(v, m, head)
		return
	case codec.ItemMessage, codec.ItemAgent:
		if v.Get("role").TextN(12) == "assistant" {
			r.answer(v, m, head)
			return
		}
		m.Role, m.Kind = codec.RoleOf(v.Get("role"))
		if kind == codec.ItemAgent {
			m.Role, m.Kind, m.Name = model.RoleUser, model.KindUser, r.c.B.Intern(v.Get("author").TextN(200))
		}
		if m.Kind == model.KindUser {
			m.Origin = model.OriginTyped
			if kind == codec.ItemAgent || model.Injected(head) {
				m.Origin = model.OriginInjected
			}
		}
		m.Preview = codec.Preview(head)
	case codec.ItemResult:
		m.Role, m.Kind, m.Error, m.Loads = model.RoleTool, model.KindResult, r.c.B.Failed(v), codec.LoadsTools(v)
		m.Name = r.c.B.Intern(v.Get("name").TextN(200))
		m.Answers, m.Preview = answeredID(v), codec.Preview(codec.ContentHead(codec.OutputOf(v)))
	case codec.ItemSummary:
		summaryItem(v, &m)
		if kind != kindOfResponseItem(v) { // a message by its kind
			m.Role, _ = codec.RoleOf(v.Get("role"))
			m.Preview, m.Sealed = codec.Preview(head), false
		}
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		m.Preview = codec.Preview(v.Get("type").TextN(codec.PreviewScan))
		r.c.B.NoteAt(v, "unknown-item", "an item of the type "+string(edit.Quote(r.c.B.Doc, v.Get("type").TextN(40)))+"; it is kept")
	}
	r.flush()
	r.c.Add(m, v)
}

// answeredID is the id of the call an output belongs to.
func answeredID(v jspan.Value) string {
	if v.Get("type").TextN(24) == "mcp_approval_response" {
		return v.Get("approval_request_id").TextN(200)
	}
	return v.Get("call_id").TextN(200)
}

// answer adds an item to the assistant message that is open.
func (r *itemReader) answer(v jspan.Value, m model.Message, head string) {
	if r.open == nil {
		m.Role, m.Kind, m.Model = model.RoleAssistant, model.KindAssistant, r.c.Conv.Model
		r.open, r.at = &m, v
	} else {
		r.open.Pieces = append(r.open.Pieces, m.Pieces...)
	}
	if c, ok := r.c.B.CallOf(v); ok {
		r.open.Calls = append(r.open.Calls, c)
		if r.open.Preview == "" {
			text := codec.CallPart(v, v.Get("type").TextN(40)).Text
			r.open.Preview = codec.Preview(c.Name + " " + codec.HeadOf(text))
		}
	} else if head != "" && codec.KindOfItem(v) == codec.ItemMessage {
		r.open.Preview = codec.Preview(head)
	}
	if v.Get("type").TextN(24) == "mcp_approval_request" {
		r.open.Calls = append(r.open.Calls, model.Call{ID: v.Get("id").TextN(200), Name: r.c.B.Intern(v.Get("name").TextN(200))})
	}
}

// flush ends the assistant message.
func (r *itemReader) flush() {
	if r.open != nil {
		r.c.Add(*r.open, r.at)
		r.open = nil
	}
}
