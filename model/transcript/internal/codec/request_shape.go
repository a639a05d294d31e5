package codec

import (
	"slices"
	"strings"

	"palimpsest/model/transcript/jspan"
)

// The request-shaped formats (OpenAI Chat, Anthropic Messages) wrap the same
// few shapes around their messages. A request is one conversation in any of
// them.
type request struct {
	outer    jspan.Value // what holds it: the wrapper object, or the bare array
	messages jspan.Value // array of messages; Missing if there is none
	system   jspan.Value // the wrapper's own system prompt
	response jspan.Value // a response object: choices[].message, or a message with content
}

// asRequest reads a value as one conversation. The second result is false for
// anything else. It looks at every member once: a wrapper may be large.
func asRequest(v jspan.Value) (request, bool) {
	t := request{outer: v}
	switch v.Kind {
	case jspan.Array:
		t.messages = v
		return t, LooksLikeMessages(v)
	case jspan.Object:
		t.members(v, 0)
	}
	return t, t.messages.Exists() || t.response.Exists()
}

// members finds messages, a system prompt and a response in an object, in a
// request or body inside it, and in a response inside it.
func (t *request) members(v jspan.Value, depth int) {
	var m requestMembers
	v.Members(map[string]*jspan.Value{"messages": &m.messages, "system": &m.system, "system_prompt": &m.prompt,
		"choices": &m.choices, "type": &m.kind, "role": &m.role, "content": &m.content, "stop_reason": &m.ended, "usage": &m.ended,
		"request": &m.request, "body": &m.request, "response": &m.answer})
	if !t.messages.Exists() && LooksLikeMessages(m.messages) {
		t.messages = m.messages
	}
	if !t.response.Exists() && (m.choices.Index(0).Get("message", "role").Exists() || m.isResponse()) {
		t.response = v
	}
	if t.messages.Exists() && !t.system.Exists() {
		if t.system = m.system; !t.system.Exists() {
			t.system = m.prompt
		}
	}
	for _, in := range []jspan.Value{m.request, m.answer} {
		if in.Kind == jspan.Object && depth < 2 { // a batch has its answer in response.body
			t.members(in, depth+1)
		}
	}
}

// requestMembers are the members that a request, its log or a response has.
type requestMembers struct {
	messages, system, prompt, choices, kind, role, content jspan.Value
	request, answer                                        jspan.Value // objects inside it
	ended                                                  jspan.Value // what only an answer has
}

// isResponse recognises an answer of the Anthropic API.
func (m *requestMembers) isResponse() bool {
	return m.kind.TextN(8) == "message" && m.role.TextN(10) == "assistant" && m.content.Kind == jspan.Array && m.ended.Exists()
}

// LooksLikeMessages recognises a list of messages by its first elements. A
// list that also holds requests is a collection.
func LooksLikeMessages(v jspan.Value) bool {
	if v.Kind != jspan.Array {
		return false
	}
	seen, good, request := 0, 0, false
	for i, e := range v.Items {
		seen++
		message, holds := asMessage(e)
		if message {
			good++
		}
		request = request || holds
		if i >= 9 {
			break
		}
	}
	return good > 0 && good*2 >= seen && !request
}

// foreignTypes are types of records and blocks of other formats that also have
// a role: Responses items, AI SDK parts.
var foreignTypes = map[string]bool{
	"input_text": true, "output_text": true, "input_image": true, "function_call": true, "function_call_output": true,
	"tool-call": true, "tool-result": true, "toolRequest": true, "toolResponse": true, "toolCall": true,
}

// isMessage recognises one message of a request.
func isMessage(v jspan.Value) bool {
	ok, _ := asMessage(v)
	return ok
}

// asMessage recognises one message, and something that holds messages.
func asMessage(v jspan.Value) (ok, holds bool) {
	role, content, calls, text, foreign := false, false, false, false, false
	for key, val := range v.Each {
		switch string(key) {
		case "role":
			role = val.Kind == jspan.String
		case "content":
			content = true
			foreign = foreign || foreignTypes[val.Index(0).Get("type").TextN(24)]
		case "tool_calls", "function_call":
			calls = true
		case "text":
			text = val.Kind == jspan.String
		case "parts", "message_type", "uuid", "stop_reason":
			foreign = true // Gemini and AI SDK, SWE-agent, Claude Code, a response
		case "messages":
			holds = true
		}
	}
	return role && (content || calls && !text) && !foreign && !holds, holds
}

