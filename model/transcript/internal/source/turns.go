package source

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"palimpsest/model/pattern"
)

// turn is a message of a trace, as its line.
type turn struct {
	Trace     string         `json:"trace"`
	Role      string         `json:"role"`
	Text      string         `json:"text,omitempty"`
	Reasoning string         `json:"reasoning,omitempty"`
	Calls     []turnCall     `json:"calls,omitempty"`
	Results   []turnResult   `json:"results,omitempty"`
	Time      string         `json:"time,omitempty"`
	Model     string         `json:"model,omitempty"`
	Usage     map[string]int `json:"usage,omitempty"`
}

type turnCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args string `json:"args"`
}

type turnResult struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
}

// turns reads messages in any of the spellings in which frameworks hand them to their
// traces. role is the one that a text alone gets.
func turns(v any, role string) (out []turn) {
	switch v := v.(type) {
	case string:
		if inner := unjson(v); inner != nil {
			return turns(inner, role)
		}
		if t, is := pythonTurn(v); is {
			return slices.DeleteFunc([]turn{t}, turn.empty)
		}
		if strings.TrimSpace(v) != "" {
			return []turn{{Role: role, Text: v}}
		}
	case []any:
		for _, e := range v {
			out = append(out, turns(e, role)...)
		}
		return joined(out)
	case object:
		return objectTurns(v, role)
	}
	return out
}

// wrappings are where requests and answers have their messages, and who speaks where that is
// not said; of what names a role only some are.
var wrappings = []struct {
	at   []string
	role string // "": the one that is asked for
	bare bool   // only of what names no role
}{
	{[]string{"messages"}, "user", false},
	{[]string{"input_messages"}, "user", false},
	{[]string{"choices", "0", "message"}, "assistant", false},
	{[]string{"json", "message"}, "", false},
	{[]string{"candidates", "0", "content"}, "assistant", false},
	{[]string{"contents"}, "user", true},
	{[]string{"generations"}, "assistant", false},
	{[]string{"message"}, "", true},
	{[]string{"prompt"}, "user", true},
	{[]string{"prompts"}, "user", true},
}

func objectTurns(v object, role string) (out []turn) {
	if system := first(v, "system", "system_instruction", "config/system_instruction"); system != "" && v["role"] == nil {
		out = append(out, turn{Role: "system", Text: system})
	}
	for _, w := range wrappings {
		if in := get(v, w.at...); in != nil && !(w.bare && v["role"] != nil) {
			return append(out, turns(in, cmp.Or(w.role, role))...)
		}
	}
	bare := v["role"] == nil && v["type"] == nil && v["name"] == nil
	switch {
	case v["message.role"] != nil:
		return turns(unflattened(v, "message."), role)
	case v["kwargs"] != nil && (v["id"] != nil || v["args"] == nil):
		return constructed(v, role)
	case bare && v["args"] != nil:
		return append(out, turns(v["args"], "user")...)
	case bare && get(v, "content", "parts") != nil:
		return turns(v["content"], role)
	case v["object"] == "response" && v["output"] != nil:
		return turns(v["output"], "assistant")
	}
	if t, ok := message(v, role); ok {
		out = append(out, t)
	}
	return out
}

// constructed is a message of LangChain, spelled as the call that makes it.
func constructed(v object, role string) []turn {
	kwargs, _ := v["kwargs"].(object)
	if list, ok := v["id"].([]any); ok && len(list) > 0 && kwargs["type"] == nil && kwargs["role"] == nil {
		name := strings.ToLower(word(list[len(list)-1]))
		for _, r := range [][2]string{{"human", "user"}, {"ai", "assistant"}, {"system", "system"}, {"tool", "tool"}} {
			if strings.HasPrefix(name, r[0]) {
				role = r[1]
			}
		}
	}
	if t, ok := message(kwargs, role); ok {
		return []turn{t}
	}
	return nil
}

var speakers = map[string]string{"human": "user", "ai": "assistant", "model": "assistant", "developer": "system", "function": "tool",
	"HumanMessage": "user", "AIMessage": "assistant", "SystemMessage": "system", "ToolMessage": "tool", "AIMessageChunk": "assistant",
	"function_call": "assistant", "function_call_output": "tool", "reasoning": "assistant"}

