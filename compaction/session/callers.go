package session

import "palimpsest/model"

// Callers is, for each stored message, the message of the call that it answers; -1: none.
func Callers(t *model.Thread) []int32 {
	out := make([]int32, len(t.Messages))
	var p model.NamedPairing
	for i := range t.Messages {
		m := &t.Messages[i]
		for _, c := range m.Calls {
			if early := p.Call(p.ID(c.ID), int32(i)); early >= 0 {
				out[early] = int32(i)
			}
		}
		if out[i] = -1; m.Answers != "" {
			out[i], _ = p.Result(p.ID(m.Answers), int32(i))
		}
	}
	return out
}
