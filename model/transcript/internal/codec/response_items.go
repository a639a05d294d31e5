package codec

import (
	"bytes"
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// ItemKind is what a Responses item is to a history.
type ItemKind uint8

const (
	ItemOther ItemKind = iota // unknown, or not sent to the model
	ItemMessage
	ItemAnswer // part of an assistant message: reasoning, a call
	ItemResult
	ItemSummary
	ItemAgent // a message from another agent
)

// HoldsCheckpoint reports whether a message has a compaction that only its provider can read:
// Hermes, LiteLLM and LangChain keep it in members that are beside what is said, or among its blocks.
func HoldsCheckpoint(v jspan.Value) bool {
	return bytes.Contains(v.Raw(), []byte(`"encrypted_content"`)) && holdsSealed(v, mostKeptIn)
}

// mostKeptIn is how deep in a message a compaction is looked for.
const mostKeptIn = 6

func holdsSealed(v jspan.Value, depth int) bool {
	if depth == 0 || KindOfItem(v) == ItemSummary && encrypted(v) {
		return depth > 0
	}
	for _, e := range v.Items {
		if holdsSealed(e, depth-1) {
			return true
		}
	}
	for _, e := range v.Each {
		if holdsSealed(e, depth-1) {
			return true
		}
	}
	return false
}

// EncryptedSummary is shown for a summary that only the provider can read.
const EncryptedSummary = "[encrypted summary]"

// encrypted reports whether a compaction has what only its provider can read.
func encrypted(v jspan.Value) bool { return v.Get("encrypted_content").Kind == jspan.String }

// KindOfItem returns what an item of the Responses API is to a history.
func KindOfItem(v jspan.Value) ItemKind {
	switch t := v.Get("type").TextN(40); t {
	case "message":
		return ItemMessage
	case "":
		if v.Get("role").Kind == jspan.String && v.Has("content") {
			return ItemMessage
		}
		if v.Has("recipient") && v.Has("content") { // as a rollout records it
			return ItemAgent
		}
	case "reasoning", "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "file_search_call",
		"computer_call", "code_interpreter_call", "image_generation_call", "mcp_call", "tool_search_call":
		return ItemAnswer
	case "compaction", "compaction_summary", "context_compaction":
		return ItemSummary
	case "agent_message":
		return ItemAgent
	case "function_call_output", "custom_tool_call_output": // without an id it is a handoff
		return ItemResult
	default:
		if strings.HasSuffix(t, "_output") {
			if v.Get("call_id").Kind == jspan.String {
				return ItemResult
			}
			return ItemAnswer // of a tool that the provider ran
		}
	}
	return ItemOther
}

// CallOf is the call an item makes. Calls that the provider runs itself have no
// id: no result of theirs is waited for.
func (t *Texts) CallOf(v jspan.Value) (model.Call, bool) {
	kind := v.Get("type").TextN(40)
	if !strings.HasSuffix(kind, "_call") {
		return model.Call{}, false
	}
	name := t.Text(v.Get("name"))
	if name == "" {
		name = t.Intern(strings.TrimSuffix(kind, "_call"))
	}
	c := model.Call{ID: t.ID(v.Get("call_id")), Name: name}
	if c.ID == "" && kind == "local_shell_call" {
		c.ID = t.ID(v.Get("id"))
	}
	if v.Get("execution").TextN(8) == "server" {
		c.ID = ""
	}
	return c, true
}

// ReadItems reads the parts of a message whose pieces are items, of each by add. A result has
// the call that it answers, and what became of it, from the message.
func ReadItems(d *model.Document, m *model.Message, add func(v jspan.Value, out []model.Part) []model.Part) ([]model.Part, error) {
	var out []model.Part
	err := EachPiece(d, m, func(v jspan.Value) { out = add(v, out) })
	for i := range out {
		if m.Kind == model.KindResult && out[i].Kind == model.PartResult {
			out[i].CallID, out[i].Name, out[i].Error = m.Answers, m.Name, m.Error
		}
	}
	return out, err
}

// ItemParts decodes a Responses item.
func ItemParts(v jspan.Value, out []model.Part) []model.Part {
	if v.Kind == jspan.String {
		return append(out, model.Part{Kind: model.PartText, Text: v.Text()})
	}
	t := v.Get("type").Text()
	switch KindOfItem(v) {
	case ItemMessage, ItemAgent:
		return contentParts(v.Get("content"), out)
	case ItemResult:
		return OutputParts(v, out)
	case ItemAnswer:
		if t == "reasoning" {
			return reasoningParts(v, out)
		}
		if strings.HasSuffix(t, "_call") {
			return append(out, CallPart(v, t))
		}
		return OutputParts(v, out)
	case ItemSummary:
		for _, said := range MembersOf(v, "summary", "content", "text") {
			if list := contentParts(said, nil); len(list) > 0 {
				return append(out, list...)
			}
		}
	}
	if t == "" {
		t = "item"
	}
	n := v.Len()
	if e := v.Get("encrypted_content"); e.Kind == jspan.String {
		n = e.Len() - 2
	}
	return append(out, model.Part{Kind: model.PartOpaque, Name: t, Bytes: n})
}

// CallPart decodes an item of type t that calls.
func CallPart(v jspan.Value, t string) model.Part {
	p := model.Part{Kind: model.PartCall, CallID: v.Get("call_id").Text(), Name: v.Get("name").Text()}
	if p.Name == "" {
		p.Name = strings.TrimSuffix(t, "_call")
	}
	if a := CallArguments(v); a.Kind == jspan.String {
		p.Text = a.Text()
	} else if a.Exists() {
		p.Text = a.RawText()
	}
	return p
}

// CallArguments is the value that holds what a call is made with.
func CallArguments(v jspan.Value) jspan.Value {
	for _, k := range []string{"arguments", "input", "action", "operation", "queries", "code"} {
		if a := v.Get(k); a.Exists() {
			return a
		}
	}
	return jspan.Value{}
}

func reasoningParts(v jspan.Value, out []model.Part) []model.Part {
	n := len(out)
	for _, k := range []string{"summary", "content"} {
		for _, s := range v.Get(k).Items {
			out = append(out, model.Part{Kind: model.PartReasoning, Text: s.Get("text").Text()})
		}
	}
	if e := v.Get("encrypted_content"); e.Kind == jspan.String {
		out = append(out, model.Part{Kind: model.PartOpaque, Name: "encrypted_content", Bytes: e.Len() - 2})
	}
	if len(out) == n {
		out = append(out, model.Part{Kind: model.PartReasoning})
	}
	return out
}

// contentParts decodes the content of a message item.
func contentParts(v jspan.Value, out []model.Part) []model.Part {
	if v.Kind == jspan.String {
		return append(out, model.Part{Kind: model.PartText, Text: v.Text()})
	}
	for _, c := range v.Items {
		if text, ok := ContentText(c); ok {
			out = append(out, model.Part{Kind: model.PartText, Text: text.Text()})
			continue
		}
		switch t := c.Get("type").Text(); t {
		case "input_image", "input_file", "input_audio":
			out = append(out, MediaPart(t, c))
		default:
			out = append(out, model.Part{Kind: model.PartOpaque, Name: t, Bytes: c.Len()})
		}
	}
	return out
}

// ContentText is the text of a part of a message item, if it is one of text.
func ContentText(c jspan.Value) (jspan.Value, bool) {
	if c.Kind == jspan.String {
		return c, true
	}
	switch string(c.Get("type").Bytes()) {
	case "input_text", "output_text", "text", "summary_text":
		return c.Get("text"), true
	case "refusal":
		return c.Get("refusal"), true
	case "": // of a wrapped item
		text := c.Get("text")
		return text, text.Kind == jspan.String
	}
	return jspan.Value{}, false
}

// OutputParts decodes the output of a call: a string, content parts, or an
// object that wraps one of them.
func OutputParts(v jspan.Value, out []model.Part) []model.Part {
	p := model.Part{Kind: model.PartResult, CallID: v.Get("call_id").Text()}
	o := OutputOf(v)
	if c := o.Get("content"); c.Exists() {
		o = c
	}
	var rest []model.Part
	switch o.Kind {
	case jspan.String:
		p.Text = o.Text()
	case jspan.Array:
		var texts []string
		for _, c := range contentParts(o, nil) {
			if c.Kind == model.PartText {
				texts = append(texts, c.Text)
			} else if c.Kind == model.PartMedia {
				rest = append(rest, c)
			}
		}
		if p.Text = strings.Join(texts, "\n"); len(texts)+len(rest) == 0 && o.Count() > 0 {
			p.Text = o.RawText()
		}
	default:
		p.Text = o.RawText()
	}
	return append(append(out, p), rest...)
}

// OutputOf is the value that holds what a call gave.
func OutputOf(v jspan.Value) jspan.Value {
	if o := v.Get("output"); o.Exists() {
		return o
	}
	return v.Get("tools")
}

// LoadsTools reports whether an output is the tools that a search for them found.
func LoadsTools(v jspan.Value) bool { return v.Get("type").Is("tool_search_output") }

// Failed reports whether an output is a failure: by its flag, or by the
// exit code that Codex puts at its head or tail.
func (t *Texts) Failed(v jspan.Value) bool {
	o := OutputOf(v)
	if o.Get("success").Kind == jspan.False {
		return true
	}
	t.head = o.AppendTextN(t.head[:0], 200)
	head := ViewOf(t.head)
	for _, mark := range []string{"Exit code: ", "Process exited with code "} {
		if _, rest, ok := strings.Cut(head, mark); ok {
			return exitCode(rest) > 0
		}
	}
	if strings.HasPrefix(head, `{"output":`) {
		text := o.Text()
		if i := strings.LastIndex(text, `"exit_code":`); i >= 0 {
			return exitCode(text[i+len(`"exit_code":`):]) > 0
		}
	}
	return false
}

func exitCode(s string) int {
	s = strings.TrimLeft(s, " ")
	end := strings.IndexFunc(s, func(r rune) bool { return r != '-' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(s)
	}
	n, _ := strconv.Atoi(s[:end]) // 0 without a number
	return max(n, -n)
}