// speaker is who speaks, by the role or the type of a message; "" if it does not say.
func speaker(v object) string {
	if role := first(v, "role"); role != "" {
		return role
	}
	if kind := first(v, "type"); speakers[kind] != "" {
		return kind
	}
	return ""
}

// message reads one message, or an item of a response.
func message(v object, role string) (t turn, ok bool) {
	said := speaker(v)
	t.Role = cmp.Or(said, role)
	if to := speakers[t.Role]; to != "" {
		t.Role = to
	}
	switch first(v, "type") {
	case "function_call", "tool_call":
		t.Calls = append(t.Calls, callOf(v))
		return t, true
	case "function_call_output":
		t.Results = append(t.Results, turnResult{ID: first(v, "call_id"), Text: plain(v["output"])})
		return t, true
	}
	if v["toolCallId"] != nil && v["toolName"] != nil && v["content"] == nil {
		t.block(v)
		return t, true
	}
	content := either(v["content"], v["contents"], v["parts"], v["summary"], get(v, "json", "text"))
	if o, is := content.(object); is && o["function"] != nil || said != "" && content == "role" {
		return t, false // the definition of a tool; what is left of a wrong attribute
	}
	if id := first(v, "tool_call_id", "message/tool_call_id"); id != "" {
		t.Role, t.Results = "tool", []turnResult{{ID: id, Name: first(v, "name"), Text: plain(content)}}
		return t, true
	}
	t.body(content)
	if text := first(v, "text"); t.Text == "" && text != "" && len(t.Results) == 0 {
		t.Text = text
	}
	t.Reasoning += first(v, "reasoning_content", "reasoning")
	t.called(v["tool_calls"], v["toolCalls"], get(v, "additional_kwargs", "tool_calls"), v["function_call"])
	return t, !t.empty()
}

// body reads the content of a message.
func (t *turn) body(content any) {
	switch c := content.(type) {
	case string:
		t.Text = c
		if list, ok := unjson(c).([]any); ok && len(list) > 0 && get(list[0], "type") != nil {
			t.Text = ""
			t.body(list)
		}
	case []any:
		for _, b := range c {
			t.block(b)
		}
	case object:
		t.block(c)
	}
}

// called takes the calls of the first list that has any, if there are none yet.
func (t *turn) called(lists ...any) {
	for _, list := range lists {
		if len(t.Calls) == 0 {
			t.calls(list)
		}
	}
	if t.Role == "tool" && len(t.Calls) > 0 && len(t.Results) == 0 {
		t.Role = "assistant" // who calls is no tool, whatever it says
	}
}

func (t *turn) calls(list any) {
	switch list := list.(type) {
	case []any:
		for _, c := range list {
			if o, ok := c.(object); ok {
				t.Calls = append(t.Calls, callOf(o))
			}
		}
	case object:
		t.Calls = append(t.Calls, callOf(list))
	}
}

// callOf reads a call, whatever wraps it.
func callOf(o object) turnCall {
	if in, ok := inside(o, "tool_call").(object); ok {
		o = in
	}
	return turnCall{ID: identity(o, "call_id", "id", "tool_call_id", "toolCallId", "tool_use_id"),
		Name: first(o, "name", "function/name", "toolName"),
		Args: spelled(either(o["arguments"], get(o, "function", "arguments"), o["args"], o["input"]))}
}

// inside is a member that is an object, or that is spelled with a dot before each of its
// own; nil if there is none.
func inside(o object, name string) any {
	if in := o[name]; in != nil {
		return in
	}
	return get(unflattened(o, name+"."), name)
}

// calling are the types of parts that are calls.
var calling = map[string]bool{"function": true, "tool_use": true, "tool-call": true, "tool_call": true, "function_call": true}

