package replay

import (
	"fmt"

	"palimpsest/compaction"
	"palimpsest/model"
)

// long is a history of n messages with the proportions of real agent runs: one
// typed message in twenty, calls with their results between, some of them long.
func long(n int) (*model.Thread, []int32) {
	th := &model.Thread{}
	sizes := make([]int32, n)
	for i := range n {
		m := model.Message{Kind: model.KindAssistant, Role: model.RoleAssistant}
		switch {
		case i == 0:
			m.Kind, m.Role = model.KindSystem, model.RoleSystem
		case i%20 == 1:
			m.Kind, m.Origin = model.KindUser, model.OriginTyped
		case i%2 == 0:
			m.Calls = []model.Call{{ID: fmt.Sprint(i), Name: "run"}}
		default:
			m.Kind, m.Answers = model.KindResult, fmt.Sprint(i-1)
		}
		th.Messages = append(th.Messages, m)
		th.History = append(th.History, int32(i))
		sizes[i] = int32(40 + i*7919%460)
	}
	return th, sizes
}

func benchPolicy(id string) model.Policy {
	p, _ := compaction.PresetByID(id)
	p.Policy.Window = 200_000
	return p.Policy
}