// signs counts in what the two request-shaped formats differ.
type signs struct {
	messages, OpenAI, Anthropic int
	OtherRoles                  bool // roles beside user and assistant
	Blocks                      bool // assistant text in blocks: what the Anthropic API answers with
	Claude                      bool // the wrapper names a model of Anthropic's
	What                        string
}

// SignScan bounds how much of a long list is looked at for signs of a format.
const SignScan = 400 // messages that are looked at

// sign counts a sign of one of the two.
func (s *signs) sign(of *int, what string) {
	if s.OpenAI == 0 && s.Anthropic == 0 {
		s.What = what
	}
	*of++
}

// look collects the signs of one conversation.
func (s *signs) look(t request) {
	for _, m := range t.messages.Items {
		s.message(m)
		if s.messages >= SignScan {
			break
		}
	}
	switch {
	case t.response.Has("choices"):
		s.sign(&s.OpenAI, "choices")
	case t.response.Exists():
		s.sign(&s.Anthropic, "content blocks")
	}
	s.Claude = s.Claude || strings.HasPrefix(t.outer.Get("model").TextN(8), "claude")
}

func (s *signs) message(m jspan.Value) {
	s.messages++
	var role string
	for key, val := range m.Each {
		switch string(key) {
		case "role":
			role = val.TextN(12)
			switch r := role; r {
			case "user", "assistant":
			case "tool", "developer", "function":
				s.OtherRoles = true
				s.sign(&s.OpenAI, "role "+r)
			default:
				s.OtherRoles = true
			}
		case "tool_calls", "function_call":
			if val.Kind == jspan.Array || val.Kind == jspan.Object {
				s.sign(&s.OpenAI, string(key))
			}
		case "reasoning_content", "thinking_blocks":
			s.sign(&s.OpenAI, string(key))
		case "content":
			for _, b := range val.Items {
				s.block(b)
			}
		}
	}
	s.Blocks = s.Blocks || role == "assistant" && m.Get("content").Index(0).Get("text").Kind == jspan.String
}

func (s *signs) block(b jspan.Value) {
	switch t := b.Get("type").TextN(24); t {
	case "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "compaction", "web_search_tool_result":
		s.sign(&s.Anthropic, t+" blocks")
	case "image", "document":
		if b.Has("source") {
			s.sign(&s.Anthropic, t+" blocks with a source")
		}
	case "image_url", "input_audio", "refusal", "tool_call":
		s.sign(&s.OpenAI, t+" parts")
	default:
		if b.Has("value") {
			s.sign(&s.OpenAI, "parts with a value")
		}
	}
}

// requestShape is what a sniffed source looks like to the request-shaped
// formats.
type requestShape struct {
	signs
	Shape string // "" if it is not request-shaped at all
}

// Requests looks at a sniffed source once for both formats: at the conversations of a
// single value, of the elements of a collection, or of the lines.
func (s *Sniff) Requests() requestShape {
	if s.shape == nil {
		g, shape := s.findRequests()
		s.shape = &requestShape{g, shape}
	}
	return *s.shape
}

func (s *Sniff) findRequests() (g signs, shape string) {
	talks, bare := 0, 0
	if s.JSONLines {
		lines := slices.DeleteFunc(slices.Clone(s.Lines), func(v jspan.Value) bool {
			return strings.HasPrefix(v.Get("role").TextN(2), "_") // a checkpoint or a count of kimi-cli, beside its messages
		})
		for _, l := range lines {
			if t, ok := asRequest(l); ok {
				talks++
				g.look(t)
			} else if isMessage(l) {
				bare++
				g.message(l)
			}
		}
		switch {
		case talks*2 >= len(lines) && talks > 0:
			return g, "one conversation a line"
		case bare*2 >= len(lines) && bare > 0 && talks == 0:
			return g, "one message a line"
		}
		return signs{}, ""
	}
	if t, ok := asRequest(s.Whole); ok {
		g.look(t)
		switch {
		case s.Whole.Kind == jspan.Array:
			return g, "an array of messages"
		case t.messages.Exists():
			return g, "an object with messages"
		}
		return g, "a response"
	}
	if isMessage(s.Whole) { // what is left of a file of one message a line
		g.message(s.Whole)
		return g, "a single message"
	}
	if s.Whole.Kind == jspan.Array {
		seen := 0
		for _, e := range s.Whole.Items {
			seen++
			if t, ok := asRequest(e); ok {
				talks++
				g.look(t)
			}
			if seen >= SniffLines {
				break
			}
		}
		if talks*2 >= seen && talks > 0 {
			return g, "an array of conversations"
		}
	}
	return signs{}, ""
}
