package toolconfig

import (
	"math"

	"palimpsest/compaction"
	"palimpsest/model"
)

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

func readOpencodeTail(c config, p *model.Policy) {
	if n, ok := c.number("compaction.preserve_recent_tokens"); ok {
		p.Tail = model.Amount{N: int(n), Unit: model.Tokens}
	}
	if n, ok := c.number("compaction.tail_turns"); ok && n < opencodeAllTurns {
		p.Tail = model.Amount{N: int(n), Unit: model.Turns}
	}
	p.Clear = model.Clearing{On: c.on("compaction.prune")}
}

// reserve says a trigger as the tokens between it and the window's end.
func reserve(path string, p model.Policy) ([]setting, error) {
	if len(p.Triggers) == 0 {
		return []setting{set("compaction.auto", false)}, nil
	}
	at, err := triggerTokens(p)
	switch {
	case err == errNoClause:
		return nil, nil
	case err != nil:
		return nil, err
	case p.Window == 0:
		return nil, windowNeeded
	}
	return []setting{set("compaction.auto", true), set(path, max(p.Window-at, 0))}, nil
}

func readReserve(path string, c config, p *model.Policy) {
	left, ok := c.number(path)
	if !ok {
		left = 20000
	}
	switch {
	case c.off("compaction.auto"):
		p.Triggers = nil
	case p.Window > 0:
		p.Triggers = tokens(max(p.Window-int(left), 0))
	}
}

func sayOpencode(p model.Policy, _ config) ([]setting, error) {
	list, err := reserve("compaction.reserved", p)
	return append(append(list, set("compaction.prune", p.Clear.On)), opencodeTail(p)...), err
}

func readOpencode(c config, p *model.Policy) {
	readOpencodeTail(c, p)
	readReserve("compaction.reserved", c, p)
}

func sayOpencode2(p model.Policy, _ config) ([]setting, error) {
	list, err := reserve("compaction.buffer", p)
	list = append(list, set("compaction.prune", p.Clear.On))
	if p.Tail.Unit == model.Tokens {
		list = append(list, set("compaction.keep.tokens", p.Tail.N))
	}
	return list, err
}

func readOpencode2(c config, p *model.Policy) {
	if n, ok := c.number("compaction.keep.tokens"); ok {
		p.Tail = model.Amount{N: int(n), Unit: model.Tokens}
	}
	p.Clear = model.Clearing{On: c.on("compaction.prune")}
	readReserve("compaction.buffer", c, p)
}

func sayKilo(p model.Policy, _ config) ([]setting, error) {
	list := append([]setting{set("compaction.prune", p.Clear.On)}, opencodeTail(p)...)
	if len(p.Triggers) == 0 {
		return append(list, set("compaction.auto", false)), nil
	}
	share, err := triggerShare(p)
	if err == errNoClause {
		return list, nil
	}
	return append(list, set("compaction.auto", true), set("compaction.threshold_percent", math.Round(share*1e4)/100)), err
}

func readKilo(c config, p *model.Policy) {
	readOpencode(c, p)
	if share, ok := c.number("compaction.threshold_percent"); ok && !c.off("compaction.auto") && share > 0 {
		clause := compaction.ShareClause(min(share, 100) / 100)
		if n, ok := clauseTokens(clause, p.Window); !ok || len(p.Triggers) == 0 || n < p.Triggers[0].At.N {
			p.Triggers = []model.Clause{clause}
		}
	}
}
