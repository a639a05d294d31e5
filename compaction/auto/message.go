package auto

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// ChatMessage is one message in the memory of an agent: a chat message, an
// assistant message with tool calls, or the result of one. Its JSON
// form is that of OpenAI's chat requests. Other fields of that form (names,
// images, a provider's own) are kept when a message is read and written again
// unchanged.
type ChatMessage struct {
	Role       string // system, developer, user, assistant, tool
	Content    string
	Reasoning  string // reasoning_content
	ToolCalls  []ChatCall
	ToolCallID string // of a tool result: the call it answers

	raw json.RawMessage // as it was read
}

// ChatCall is a tool call of a [ChatMessage].
type ChatCall struct {
	ID, Name  string
	Arguments string // as the model wrote them
}

// chatJSON is the JSON form of a message.
type chatJSON struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Reasoning  string          `json:"reasoning_content,omitempty"`
	ToolCalls  []callJSON      `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
}

type callJSON struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// MarshalJSON writes the message; one that was read and not changed since is
// written as it was.
func (m ChatMessage) MarshalJSON() ([]byte, error) {
	if m.raw != nil {
		var was ChatMessage
		if was.UnmarshalJSON(m.raw) == nil && was.same(&m) {
			return m.raw, nil
		}
	}
	return m.fresh()
}

func (m *ChatMessage) fresh() ([]byte, error) {
	j := chatJSON{Role: m.Role, Reasoning: m.Reasoning, ToolCallID: m.ToolCallID}
	for _, c := range m.ToolCalls {
		k := callJSON{ID: c.ID, Type: "function"}
		k.Function.Name, k.Function.Arguments = c.Name, c.Arguments
		j.ToolCalls = append(j.ToolCalls, k)
	}
	if m.Content == "" && len(m.ToolCalls) > 0 {
		j.Content = json.RawMessage("null")
		return model.PlainJSON(j)
	}
	var err error
	if j.Content, err = model.PlainJSON(m.Content); err != nil {
		return nil, err
	}
	return model.PlainJSON(j)
}

// compactJSON is valid JSON without white space, in bytes of its own.
func compactJSON(b []byte) json.RawMessage {
	var out bytes.Buffer
	if json.Compact(&out, b) != nil { // not valid after all: it is kept as it is
		return slices.Clone(b)
	}
	return out.Bytes()
}

// UnmarshalJSON reads a message. Content is the texts of content in parts.
func (m *ChatMessage) UnmarshalJSON(b []byte) error {
	var j chatJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return fmt.Errorf("chat message: %w", err)
	}
	text, err := contentText(j.Content)
	if err != nil {
		return fmt.Errorf("chat message: %w", err)
	}
	*m = ChatMessage{Role: j.Role, Content: text, Reasoning: j.Reasoning, ToolCallID: j.ToolCallID, raw: compactJSON(b)}
	for _, c := range j.ToolCalls {
		m.ToolCalls = append(m.ToolCalls, ChatCall{c.ID, c.Function.Name, c.Function.Arguments})
	}
	return nil
}

// contentText is the text of a content: a string, null, or a list of parts.
func contentText(b json.RawMessage) (string, error) {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || string(b) == "null" {
		return "", nil
	}
	if b[0] != '[' {
		var s string
		err := json.Unmarshal(b, &s)
		return s, err
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return "", err
	}
	var texts []string
	for _, p := range parts {
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n"), nil
}

func (m *ChatMessage) same(o *ChatMessage) bool {
	return m.Role == o.Role && m.Content == o.Content && m.Reasoning == o.Reasoning &&
		m.ToolCallID == o.ToolCallID && slices.Equal(m.ToolCalls, o.ToolCalls)
}

// clone is the message with its own slice of calls, so that no caller can change
// the compactor's.
func (m ChatMessage) clone() ChatMessage {
	m.ToolCalls = slices.Clone(m.ToolCalls)
	return m
}

// typed reports whether a person's words are in the message, and not only what a
// program put in as the user's.
func (m *ChatMessage) typed() bool { return m.Role == "user" && !model.Injected(m.Content) }

// message is the message as the engine sees it.
func (m *ChatMessage) message() model.Message {
	out := model.Message{Kind: model.KindAssistant, Role: model.RoleOther}
	switch m.Role {
	case "system":
		out.Kind, out.Role = model.KindSystem, model.RoleSystem
	case "developer":
		out.Kind, out.Role = model.KindSystem, model.RoleDeveloper
	case "user":
		out.Kind, out.Role, out.Origin = model.KindUser, model.RoleUser, model.OriginInjected
		if m.typed() {
			out.Origin = model.OriginTyped
		}
	case "assistant":
		out.Role = model.RoleAssistant
	case "tool":
		out.Kind, out.Role, out.Answers = model.KindResult, model.RoleTool, m.ToolCallID
	}
	for _, c := range m.ToolCalls {
		out.Calls = append(out.Calls, model.Call{ID: c.ID, Name: c.Name})
	}
	return out
}

// entry is the message as summarize reads it; clean is applied to every text.
func (m *ChatMessage) entry(num int, clean func(string) string) summarize.Entry {
	msg := m.message()
	e := summarize.Entry{Msg: &msg, Num: num}
	if m.Role == "tool" {
		e.Parts = append(e.Parts, model.Part{Kind: model.PartResult, Text: clean(m.Content), CallID: m.ToolCallID})
		return e
	}
	if m.Reasoning != "" {
		e.Parts = append(e.Parts, model.Part{Kind: model.PartReasoning, Text: clean(m.Reasoning)})
	}
	if m.Content != "" {
		e.Parts = append(e.Parts, model.Part{Kind: model.PartText, Text: clean(m.Content)})
	}
	for _, c := range m.ToolCalls {
		e.Parts = append(e.Parts, model.Part{Kind: model.PartCall, Text: clean(c.Arguments), CallID: c.ID, Name: c.Name})
	}
	return e
}

// FrameTokens is what a request adds to a message for its role and its ends.
// OpenAI's cookbook counts 3 a message and 1 a name (how to count tokens,
// 2024-12).
const FrameTokens = 4

// tokens estimates the message with a count of texts.
func (m *ChatMessage) tokens(count func(string) int) int64 {
	n := FrameTokens + count(m.Content)
	if m.Reasoning != "" {
		n += count(m.Reasoning)
	}
	for _, c := range m.ToolCalls {
		n += FrameTokens + count(c.Name) + count(c.Arguments)
	}
	return int64(n) + mediaTokens(m.raw)
}
