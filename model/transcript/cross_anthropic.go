package transcript

import (
	"encoding/json"

	"palimpsest/model"
)

// claudeBlock is a content block of Anthropic's Messages.
type claudeBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
}

type claudeMessage struct {
	Role    string        `json:"role"`
	Content []claudeBlock `json:"content"`
}

// anthropic writes {"system":…,"messages":[…]}: the system text that comes
// first is separate, and the two sides alternate.
func (c *crossWriter) anthropic() error {
	var system string
	var run claudeMessage
	begun, first := false, true
	begin := func() error {
		if begun {
			return nil
		}
		begun = true
		c.WriteByte('{')
		if system != "" {
			b, err := model.PlainJSON(system)
			if err != nil {
				return err
			}
			c.WriteString(`"system":`)
			c.Write(b)
			c.WriteByte(',')
		}
		_, err := c.WriteString(`"messages":[`)
		return err
	}
	flush := func() error {
		if len(run.Content) == 0 {
			return nil
		}
		err := c.element(&first, run)
		run = claudeMessage{}
		return err
	}
	err := c.eachSpoken(func(m *model.Message, parts []model.Part) error {
		if isSystem := m.Role == model.RoleSystem || m.Role == model.RoleDeveloper; isSystem && m.Kind != model.KindSummary && !begun {
			system = joinText(system, wordsOf(parts))
			return nil
		}
		if err := begin(); err != nil {
			return err
		}
		role := "user"
		if m.Role == model.RoleAssistant && m.Kind != model.KindSummary {
			role = "assistant"
		}
		if run.Role == "" && role == "assistant" { // the first message has to be the user's
			run = claudeMessage{"user", []claudeBlock{{Type: "text", Text: "[what came before is not in this history]"}}}
		}
		if run.Role != role {
			if err := flush(); err != nil {
				return err
			}
			run.Role = role
		}
		run.Content = append(run.Content, c.blocks(m, parts)...)
		return nil
	})
	if err != nil {
		return err
	}
	if err := begin(); err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	_, err = c.WriteString("\n]}\n")
	return err
}

// joinText puts a blank line between two texts, if both say something.
func joinText(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

// blocks spells a message.
func (c *crossWriter) blocks(m *model.Message, parts []model.Part) []claudeBlock {
	text := wordsOf(parts)
	if m.Kind == model.KindResult {
		return []claudeBlock{{Type: "tool_result", ToolUseID: m.Answers, Content: text, IsError: m.Error}}
	}
	later := m.Kind != model.KindSummary && (m.Role == model.RoleSystem || m.Role == model.RoleDeveloper)
	c.count(LossSystem, later)
	c.count(LossRoles, m.Role == model.RoleOther)
	var out []claudeBlock
	if text != "" {
		out = append(out, claudeBlock{Type: "text", Text: text})
	}
	if m.Role == model.RoleAssistant {
		for _, p := range callsOf(parts) {
			out = append(out, claudeBlock{Type: "tool_use", ID: p.CallID, Name: p.Name, Input: c.object(p.Text)})
		}
	}
	return out
}

// object gives arguments as the JSON object the service wants.
func (c *crossWriter) object(args string) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal([]byte(args), &o) == nil && o != nil {
		return json.RawMessage(args)
	}
	c.count(LossArguments, true)
	b, err := model.PlainJSON(map[string]string{"arguments": args})
	if err != nil { // a string always encodes
		return json.RawMessage("{}")
	}
	return b
}
