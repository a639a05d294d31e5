package toolconfig

import "palimpsest/model"

func sayCodex(p model.Policy, c config) ([]setting, error) {
	at, err := triggerTokens(p)
	if err == errNoClause {
		return nil, nil
	}
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
