package transcript

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// openAI reads OpenAI Chat Completions in all the shapes in which they are
// kept: arrays, requests, responses, proxy logs, fine-tuning lines.
type openAI struct{}

func (openAI) info() Info {
	return Info{model.FormatOpenAI, "OpenAI Chat",
		"messages with a role and string content or typed parts; tool_calls and role tool"}
}

func (openAI) recognise(s *sniff) (int, string) {
	g := s.requests()
	switch {
	case g.shape == "" || g.anthropic > g.openai:
		return 0, ""
	case g.openai > 0:
		return 70, g.shape + " with " + g.what
	}
	return 50, g.shape + "; text only, which OpenAI Chat and Anthropic spell alike, so it is called OpenAI Chat"
}

func (f openAI) read(ctx context.Context, b *builder) error { return readRequests(ctx, b, f) }

// system takes a plain string; anything else stays a fixed part that the
// wrapper holds.
func (openAI) system(c *chat, v jspan.Value) {
	if v.Kind == jspan.String {
		addSystem(c, v)
	}
}

// addSystem adds a wrapper's system prompt. It is no element of a list, so its
// piece only tells where it stands: no edit takes hold of it.
func addSystem(c *chat, v jspan.Value) {
	text := v.TextN(previewScan)
	if v.Kind == jspan.Array {
		text = v.Index(0).Get("text").TextN(previewScan)
	}
	c.add(model.Message{Role: model.RoleSystem, Kind: model.KindSystem, Preview: preview(text),
		Pieces: []model.Piece{{Span: c.b.span(v), Array: -1}}}, v)
}

// response adds the first choice of an answer to the conversation; the others
// are branches.
func (f openAI) response(c *chat, v jspan.Value, _ model.Piece) {
	choices := v.Get("choices")
	if choices.Kind != jspan.Array {
		return
	}
	list := c.b.array(choices, model.Piece{})
	name := c.b.intern(v.Get("model").TextN(200))
	when, usage := millis(v.Get("created")), openAIUsage(v.Get("usage"))
	choices.Items(func(i int, e jspan.Value) bool {
		m := e.Get("message")
		if m.Kind != jspan.Object {
			return true
		}
		c.b.doc.Items++
		msg := f.message(c, m)
		msg.Pieces = []model.Piece{c.b.elem(list, i)}
		msg.Model, msg.Time, msg.Usage = name, when, usage
		if i == 0 {
			c.add(msg, m)
			return true
		}
		c.conv.Threads = append(c.conv.Threads, &model.Thread{ID: "choice", AgentID: "main", Kind: model.ThreadBranch,
			Messages: []model.Message{msg}, History: []int32{0}})
		return true
	})
}

func (f openAI) element(c *chat, v jspan.Value, p model.Piece) {
	m := f.message(c, v)
	m.Pieces = []model.Piece{p}
	c.add(m, v)
}

// openAIFields are the members of a message that mean something.
type openAIFields struct {
	role, content, calls, function, answers, name, id, when, usage, model, extra, failed jspan.Value
	reasoning, details, thinking                                                         jspan.Value
}

func openAIMembers(v jspan.Value) (f openAIFields) {
	v.Each(func(key []byte, val jspan.Value) bool {
		switch string(key) {
		case "role":
			f.role = val
		case "content":
			f.content = val
		case "tool_calls":
			f.calls = val
		case "function_call":
			f.function = val
		case "tool_call_id":
			f.answers = val
		case "name":
			f.name = val
		case "id", "uuid":
			f.id = val
		case "timestamp", "ts", "created_at":
			f.when = val
		case "usage":
			f.usage = val
		case "model":
			f.model = val
		case "extra":
			f.extra = val
		case "is_error", "status":
			f.failed = val
		case "reasoning_content":
			f.reasoning = val
		case "reasoning":
			if f.reasoning.Kind != jspan.String {
				f.reasoning = val
			}
		case "reasoning_details":
			f.details = val
		case "thinking_blocks":
			f.thinking = val
		}
		return true
	})
	return f
}

// message reads one message, without its pieces.
func (openAI) message(c *chat, v jspan.Value) model.Message {
	f := openAIMembers(v)
	head := contentHead(f.content)
	m := model.Message{ID: f.id.TextN(200), Name: c.b.intern(f.name.TextN(200)), Model: c.b.intern(f.model.TextN(200)), Time: millis(f.when)}
	m.Role, m.Kind = roleOf(f.role)
	m.Calls = openAICalls(c.b, f)
	switch m.Kind {
	case model.KindSystem:
		if isSummaryText(head) {
			m.Kind = model.KindSummary
		}
	case model.KindUser:
		m.Origin = c.userOrigin(head)
		if isSummaryText(head) {
			m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
		}
	case model.KindResult:
		m.Answers = f.answers.TextN(200)
		if m.Answers == "" && strings.EqualFold(f.role.TextN(10), "function") {
			m.Answers = m.Name // a legacy call is known by its function
		}
		m.Error = f.failed.Bool() || f.failed.TextN(8) == "error"
	case model.KindOther:
		c.b.noteAt(v, "unknown-role", "unknown role "+string(quote(c.b.doc, f.role.TextN(40)))+"; the message is kept")
	}
	if f.extra.Exists() && !f.usage.Exists() {
		f.usage = f.extra.Get("response", "usage")
	}
	m.Usage = openAIUsage(f.usage)
	m.Preview = preview(head)
	if m.Preview == "" {
		m.Preview = preview(callHead(m.Calls, f))
	}
	return m
}

