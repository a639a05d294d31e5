package toolconfig

import (
	"palimpsest/compaction"
	"palimpsest/model"
)

// sayOpenHands chooses the condenser: a summary by a model, the newest events, or
// masked observations.
func sayOpenHands(p model.Policy, _ config) ([]setting, error) {
	first := 0
	if p.KeepFirstUser {
		first = 1
	}
	most := 0
	for _, c := range p.Triggers {
		if c.At.Unit == model.Messages && (most == 0 || c.At.N < most) {
			most = c.At.N
		}
	}
	var list []setting
	add := func(key string, v any) { list = append(list, set("condenser."+key, v)) }
	switch {
	case len(p.Triggers) == 0:
		add("type", "noop")
	case p.Strategy == model.ClearOnly:
		add("type", "observation_masking")
		add("attention_window", p.Clear.Keep)
	case p.Strategy == model.Drop && p.Tail.Unit == model.Messages:
		add("type", "recent")
		add("keep_first", first)
		add("max_events", p.Tail.N+first)
	default:
		add("type", "llm")
		add("keep_first", first)
		if most > 0 {
			add("max_size", most-1) // it fires above that
		}
	}
	return list, nil
}

func readOpenHands(c config, p *model.Policy) {
	kind, _ := c("condenser", "type")
	number := func(key string, usual int) int {
		if n, ok := c.number("condenser." + key); ok {
			return int(n)
		}
		return usual
	}
	switch kind {
	case "noop":
		p.Triggers = nil
	case "observation_masking":
		p.Strategy, p.KeepFirstUser = model.ClearOnly, false
		p.Triggers = []model.Clause{compaction.TriggerAt(0, model.Messages)} // at every call
		p.Clear = model.Clearing{On: true, Keep: number("attention_window", 100)}
	case "recent":
		first, most := number("keep_first", 1), number("max_events", 100)
		p.Strategy, p.KeepFirstUser = model.Drop, first > 0
		p.Triggers = []model.Clause{compaction.TriggerAt(most+1, model.Messages)}
		p.Tail = model.Amount{N: max(most-first, 0), Unit: model.Messages}
	case "llm":
		first, most := number("keep_first", 1), number("max_size", 100)
		p.KeepFirstUser = first > 0
		p.Triggers = []model.Clause{compaction.TriggerAt(most+1, model.Messages)}
		p.Tail = model.Amount{N: max(most/2-first-1, 0), Unit: model.Messages}
	}
}
