package transcript

import (
	"palimpsest/model"
)

// openAIOut is a message of OpenAI's chat completions. Reasoning goes where
// providers of open models put it.
type openAIOut struct {
	Role       string          `json:"role"`
	Content    *string         `json:"content"` // null beside calls
	Reasoning  string          `json:"reasoning_content,omitempty"`
	ToolCalls  []openAIOutCall `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
	Name       string          `json:"name,omitempty"`
}

type openAIOutCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// element writes one value of a list on a line of its own.
func (c *crossWriter) element(first *bool, v any) error {
	b, err := model.PlainJSON(v)
	if err != nil {
		return err
	}
	if !*first {
		c.WriteByte(',')
	}
	*first = false
	c.WriteByte('\n')
	_, err = c.Write(b)
	return err
}

// openAI writes {"messages":[…]}.
func (c *crossWriter) openAI() error {
	c.WriteString(`{"messages":[`)
	first := true
	err := c.eachSpoken(func(m *model.Message, parts []model.Part) error {
		text := wordsOf(parts)
		out := openAIOut{Content: &text, Reasoning: reasoningOf(parts)}
		switch {
		case m.Kind == model.KindSummary, m.Role == model.RoleSystem:
			out.Role = "system"
		case m.Role == model.RoleDeveloper:
			out.Role = "developer"
		case m.Kind == model.KindResult:
			out.Role, out.ToolCallID, out.Name = "tool", m.Answers, m.Name
		case m.Role == model.RoleAssistant:
			out.Role = "assistant"
			for _, p := range callsOf(parts) {
				call := openAIOutCall{ID: p.CallID, Type: "function"}
				if call.Function.Name, call.Function.Arguments = p.Name, p.Text; p.Text == "" {
					call.Function.Arguments = "{}"
				}
				out.ToolCalls = append(out.ToolCalls, call)
			}
			if text == "" && len(out.ToolCalls) > 0 {
				out.Content = nil
			}
		default:
			c.count(LossRoles, m.Role != model.RoleUser)
			out.Role = "user"
		}
		return c.element(&first, out)
	})
	c.WriteString("\n]}\n")
	return err
}
