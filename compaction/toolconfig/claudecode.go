package toolconfig

import (
	"math"

	"palimpsest/model"
)

// Claude Code reserves for its summary, and keeps before that.
const (
	claudeSummary = 20000
	claudeBuffer  = 13000
	claudeLeast   = 100000 // of the window that can be set
	claudeMost    = 1000000
)

func sayClaudeCode(p model.Policy, c config) ([]setting, error) {
	if len(p.Triggers) == 0 || p.Strategy == model.ClearOnly {
		return []setting{set("autoCompactEnabled", false)}, nil
	}
	at, err := triggerTokens(p)
	if err == errNoClause {
		return nil, nil // it counts nothing but tokens
	}
	if err != nil {
		return nil, err
	}
	const variable, share = "env.CLAUDE_CODE_AUTO_COMPACT_WINDOW", "env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
	window := min(max(at+claudeSummary+claudeBuffer, claudeLeast), claudeMost)
	list := []setting{set("autoCompactEnabled", true), set("autoCompactWindow", window)}
	if p.Window > 0 && at >= p.Window-claudeSummary-claudeBuffer { // as late as it can: that of the model
		return []setting{set("autoCompactEnabled", true), set("autoCompactWindow", nil), set(variable, nil), set(share, nil)}, nil
	}
	if _, there := c.number(variable); there {
		list = append(list, set(variable, decimal(float64(window))))
	}
	if at < claudeLeast-claudeSummary-claudeBuffer {
		return append(list, set(share, decimal(math.Ceil(float64(at)/float64(window-claudeSummary)*1e4)/100))), nil
	}
	return append(list, set(share, nil)), nil
}

func readClaudeCode(c config, p *model.Policy) {
	if c.is("autoCompactEnabled", false) {
		p.Triggers = nil
		return
	}
	window, known := c.number("env.CLAUDE_CODE_AUTO_COMPACT_WINDOW")
	if !known {
		window, known = c.number("autoCompactWindow")
	}
	if p.Window > 0 && (!known || window > float64(p.Window)) {
		window, known = float64(p.Window), true
	}
	if !known {
		return // 83.5 % of a window that is not known
	}
	at := window - claudeSummary - claudeBuffer
	if share, ok := c.number("env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"); ok && share > 0 && share <= 100 {
		at = min(at, math.Floor((window-claudeSummary)*share/100))
	}
	p.Triggers = tokens(int(at))
}