// userOrigin tells what a user message is in this conversation.
func (c *chat) userOrigin(head string) model.Origin {
	if isInjectedText(head) {
		return model.OriginInjected
	}
	if c.th.Observations {
		if len(c.th.Found) > 0 || hasMark(head, outputMarks) { // the task may be in a summary by now
			return model.OriginObservation
		}
		for _, i := range c.th.History {
			if c.th.Messages[i].Kind == model.KindUser {
				return model.OriginObservation
			}
		}
	}
	return model.OriginTyped
}

func roleOf(v jspan.Value) (model.Role, model.Kind) {
	switch strings.ToLower(v.TextN(12)) {
	case "system":
		return model.RoleSystem, model.KindSystem
	case "developer":
		return model.RoleDeveloper, model.KindSystem
	case "user":
		return model.RoleUser, model.KindUser
	case "assistant":
		return model.RoleAssistant, model.KindAssistant
	case "tool", "function":
		return model.RoleTool, model.KindResult
	}
	return model.RoleOther, model.KindOther
}

// openAICalls lists the calls a message makes, in the order in which Parts
// gives them.
func openAICalls(b *builder, f openAIFields) []model.Call {
	var calls []model.Call
	f.calls.Items(func(_ int, e jspan.Value) bool {
		fn := callBody(e)
		calls = append(calls, model.Call{ID: e.Get("id").TextN(200), Name: b.intern(fn.Get("name").TextN(200))})
		return true
	})
	if f.function.Kind == jspan.Object {
		name := b.intern(f.function.Get("name").TextN(200))
		calls = append(calls, model.Call{ID: name, Name: name})
	}
	if len(calls) > 0 {
		return calls // a hybrid repeats them as parts of its content
	}
	f.content.Items(func(_ int, e jspan.Value) bool {
		if e.Get("type").TextN(12) == "tool_call" {
			body := typedCall(e)
			calls = append(calls, model.Call{ID: e.Get("id").TextN(200), Name: b.intern(body.Get("name").TextN(200))})
		}
		return true
	})
	return calls
}

// callBody is what a tool call wraps: the function, a custom tool, or itself.
func callBody(e jspan.Value) jspan.Value {
	for _, k := range []string{"function", "custom"} {
		if v := e.Get(k); v.Kind == jspan.Object {
			return v
		}
	}
	return e
}

// typedCall is the body of a tool_call part: its members, or the JSON that its
// value holds as text.
func typedCall(e jspan.Value) jspan.Value {
	if v := e.Get("value"); v.Kind == jspan.String {
		if body, err := jspan.Parse([]byte(v.Text()), 0); err == nil && body.Kind == jspan.Object {
			return body
		}
	}
	return e
}

// contentHead is the beginning of the first text in a content value.
func contentHead(v jspan.Value) string {
	if v.Kind == jspan.String {
		return v.TextN(previewScan)
	}
	head := ""
	v.Items(func(_ int, e jspan.Value) bool {
		switch e.Get("type").TextN(12) {
		case "reasoning", "thinking", "tool_call":
			return true
		}
		head = blockText(e).TextN(previewScan)
		return head == ""
	})
	return head
}

// blockText is the value that holds a block's text.
func blockText(e jspan.Value) jspan.Value {
	if e.Kind == jspan.String {
		return e
	}
	for _, k := range []string{"text", "value", "refusal"} {
		if v := e.Get(k); v.Kind == jspan.String {
			return v
		}
	}
	return jspan.Value{}
}

// callHead stands in for the text of a message that only calls.
func callHead(calls []model.Call, f openAIFields) string {
	if len(calls) == 0 {
		return f.reasoning.TextN(previewScan)
	}
	args := callBody(f.calls.Index(0)).Get("arguments")
	if f.function.Kind == jspan.Object {
		args = f.function.Get("arguments")
	}
	return calls[0].Name + " " + spelledHead(args)
}

// spelledHead is the beginning of a call's arguments.
func spelledHead(v jspan.Value) string {
	if v.Kind == jspan.String {
		return v.TextN(previewScan)
	}
	raw := v.Raw()
	return strings.ToValidUTF8(string(raw[:min(len(raw), previewScan)]), "")
}

func openAIUsage(v jspan.Value) *model.Usage {
	if v.Kind != jspan.Object || !(v.Has("prompt_tokens") || v.Has("completion_tokens")) {
		return nil
	}
	u := &model.Usage{
		Input: tokens(v.Get("prompt_tokens")), Output: tokens(v.Get("completion_tokens")),
		CacheRead:  tokens(v.Get("prompt_tokens_details", "cached_tokens")),
		CacheWrite: tokens(v.Get("cache_creation_input_tokens")),
		Reasoning:  tokens(v.Get("completion_tokens_details", "reasoning_tokens")),
	}
	u.CacheRead = max(u.CacheRead, tokens(v.Get("prompt_cache_hit_tokens")), tokens(v.Get("cache_read_input_tokens")))
	return u
}

// tokens is a reported count; nonsense is 0.
func tokens(v jspan.Value) int {
	if n := v.Int(); n > 0 && n < 1<<40 {
		return int(n)
	}
	return 0
}
