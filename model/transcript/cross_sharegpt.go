package transcript

import (
	"encoding/json"

	"palimpsest/model"
)

type shareGPTOut struct {
	From  string `json:"from"`
	Value string `json:"value"`
}

// shareGPTCall is a call as the value of a saying spells it.
type shareGPTCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// shareGPT writes one conversation of {from, value}. An answer with calls becomes its text
// and a saying with the calls. Observations answer the calls of the saying before them, so
// calls that follow each other before a result are one saying, a list. Each result is an
// observation.
func (c *crossWriter) shareGPT() error {
	c.WriteString(`[{"conversations":[`)
	first, calls := true, []shareGPTCall(nil)
	called := func() error { // what was called since the last saying of another
		if len(calls) == 0 {
			return nil
		}
		value, err := model.PlainJSON(calls)
		if len(calls) == 1 {
			value, err = model.PlainJSON(calls[0])
		}
		if err != nil {
			return err
		}
		calls = nil
		return c.element(&first, shareGPTOut{"function_call", string(value)})
	}
	err := c.eachSpoken(func(m *model.Message, parts []model.Part) error {
		from := "human"
		switch {
		case m.Kind == model.KindSummary, m.Role == model.RoleSystem, m.Role == model.RoleDeveloper:
			from = "system"
		case m.Kind == model.KindResult:
			from = "observation"
		case m.Role == model.RoleAssistant:
			from = "gpt"
		default:
			c.count(LossRoles, m.Role != model.RoleUser)
		}
		text, made := wordsOf(parts), []model.Part(nil)
		if from == "gpt" {
			made = callsOf(parts)
		}
		if text != "" || len(made) == 0 {
			if err := called(); err != nil {
				return err
			}
			if err := c.element(&first, shareGPTOut{from, text}); err != nil {
				return err
			}
		}
		for _, p := range made {
			calls = append(calls, shareGPTCall{p.Name, argumentValue(p.Text)})
		}
		return nil
	})
	if err == nil {
		err = called()
	}
	c.WriteString("\n]}]\n")
	return err
}

// argumentValue is arguments as a JSON value: themselves if they are one, else a
// string.
func argumentValue(args string) json.RawMessage {
	if json.Valid([]byte(args)) {
		return json.RawMessage(args)
	}
	b, err := model.PlainJSON(args)
	if err != nil { // a string always encodes
		return json.RawMessage("null")
	}
	return b
}
