package toolconfig

import (
	"palimpsest/compaction"
	"palimpsest/model"
)

func sayLangChain(p model.Policy, _ config) ([]setting, error) {
	var list []setting
	if p.Clear.On || p.Strategy == model.ClearOnly {
		at, err := triggerTokens(p)
		if err != nil && err != errNoClause {
			return nil, err
		}
		list = append(list, set("clear.trigger", float64(at)), set("clear.keep", float64(p.Clear.Keep)),
			set("clear.least", float64(p.MinGain.Tokens)))
	}
	if p.Strategy == model.ClearOnly || len(p.Triggers) == 0 {
		return list, nil
	}
	var triggers []any
	for _, c := range p.Triggers {
		if pair := langChainSize(c.Share, c.At); pair != nil {
			triggers = append(triggers, pair)
		}
	}
	if triggers == nil {
		return list, nil
	}
	list = append(list, set("trigger", triggers))
	if keep := langChainSize(0, p.Tail); keep != nil {
		list = append(list, set("keep", keep))
	}
	return list, nil
}

func readLangChain(c config, p *model.Policy) {
	if list, ok := c("trigger"); ok {
		for _, x := range list.([]any) {
			if clause, ok := fromLangChain(x); ok {
				p.Triggers = append(p.Triggers, clause)
			}
		}
		if keep, ok := c("keep"); ok {
			if clause, ok := fromLangChain(keep); ok && clause.Share == 0 {
				p.Tail = clause.At
			}
		}
	}
	at, clears := c.number("clear.trigger")
	if !clears {
		return
	}
	keep, _ := c.number("clear.keep")
	least, _ := c.number("clear.least")
	p.Clear = model.Clearing{On: true, Keep: int(keep)}
	p.MinGain.Tokens = int(least)
	if _, summarises := c("summary"); !summarises {
		p.Strategy, p.Triggers = model.ClearOnly, tokens(int(at))
	}
}

func fromLangChain(v any) (model.Clause, bool) {
	pair, ok := v.([]any)
	if !ok || len(pair) != 2 {
		return model.Clause{}, false
	}
	n, ok := pair[1].(float64)
	switch {
	case !ok:
	case pair[0] == "fraction":
		return compaction.ShareClause(n), true
	case pair[0] == "tokens":
		return compaction.TriggerAt(int(n), model.Tokens), true
	case pair[0] == "messages":
		return compaction.TriggerAt(int(n), model.Messages), true
	}
	return model.Clause{}, false
}

// sayVercel keeps the calls of the recent tail if that is in messages, else those
// of as many messages as results are to stay, and the newest call with its result in any
// case: the SDK takes "the last 0 messages" for all of them, and prunes nothing.
func sayVercel(p model.Policy, _ config) ([]setting, error) {
	if len(p.Triggers) == 0 {
		return nil, nil
	}
	keeps := set("messages", float64(max(2*p.Clear.Keep, 2))) // a call and its result
	switch {
	case p.Tail.Unit == model.Messages:
		keeps = set("messages", float64(max(p.Tail.N, 2)))
	case p.Tail.Unit == model.Tokens && p.Tail.N > 0:
		keeps = set("tail", float64(p.Tail.N))
	}
	list := []setting{keeps}
	at, err := triggerTokens(p)
	if err == nil {
		return append(list, set("trigger", float64(at)), set("unit", "tokens")), nil
	}
	for _, c := range p.Triggers {
		if err == errNoClause && c.At.Unit == model.Messages {
			return append(list, set("trigger", float64(c.At.N)), set("unit", "messages")), nil
		}
	}
	if err == errNoClause {
		err = nil
	}
	return list, err
}

func readVercel(c config, p *model.Policy) {
	if n, ok := c.number("messages"); ok {
		p.Tail = model.Amount{N: int(n), Unit: model.Messages}
	} else if n, ok = c.number("tail"); ok {
		p.Tail = model.Amount{N: int(max(0, min(n, 1<<40))), Unit: model.Tokens}
	} else {
		return
	}
	p.Clear = model.Clearing{On: true}
	at, _ := c.number("trigger")
	unit, _ := c("unit")
	if unit == "messages" {
		p.Triggers = []model.Clause{compaction.TriggerAt(int(at), model.Messages)}
	} else {
		p.Triggers = tokens(int(at))
	}
}

// langChainSize is a ContextSize; nil: it has no such unit.
func langChainSize(share float64, a model.Amount) any {
	switch {
	case share > 0:
		return []any{"fraction", share}
	case a.Unit == model.Tokens:
		return []any{"tokens", float64(a.N)}
	case a.Unit == model.Messages:
		return []any{"messages", float64(a.N)}
	}
	return nil
}
