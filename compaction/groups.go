package compaction

import (
	"palimpsest/model"
)

// indexer appends entries to a line and keeps its groups, cuts and units up to
// date, in amortised constant time an entry.
//
//	entry     0  1  2       3       4       5       6  7
//	message   S  U  call a  call b  res. b  res. a  U  A
//	leader    0  1  2       3       3       2       6  7    first entry of the group
//	legal    0  1  2                               6  7  8  cuts that split no group
//
// Entries 2 to 5 are one block: the group of 2 ends at 5, so that no cut between
// them is legal. A group whose results are still to come is pending: no cut behind
// its first entry is legal until they are there or the conversation goes on.
type indexer struct {
	l *Line

	pairs    model.Pairing
	answered []int32 // by entry: results so far of the calls of its group
	awaited  []int32 // by entry: results that its calls will get
	waiting  int     // first entry from which on a result may be awaited
	step     int32   // step record of the latest entry; 0: none

	walk stepWalk
}

// stepWalk is the state of the walk over steps.
type stepWalk struct {
	open   int   // entry where the next step starts; -1: with its maker
	step   int32 // number of the latest step record
	madeBy int32 // entry that made the latest step
}

func newIndexer(l *Line) *indexer {
	g := &indexer{l: l}
	g.reset()
	return g
}

// reset empties the line but keeps its memory. Its ids must have been forgotten
// before.
func (g *indexer) reset() {
	l := g.l
	l.sum, l.legal = append(l.sum[:0], 0), append(l.legal[:0], 0)
	l.system = 0
	g.cut(0)
}

// cut leaves the first n entries, which belong to no group with others: system
// prompt and summaries. The ids behind them must have been forgotten before.
func (g *indexer) cut(n int) {
	l := g.l
	l.items, l.hist, l.kind, l.tokens, l.leader = l.items[:n], l.hist[:n], l.kind[:n], l.tokens[:n], l.leader[:n]
	l.sum, l.legal = l.sum[:n+1], l.legal[:n+1]
	for k := range l.units {
		l.units[k] = l.units[k][:0]
	}
	k := firstAtLeast(l.summaries, n)
	l.summaries, l.chars = l.summaries[:k], l.chars[:k]
	l.sealed = l.sealed[:firstAtLeast(l.sealed, n)]
	l.system, l.firstUser, l.pending = min(l.system, n), -1, n
	g.answered, g.awaited, g.waiting, g.step = g.answered[:n], g.awaited[:n], n, 0
	g.walk = stepWalk{open: -1, madeBy: -1}
}

// add appends a message to the line. ids are those of [outline.ids].
func (g *indexer) add(it model.Item, hist, tokens int32, o *outline, ids []int32) {
	l, i := g.l, int32(len(g.l.items))
	l.items = append(l.items, it)
	l.hist = append(l.hist, hist)
	l.kind = append(l.kind, o.kind)
	l.tokens = append(l.tokens, tokens)
	l.sum = append(l.sum, l.sum[i]+int64(tokens))
	g.answered, g.awaited = append(g.answered, 0), append(g.awaited, o.called)

	lead, by := i, int32(-1)
	switch {
	case o.step > 0 && o.step == g.step:
		lead = l.leader[i-1]
	case o.answers >= 0:
		by = g.answer(g.pairs.Result(o.answers, i))
		lead = l.join(lead, by)
	}
	for _, id := range ids[:o.called] {
		if early := g.pairs.Call(id, i); early >= 0 {
			g.answered[i]++
			lead = l.join(lead, early)
		}
	}
	for _, n := range ids[o.called:] {
		id, result := linkOf(n)
		if to := g.answer(g.pairs.Link(id, result, i)); to != i {
			lead = l.join(lead, to)
		}
	}
	chat := o.kind != model.KindOther && o.kind != model.KindBoundary && o.kind != model.KindResult
	if chat && g.awaited[i] <= g.answered[i] {
		g.waiting = int(i) + 1 // the conversation went on: open calls are abandoned
	}
	l.leader, g.step = append(l.leader, lead), o.step
	if o.sealed {
		l.sealed = append(l.sealed, i)
	}
	for g.waiting <= int(i) && g.awaited[g.waiting] <= g.answered[g.waiting] {
		g.waiting++
	}
	l.pending = g.waiting
	for l.legal[len(l.legal)-1] > lead {
		l.legal = l.legal[:len(l.legal)-1]
	}
	l.legal = append(l.legal, i+1)
	g.addUnits(int(i), by, o)
}

