package toolconfig

import (
	"math"

	"palimpsest/compaction"
	"palimpsest/model"
)

const geminiThreshold = "model.compressionThreshold"

// sayGemini says a trigger as a share of the window; without a trigger, 1.
func sayGemini(p model.Policy, _ config) ([]setting, error) {
	if len(p.Triggers) == 0 {
		return []setting{set(geminiThreshold, 1)}, nil
	}
	share, err := triggerShare(p)
	if err == errNoClause {
		return nil, nil
	}
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
