package toolconfig

import (
	"palimpsest/compaction"
	"palimpsest/model"
)

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

// shareSetting says a trigger as a share of the window; without a trigger, off.
func shareSetting(path string, off float64) func(model.Policy, config) ([]setting, error) {
	return func(p model.Policy, _ config) ([]setting, error) {
		if len(p.Triggers) == 0 {
			return []setting{set(path, off)}, nil
		}
		share, err := triggerShare(p)
		if err == errNoClause {
			return nil, nil
		}
		return []setting{set(path, share)}, err
	}
}

// offOutside reports whether Goose takes a threshold for off.
func offOutside(share float64) bool { return share <= 0 || share >= 1 }

func readShare(path string, usual float64, off func(float64) bool) func(config, *model.Policy) {
	return func(c config, p *model.Policy) {
		share, ok := c.number(path)
		if !ok {
			return // the engine's own share
		}
		if off != nil && off(share) {
			p.Triggers = nil
			return
		}
		if share <= 0 || share > 1 {
			share = usual
		}
		p.Triggers = []model.Clause{compaction.ShareClause(share)}
	}
}
