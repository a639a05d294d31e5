package toolconfig

import (
	"palimpsest/model"
)

func sayAnthropic(p model.Policy, _ config) ([]setting, error) {
	inTokens := func(n int) map[string]any { return map[string]any{"type": "input_tokens", "value": n} }
	at, err := triggerTokens(p)
	if err != nil {
		if err == errNoClause {
			err = nil
		}
		return nil, err
	}
	edits := []any{}
	if p.Clear.On || p.Strategy == model.ClearOnly {
		edits = append(edits, map[string]any{"type": "clear_tool_uses_20250919", "trigger": inTokens(at),
			"keep": map[string]any{"type": "tool_uses", "value": p.Clear.Keep}, "clear_at_least": inTokens(p.MinGain.Tokens)})
	}
	if p.Strategy != model.ClearOnly {
		edits = append(edits, map[string]any{"type": "compact_20260112", "trigger": inTokens(max(at, 50000))})
	}
	return []setting{set("context_management", map[string]any{"edits": edits})}, nil
}

func readAnthropic(c config, p *model.Policy) {
	list, _ := c("context_management", "edits")
	edits, _ := list.([]any)
	compacts := false
	for _, x := range edits {
		m, _ := x.(map[string]any)
		e := tree(m)
		switch m["type"] {
		case "compact_20260112":
			at, ok := e.number("trigger.value")
			if !ok {
				at = 150000
			}
			compacts, p.Triggers = true, tokens(int(max(at, 50000)))
		case "clear_tool_uses_20250919":
			at, ok := e.number("trigger.value")
			if !ok {
				at = 100000
			}
			keep, ok := e.number("keep.value")
			if !ok {
				keep = 3
			}
			p.Clear = model.Clearing{On: true, Keep: int(keep)}
			if least, ok := e.number("clear_at_least.value"); ok {
				p.MinGain.Tokens = int(least)
			}
			if !compacts {
				p.Triggers = tokens(int(at))
			}
		}
	}
	if p.Clear.On && !compacts {
		p.Strategy = model.ClearOnly
	}
}

func sayOpenAI(p model.Policy, _ config) ([]setting, error) {
	at, err := triggerTokens(p)
	if err == errNoClause {
		return nil, nil
	}
	return []setting{set("context_management", []any{map[string]any{"type": "compaction", "compact_threshold": at}})}, err
}

func readOpenAI(c config, p *model.Policy) {
	list, _ := c("context_management")
	entries, _ := list.([]any)
	for _, x := range entries {
		if m, _ := x.(map[string]any); m["type"] == "compaction" {
			if at, ok := tree(m).number("compact_threshold"); ok {
				p.Triggers = tokens(int(at))
			}
		}
	}
}
