package toolconfig

import "palimpsest/model"

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