// answer notes that a call has the result it waited for, and returns the entry of the call.
func (g *indexer) answer(call int32, tie model.Tie) int32 {
	if tie == model.TieFirst {
		g.answered[call]++
	}
	return call
}

// join makes the group of an entry and the one that is led by lead the same, and returns who
// leads it. No entry is -1.
func (l *Line) join(lead, entry int32) int32 {
	if entry < 0 || l.leader[entry] == lead {
		return lead
	}
	first, later := min(lead, l.leader[entry]), max(lead, l.leader[entry])
	if int(later) < len(l.leader) { // it has members
		for i := int(later); i < len(l.leader); i++ {
			if l.leader[i] == later {
				l.leader[i] = first
			}
		}
		starts := l.units[groupStarts]
		if k := firstAtLeast(starts, int(later)); k < len(starts) && starts[k] == later {
			l.units[groupStarts] = append(starts[:k], starts[k+1:]...)
		}
		l.joined = true
	}
	return first
}

// forget forgets the ids of an entry that leaves the line.
func (g *indexer) forget(o *outline, ids []int32) {
	if o.answers >= 0 {
		g.pairs.Forget(o.answers)
	}
	for k, n := range ids {
		if k >= int(o.called) {
			n, _ = linkOf(n)
		}
		g.pairs.Forget(n)
	}
}

// CutBefore is the largest legal cut at or before position c. A cut is legal
// when no group has members on both sides and a pending group lies behind it.
func (l *Line) CutBefore(c int) int {
	c = min(c, l.pending)
	k := firstAtLeast(l.legal, c+1)
	return int(l.legal[k-1])
}

// Together are the entries that belong to an entry, itself included: a call and its results,
// which a pin of one of them keeps.
func (l *Line) Together(i int) (list []int) {
	lead := l.leader[i]
	for j, to := int(lead), min(l.CutAfter(int(lead)+1), l.Len()); j < to; j++ {
		if l.leader[j] == lead {
			list = append(list, j)
		}
	}
	return list
}

// CutAfter is the smallest legal cut at or behind position c; one past the end
// when there is none.
func (l *Line) CutAfter(c int) int {
	if k := firstAtLeast(l.legal, c); k < len(l.legal) && int(l.legal[k]) <= l.pending {
		return int(l.legal[k])
	}
	return l.Len() + 1
}

// addUnits notes which units begin or are made with entry i; by made the call that it is the
// result of, -1: none.
func (g *indexer) addUnits(i int, by int32, o *outline) {
	l, u := g.l, &g.walk
	if l.system == i && o.kind == model.KindSystem {
		l.system++
		return
	}
	switch o.kind {
	case model.KindResult:
		if !o.loads {
			l.addUnit(toolResults, i)
		}
	case model.KindSummary: // a message, but no group, step or turn
		l.summaries = append(l.summaries, int32(i))
		return
	}
	if int(l.leader[i]) == i {
		l.addUnit(groupStarts, i)
	}
	if o.typed {
		l.addUnit(turnStarts, i)
	}
	switch {
	case o.step > 0:
		if o.step != u.step {
			l.addStep(u.open, i)
		}
		u.step, u.open = o.step, -1
	case o.kind == model.KindAssistant:
		l.addStep(u.open, i)
		u.open, u.madeBy = -1, int32(i)
	case o.kind == model.KindResult && by >= 0 && by == u.madeBy:
		// belongs to the step its call made
	case u.open < 0 && o.kind != model.KindResult:
		u.open = i
	}
}

func (l *Line) addUnit(k unitList, i int) { l.units[k] = append(l.units[k], int32(i)) }

// addStep adds the step that entry i makes. It starts at entry open; below 0: at i
// itself.
func (l *Line) addStep(open, i int) {
	if open < 0 {
		open = i
	}
	l.addUnit(stepStarts, open)
	l.addUnit(stepMakers, i)
}

// stepsBefore counts the steps of the history before each position up to at,
// compacted ones included: the length on which adaptive tiers depend.
func stepsBefore(t *model.Thread, at int) []int32 {
	out := make([]int32, at+1)
	n, step := int32(0), int32(0)
	for i, stored := range t.History[:at] {
		m := &t.Messages[stored]
		if m.Step > 0 && m.Step != step || m.Step == 0 && m.Kind == model.KindAssistant {
			n = max(n+1, m.Step) // a saved step history begins after the steps in its summaries
		}
		step = m.Step
		out[i+1] = n
	}
	return out
}
