package compaction

import (
	"palimpsest/model"
)

// Fault is something a provider would refuse in a list of messages.
type Fault struct {
	Entry int    // in the list
	Code  string // "orphan-result", "orphan-link", "open-call"
}

// Faults lists what a provider would refuse: results without a call before
// them, calls that are left unanswered although the talk went on. The input's
// own faults are not repaired by a compaction; none may be added.
func Faults(t *model.Thread, items []model.Item) []Fault {
	var out []Fault
	var pairs model.NamedPairing
	missing := map[int32]int{}
	answer := func(call int32, tie model.Tie) {
		if tie == model.TieFirst {
			missing[call]--
		}
	}
	lastChat := -1
	for i, it := range items {
		if it.Msg < 0 {
			lastChat = i
			continue
		}
		m := &t.Messages[it.Msg]
		if m.Kind == model.KindResult {
			call, tie := int32(-1), model.TieNone
			if m.Answers != "" {
				call, tie = pairs.Result(pairs.ID(m.Answers), int32(i))
			}
			if tie == model.TieNone {
				out = append(out, Fault{i, "orphan-result"})
			}
			answer(call, tie)
			continue
		}
		lastChat = i
		for _, c := range m.Calls {
			if c.ID != "" && pairs.Call(pairs.ID(c.ID), int32(i)) < 0 {
				missing[int32(i)]++
			}
		}
		for _, l := range m.Links {
			call, tie := pairs.Link(pairs.ID(l.ID), l.Result, int32(i))
			if tie == model.TieNone {
				out = append(out, Fault{i, "orphan-link"})
			}
			answer(call, tie)
		}
	}
	for i := range items {
		if missing[int32(i)] > 0 && i < lastChat {
			out = append(out, Fault{i, "open-call"})
		}
	}
	return out
}

// NewFaults is how many faults the list after has more than the list before.
func NewFaults(t *model.Thread, before, after []model.Item) int {
	count := func(items []model.Item) map[Fault]int {
		n := map[Fault]int{}
		for _, f := range Faults(t, items) {
			n[Fault{int(items[f.Entry].Msg), f.Code}]++
		}
		return n
	}
	had := count(before)
	more := 0
	for f, n := range count(after) {
		more += max(0, n-had[f])
	}
	return more
}
