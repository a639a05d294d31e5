package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"palimpsest/model/transcript/jspan"
)

// sessionMessage is a message as Claude Code hands it to a function hook.
type sessionMessage struct {
	Role        string       `json:"role"`
	Text        string       `json:"text"`
	ToolUses    []toolUse    `json:"toolUses"`
	ToolResults []toolResult `json:"toolResults,omitempty"`
}

type toolUse struct {
	ID    string          `json:"tool_use_id"`
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"`
}

type toolResult struct {
	ID    string `json:"tool_use_id"`
	Text  string `json:"text"`
	Error bool   `json:"isError"`
}

// planned is a message that a compaction leaves: one of those that were given, by its
// index, or a new one.
type planned struct {
	Index   int             `json:"index"` // -1: Message
	Message *sessionMessage `json:"message,omitempty"`
}

// mostSession bounds what is read of a session.
const mostSession = 256 << 20

// Plan reads the messages of a session and writes what a compaction leaves of them,
// for a tool that lets others decide it. The compaction is recorded. An error is the
// reason why there is no plan.
func (c *Compactor) Plan(ctx context.Context, in io.Reader, out io.Writer) error {
	raw, err := io.ReadAll(io.LimitReader(in, mostSession))
	if err != nil {
		return err
	}
	var asked struct {
		Model    string           `json:"model"`
		Messages []sessionMessage `json:"messages"`
	}
	if err := json.Unmarshal(raw, &asked); err != nil {
		return fmt.Errorf("the messages are not JSON: %w", err)
	}
	body, err := asRequest(asked.Model, asked.Messages)
	if err != nil {
		return err
	}
	b, err := parseBody(anthropicAPI, body, &elementHashes{})
	if err != nil {
		return err
	}
	d := decision{send: b.raw}
	if d.policy, err = c.policyFor(ctx, b); err != nil {
		return err
	}
	o, why, err := c.attempt(ctx, b, &d, true)
	if err != nil {
		return err
	}
	if o == nil {
		return errors.New(why)
	}
	left := struct {
		Record   string    `json:"record"`
		Messages []planned `json:"messages"`
	}{Record: o.record}
	for _, p := range o.pieces {
		m := planned{Index: p.Msg}
		if p.Msg < 0 {
			if m.Message, err = sessionMessageOf(p.Text); err != nil {
				return err
			}
		}
		left.Messages = append(left.Messages, m)
	}
	return json.NewEncoder(out).Encode(left)
}

// asRequest spells messages as a request: one element each.
func asRequest(name string, list []sessionMessage) ([]byte, error) {
	type block map[string]any
	messages := make([]any, len(list))
	for i, m := range list {
		content := []block{}
		if m.Text != "" || len(m.ToolUses)+len(m.ToolResults) == 0 {
			content = append(content, block{"type": "text", "text": m.Text})
		}
		for _, u := range m.ToolUses {
			input := u.Input
			if len(input) == 0 {
				input = json.RawMessage("{}")
			}
			content = append(content, block{"type": "tool_use", "id": u.ID, "name": u.Tool, "input": input})
		}
		for _, r := range m.ToolResults {
			content = append(content, block{"type": "tool_result", "tool_use_id": r.ID, "content": r.Text, "is_error": r.Error})
		}
		messages[i] = map[string]any{"role": m.Role, "content": content}
	}
	return json.Marshal(map[string]any{"model": name, "messages": messages})
}

// sessionMessageOf reads a message of a request.
func sessionMessageOf(raw []byte) (*sessionMessage, error) {
	v, err := jspan.Parse(raw, 0)
	if err != nil {
		return nil, err
	}
	m := &sessionMessage{Role: v.Get("role").Text(), ToolUses: []toolUse{}}
	content := v.Get("content")
	if content.Kind == jspan.String {
		m.Text = content.Text()
	}
	for _, block := range content.Items {
		switch block.Get("type").Text() {
		case "text":
			m.Text += block.Get("text").Text()
		case "tool_use":
			m.ToolUses = append(m.ToolUses, toolUse{block.Get("id").Text(), block.Get("name").Text(), block.Get("input").Raw()})
		case "tool_result":
			m.ToolResults = append(m.ToolResults,
				toolResult{block.Get("tool_use_id").Text(), wholeText(block.Get("content")), block.Get("is_error").Bool()})
		}
	}
	return m, nil
}
