package toolconfig

import (
	"math"

	"palimpsest/compaction"
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
	if err != nil {
		return nil, err
	}
	const variable, share = "env.CLAUDE_CODE_AUTO_COMPACT_WINDOW", "env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
	window := min(max(at+claudeSummary+claudeBuffer, claudeLeast), claudeMost)
	list := []setting{set("autoCompactEnabled", true), set("autoCompactWindow", window)}
	if p.Window > 0 && at >= p.Window-claudeSummary-claudeBuffer { // as late as it can: its limit is the model's
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

func sayCodex(p model.Policy, c config) ([]setting, error) {
	at, err := triggerTokens(p)
	return []setting{set("model_auto_compact_token_limit", at)}, err
}

func readCodex(c config, p *model.Policy) {
	window, known := c.number("model_context_window")
	if p.Window > 0 {
		window, known = float64(p.Window), true
	}
	at, ok := c.number("model_auto_compact_token_limit")
	switch {
	case ok && known:
		p.Triggers = tokens(int(min(at, window*9/10)))
	case ok:
		p.Triggers = tokens(int(at))
	}
}

const geminiThreshold = "model.compressionThreshold"

// sayGemini says a trigger as a share of the window; without a trigger, 1.
func sayGemini(p model.Policy, _ config) ([]setting, error) {
	if len(p.Triggers) == 0 {
		return []setting{set(geminiThreshold, 1)}, nil
	}
	share, err := triggerShare(p)
	return []setting{set(geminiThreshold, share)}, err
}

func readGemini(c config, p *model.Policy) {
	share, ok := c.number(geminiThreshold)
	if !ok {
		return // the engine's own share
	}
	if share <= 0 || share > 1 {
		share = 1
	}
	p.Triggers = []model.Clause{compaction.ShareClause(share)}
}

// triggerShare is the least share of the context window at which a policy fires.
func triggerShare(p model.Policy) (float64, error) {
	least := 0.0
	for _, c := range p.Triggers {
		share := c.Share
		if n, ok := clauseTokens(c, p.Window); ok && share == 0 {
			if p.Window == 0 {
				return 0, errWindow
			}
			share = float64(n) / float64(p.Window)
		}
		if share > 0 && (least == 0 || share < least) {
			least = share
		}
	}
	if least == 0 {
		return 0, errNoClause
	}
	return math.Round(min(least, 1)*1e4) / 1e4, nil
}

// opencode keeps whole turns up to a number of tokens, and of these at most so
// many turns. So many turns mean that only the tokens count.
const opencodeAllTurns = 1000

func opencodeTail(p model.Policy) []setting {
	switch p.Tail.Unit {
	case model.Tokens:
		return []setting{set("compaction.preserve_recent_tokens", p.Tail.N), set("compaction.tail_turns", opencodeAllTurns)}
	case model.Turns:
		return []setting{set("compaction.tail_turns", p.Tail.N), set("compaction.preserve_recent_tokens", max(p.Window/2, 8000))}
	}
	return nil
}

func sayOpencode(p model.Policy, _ config) ([]setting, error) {
	list := append([]setting{set("compaction.prune", p.Clear.On)}, opencodeTail(p)...)
	if len(p.Triggers) == 0 {
		return append(list, set("compaction.auto", false)), nil
	}
	at, err := triggerTokens(p)
	switch {
	case err == errNoClause:
		return list, nil
	case err != nil:
		return nil, err
	case p.Window == 0:
		return nil, errWindow
	}
	return append(list, set("compaction.auto", true), set("compaction.reserved", max(p.Window-at, 0))), nil
}

func readOpencode(c config, p *model.Policy) {
	p.Tail.N = 8000
	if n, ok := c.number("compaction.preserve_recent_tokens"); ok {
		p.Tail = model.Amount{N: int(n), Unit: model.Tokens}
	}
	if n, ok := c.number("compaction.tail_turns"); ok && n < opencodeAllTurns {
		p.Tail = model.Amount{N: int(n), Unit: model.Turns}
	}
	p.Clear = model.Clearing{On: c.is("compaction.prune", true)}
	left, ok := c.number("compaction.reserved")
	if !ok {
		left = 20000
	}
	switch {
	case c.is("compaction.auto", false):
		p.Triggers = nil
	case p.Window > 0:
		p.Triggers = tokens(p.Window - int(left))
	}
}
