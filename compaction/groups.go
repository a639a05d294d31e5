package compaction

import "palimpsest/model"

// index finds groups, cut points and units in one walk over the entries.
func (l *Line) index(msgs []model.Message) {
	n := len(l.items)
	l.leader = make([]int32, n)
	last := make([]int32, n) // last entry that belongs to the group led by i
	open := map[string][]int32{}
	answered := make([]int32, n)
	lastChat := -1 // latest message that neither calls nor answers
	for i := range n {
		l.leader[i], last[i] = int32(i), int32(i)
		if l.items[i].Msg < 0 {
			lastChat = i
			continue
		}
		m := &msgs[l.items[i].Msg]
		switch {
		case m.Step > 0 && i > 0 && sameStep(l, msgs, i-1, m.Step):
			l.leader[i] = l.leader[i-1]
			last[l.leader[i]] = int32(i)
		case m.Kind == model.KindResult:
			if c, ok := takeCall(open, m.Answers); ok {
				l.leader[i] = c
				answered[c]++
				last[c] = int32(i)
			}
		case m.Kind != model.KindOther && m.Kind != model.KindBoundary && awaited(m) == 0:
			lastChat = i
		}
		for _, c := range m.Calls {
			open[c.ID] = append(open[c.ID], int32(i))
		}
	}
	l.pending = n
	for i := lastChat + 1; i < n; i++ { // only calls and results, all of this list
		if awaited(&msgs[l.items[i].Msg]) > int(answered[i]) {
			l.pending = i
			break
		}
	}
	l.cuts(last)
	l.units(msgs)
}

// awaited is how many calls of a message will get a result of their own. Calls
// the provider ran itself carry no id and get none.
func awaited(m *model.Message) int {
	n := 0
	for _, c := range m.Calls {
		if c.ID != "" {
			n++
		}
	}
	return n
}

func sameStep(l *Line, msgs []model.Message, i int, step int32) bool {
	return l.items[i].Msg >= 0 && msgs[l.items[i].Msg].Step == step
}

// takeCall pairs a result with the latest unanswered call of its id before it;
// ids are not unique in real files (spec/formats §1.4).
func takeCall(open map[string][]int32, id string) (int32, bool) {
	stack := open[id]
	if len(stack) == 0 {
		return 0, false
	}
	c := stack[len(stack)-1]
	open[id] = stack[:len(stack)-1]
	return c, true
}

// cuts fills prev and next. A cut is legal when no group has members on both
// sides and a pending group lies behind it.
func (l *Line) cuts(last []int32) {
	n := len(l.items)
	l.prev, l.next = make([]int32, n+1), make([]int32, n+1)
	reach := int32(-1) // last entry of any group that began before the cut
	for c := 0; c <= n; c++ {
		if c > 0 {
			reach = max(reach, last[c-1])
		}
		switch legal := int(reach) < c && c <= l.pending; {
		case legal:
			l.prev[c] = int32(c)
		case c > 0:
			l.prev[c] = l.prev[c-1]
		}
	}
	after := int32(n + 1)
	for c := n; c >= 0; c-- {
		if int(l.prev[c]) == c {
			after = int32(c)
		}
		l.next[c] = after
	}
}

// units finds where steps, turns and groups start.
func (l *Line) units(msgs []model.Message) {
	n := len(l.items)
	l.system = 0
	for l.system < n && l.kind[l.system] == model.KindSystem {
		l.system++
	}
	open := -1           // entry where the step to come starts
	step := int32(0)     // number of the step record that is open
	stepped := int32(-1) // entry that made the latest step
	for i := l.system; i < n; i++ {
		switch l.kind[i] {
		case model.KindResult:
			l.results = append(l.results, int32(i))
		case model.KindSummary: // a message, but no group, step or turn
			l.summaries = append(l.summaries, int32(i))
			continue
		}
		if int(l.leader[i]) == i {
			l.groups = append(l.groups, int32(i))
		}
		m := &msgs[l.items[i].Msg]
		if m.Typed() {
			l.turns = append(l.turns, int32(i))
		}
		switch {
		case m.Step > 0:
			if m.Step != step {
				l.step(open, i)
			}
			step, open = m.Step, -1
		case m.Kind == model.KindAssistant:
			l.step(open, i)
			open, stepped = -1, int32(i)
		case m.Kind == model.KindResult && l.leader[i] == stepped:
			// belongs to the step its call made
		case open < 0 && m.Kind != model.KindResult:
			open = i
		}
	}
}

// step notes a step made by entry i that starts at open, or at i itself.
func (l *Line) step(open, i int) {
	if open < 0 {
		open = i
	}
	l.steps = append(l.steps, int32(open))
	l.made = append(l.made, int32(i))
}

// countSteps counts the steps of the history before at, compacted ones
// included: the length that adaptive tiers go by.
func countSteps(t *model.Thread, at int) int {
	n, step := 0, int32(0)
	for _, i := range t.History[:at] {
		m := &t.Messages[i]
		if m.Step > 0 && m.Step != step || m.Step == 0 && m.Kind == model.KindAssistant {
			n++
		}
		step = m.Step
	}
	return n
}
