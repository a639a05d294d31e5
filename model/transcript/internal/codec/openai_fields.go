package codec

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// AddSystem adds a wrapper's system prompt. It is no element of a list, so its
// piece only says where it is: edits do not change it.
func AddSystem(c *Chat, v jspan.Value) {
	text := v.TextN(PreviewScan)
	if v.Kind == jspan.Array {
		text = v.Index(0).Get("text").TextN(PreviewScan)
	}
	c.Add(model.Message{Role: model.RoleSystem, Kind: model.KindSystem, Preview: Preview(text),
		Pieces: []model.Piece{{Span: c.B.Span(v), Array: -1}}}, v)
}

// RoleOf returns the role that a role name means, and the kind of message that
// role writes.
func RoleOf(v jspan.Value) (model.Role, model.Kind) {
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

// Tokens is a reported count; nonsense is 0.
func Tokens(v jspan.Value) int {
	if n := v.Int(); n > 0 && n < 1<<40 {
		return int(n)
	}
	return 0
}

// ContentHead is the beginning of the first text in a content value.
func ContentHead(v jspan.Value) string {
	if v.Kind == jspan.String {
		return v.TextN(PreviewScan)
	}
	for _, e := range v.Items {
		switch e.Get("type").TextN(12) {
		case "reasoning", "thinking", "tool_call":
			continue
		}
		if head := BlockText(e).TextN(PreviewScan); head != "" {
			return head
		}
	}
	return ""
}

// SpelledHead is the beginning of a call's arguments.
func SpelledHead(v jspan.Value) string {
	if v.Kind == jspan.String {
		return v.TextN(PreviewScan)
	}
	return RawHead(v)
}

// BlockText is the value that holds a block's text.
func BlockText(e jspan.Value) jspan.Value {
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

// CallBody is what a tool call wraps: the function, a custom tool, or itself.
func CallBody(e jspan.Value) jspan.Value {
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

// OpenAIFieldsOf reads the members of a message in OpenAI's form.
func OpenAIFieldsOf(v jspan.Value) (f OpenAIFields) {
	for key, val := range v.Each {
		switch string(key) {
		case "role":
			f.Role = val
		case "content":
			f.Content = val
		case "tool_calls":
			f.calls = val
		case "function_call":
			f.function = val
		case "tool_call_id":
			f.Answers = val
		case "name":
			f.Name = val
		case "id", "uuid":
			f.ID = val
		case "timestamp", "ts", "created_at":
			f.When = val
		case "usage":
			f.Usage = val
		case "model":
			f.Model = val
		case "extra":
			f.Extra = val
		case "is_error", "status":
			f.Failed = val
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
	}
	if ContentHead(f.Content) == "" {
		f.refused(v.Get("refusal"))
	}
	return f
}

// refused takes a refusal for the content, if there is one.
func (f *OpenAIFields) refused(v jspan.Value) {
	if v.Kind == jspan.String {
		f.Content = v
	}
}

// OpenAIFields are the members of a message that mean something.
type OpenAIFields struct {
	Role, Content, calls, function, Answers, Name, ID, When, Usage, Model, Extra, Failed jspan.Value
	reasoning, details, thinking                                                         jspan.Value
}

// OpenAIUsage reads the usage that OpenAI's API reports; nil if v is none.
func OpenAIUsage(v jspan.Value) *model.Usage {
	if v.Kind != jspan.Object || !(v.Has("prompt_tokens") || v.Has("completion_tokens")) {
		return nil
	}
	u := &model.Usage{
		Input: Tokens(v.Get("prompt_tokens")), Output: Tokens(v.Get("completion_tokens")),
		CacheRead:  Tokens(v.Get("prompt_tokens_details", "cached_tokens")),
		CacheWrite: Tokens(v.Get("cache_creation_input_tokens")),
		Reasoning:  Tokens(v.Get("completion_tokens_details", "reasoning_tokens")),
	}
	u.CacheRead = max(u.CacheRead, Tokens(v.Get("prompt_cache_hit_tokens")), Tokens(v.Get("cache_read_input_tokens")))
	return u
}

// CallHead replaces the text of a message that only calls.
func CallPreview(calls []model.Call, f OpenAIFields) string {
	if len(calls) == 0 {
		return f.reasoning.TextN(PreviewScan)
	}
	args := CallBody(f.calls.Index(0)).Get("arguments")
	if f.function.Kind == jspan.Object {
		args = f.function.Get("arguments")
	}
	return calls[0].Name + " " + SpelledHead(args)
}

// OpenAICalls lists the calls a message makes, in the order in which Parts
// gives them.
func OpenAICalls(b *Builder, f OpenAIFields) []model.Call {
	var calls []model.Call
	for _, e := range f.calls.Items {
		fn := CallBody(e)
		calls = append(calls, model.Call{ID: e.Get("id").TextN(200), Name: b.Intern(fn.Get("name").TextN(200))})
	}
	if f.function.Kind == jspan.Object {
		name := b.Intern(f.function.Get("name").TextN(200))
		calls = append(calls, model.Call{ID: name, Name: name})
	}
	if len(calls) > 0 {
		return calls // a hybrid repeats them as parts of its content
	}
	for _, e := range f.Content.Items {
		if e.Get("type").TextN(12) == "tool_call" {
			body := typedCall(e)
			calls = append(calls, model.Call{ID: e.Get("id").TextN(200), Name: b.Intern(body.Get("name").TextN(200))})
		}
	}
	return calls
}