// block reads one part of a content.
func (t *turn) block(v any) {
	if s, ok := v.(string); ok {
		t.say(s)
		return
	}
	o, ok := v.(object)
	if !ok {
		return
	}
	if in, ok := inside(o, "message_content").(object); ok {
		o = in
	}
	if t.ofGemini(o) {
		return
	}
	switch kind := first(o, "type"); {
	case kind == "thinking" || kind == "reasoning":
		t.Reasoning += first(o, "thinking", "text", "content", "reasoning")
	case calling[kind] || o["toolCallId"] != nil && o["output"] == nil && o["result"] == nil:
		t.Calls = append(t.Calls, callOf(o))
	case kind == "tool_result" || kind == "tool-result" || kind == "tool_call_response" || o["toolCallId"] != nil:
		t.Results = append(t.Results, turnResult{ID: identity(o, "tool_use_id", "toolCallId", "id"), Name: first(o, "name", "toolName"),
			Text: plain(either(o["content"], o["output"], o["result"], o["response"]))})
	case kind == "blob" || kind == "uri" || kind == "file":
	default:
		t.say(first(o, "text", "content", "text/value"))
	}
}

// ofGemini reads a part that is a call or a response as Gemini spells them.
func (t *turn) ofGemini(o object) bool {
	if in, ok := either(o["functionCall"], o["function_call"]).(object); ok {
		t.Calls = append(t.Calls, callOf(in))
		return true
	}
	in, ok := either(o["functionResponse"], o["function_response"]).(object)
	if ok {
		t.Results = append(t.Results, turnResult{ID: first(in, "id"), Name: first(in, "name"), Text: plain(in["response"])})
	}
	return ok
}

func (t *turn) say(s string) {
	if t.Text != "" && s != "" {
		t.Text += "\n"
	}
	t.Text += s
}

// silent reports whether a model only calls or thinks in a turn.
func (t turn) silent() bool { return t.Role == "assistant" && t.Text == "" && len(t.Results) == 0 }

// joined joins calls and reasoning, which some list one by one, into one turn.
func joined(list []turn) (out []turn) {
	for _, t := range list {
		n := len(out)
		if n > 0 && t.silent() && out[n-1].silent() {
			out[n-1].Calls = append(out[n-1].Calls, t.Calls...)
			out[n-1].Reasoning += t.Reasoning
			continue
		}
		out = append(out, t)
	}
	return out
}

// plain is all text of a value; what has none is spelled as JSON.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if in, ok := unjson(v).(string); ok {
			return in
		}
		return v
	case []any:
		var list []string
		for _, e := range v {
			list = append(list, plain(e))
		}
		return strings.Join(list, "\n")
	case object:
		for _, k := range []string{"text", "value", "content"} {
			if len(v) <= 3 && v[k] != nil {
				return plain(v[k])
			}
		}
	}
	return spelled(v)
}

func spelled(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	if v == nil {
		return ""
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// unjson is what a string holds as JSON; nil if it holds none.
func unjson(s string) any {
	s = strings.TrimSpace(s)
	if s == "" || !strings.ContainsRune(`{["`, rune(s[0])) {
		return nil
	}
	var v any
	if json.Unmarshal([]byte(s), &v) != nil {
		return nil
	}
	return v
}

var pythonMessage = pattern.New(`(?s)^role=['"](\w+)['"] content=(?:'(.*?)'|"(.*?)"|None) name=.*? tool_call_id=(?:'([^']*)'|None)`)

// pythonTurn reads a message as Python shows an object of it. Its calls are in the answer of the
// span before, as JSON.
func pythonTurn(s string) (t turn, is bool) {
	g := pythonMessage.FindStringSubmatch(s)
	if g == nil {
		return t, false
	}
	t.Role = g[1]
	if to := speakers[t.Role]; to != "" {
		t.Role = to
	}
	t.Text = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\'`, "'", `\\`, `\`).Replace(g[2] + g[3])
	if g[4] != "" {
		t.Results, t.Text = []turnResult{{ID: g[4], Text: t.Text}}, ""
	}
	return t, true
}

func (t turn) empty() bool {
	return t.Text == "" && t.Reasoning == "" && len(t.Calls)+len(t.Results) == 0
}
