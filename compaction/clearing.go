package compaction

import (
	"math"
	"slices"

	"palimpsest/model"
)

// clearing is what the clearing rule found among the results of a line. If the
// next plan is of the same line, which has only grown, the search continues where
// it ended: automatic checks before every call look at each result once.
//
//	results   r0  r1  r2  r3  r4  r5  r6  r7
//	          small   ×   pin ×   │   the newest Keep of them, and the recent tail
//	          uncleared           seen
//	entries           r2      r4
type clearing struct {
	rule      model.Clearing
	seen      int     // results looked at
	high      int     // where the tail began
	entries   []int32 // those to clear, ascending
	freed     []int64 // what clearing them frees, summed up
	uncleared int     // leading results that will never be cleared under the rule
	grow      growing
}

// growing is what a line of a track and its tail, which is counted in tokens, look like
// while the shared stretch grows and nothing else happens but that results before the tail
// become notes: so most calls before which nothing is done need not lay the line out. Zero:
// the line is none such.
type growing struct {
	policy *model.Policy
	from   int   // where the stretch begins
	tail   int   // position where the tail began, if a cut could part what belongs together
	size   int64 // of the tail
	shift  int   // from a result of the line to that of the history
}

// reset forgets what was found, because the line is another one.
func (c *clearing) reset() {
	*c = clearing{entries: c.entries[:0], freed: c.freed[:0]}
}

// cleared goes on behind so many results, which have become notes or stay as they are, the
// last note at a position of the history. What is known of the tail then still holds, if
// the note is not in it.
func (c *clearing) cleared(searched, last int) {
	if last >= c.grow.tail {
		c.grow = growing{}
	}
	c.entries, c.freed, c.seen = c.entries[:0], c.freed[:0], searched
}

// goOn begins again if what was found is of another rule, and forgets what lies in a tail
// that is longer now.
func (c *clearing) goOn(l *Line, rule model.Clearing, high int) {
	if c.rule != rule {
		c.reset()
		c.rule = rule
	} else if high < c.high {
		results := l.entries(toolResults)
		k := firstAtLeast(c.entries, high)
		c.entries, c.freed, c.seen = c.entries[:k], c.freed[:k], min(c.seen, results.before(high))
	}
}

// clear chooses the old tool results whose output is replaced by a note.
func (b *planner) clear() {
	if !b.p.Clear.On && b.p.Strategy != model.ClearOnly {
		return
	}
	if b.l.history == nil { // not of a track, which changes
		b.clearShared()
	} else {
		b.searchClearing()
	}
}

// searchClearing is clear for a line that grows.
func (b *planner) searchClearing() {
	c := &b.clearing
	if len(b.pins) > 0 { // a late member of a group pins those before it
		c.reset()
	}
	c.goOn(b.l, b.p.Clear, b.high)
	c.extend(b.l, b.high, b.kept)
	b.plan.uncleared, b.plan.searched = c.uncleared, c.seen
	if why, refused := refusal(c.freed, b.p); refused {
		b.notCleared = why
		return
	}
	b.cleared, b.savings = c.entries, c.freed
}

// clearShared is clear by the line's own list of what can be cleared: a slider that
// moves the tail or the batch takes another part of it, and looks at no result.
func (b *planner) clearShared() {
	results, c := b.l.units[toolResults], b.l.clearable(leastCleared(b.p.Clear), b.kept)
	n := firstAtLeast(c.at, b.high)
	if old := max(0, len(results)-b.p.Clear.Keep); old < len(results) {
		n = min(n, firstAtLeast(c.at, int(results[old])))
	}
	if why, refused := refusal(c.freed[:n], b.p); refused {
		b.notCleared = why
		return
	}
	b.cleared, b.savings, b.shared = c.at[:n], c.freed[:n], c
}

// clearable is every result of a line that is larger than a rule leaves and that
// nothing protects, however new it is. It is immutable, and the plans on a line share
// it: each takes a part of it.
type clearable struct {
	least  int32
	kept   []span
	at     []int32 // entries, ascending
	freed  []int64 // what clearing them frees, summed up
	blocks []int32 // of each run of neighbours, the index of the first in at
}

// clearable is what can be cleared besides what is kept. The list of the latest rule
// is kept for the next plan.
func (l *Line) clearable(least int32, kept []span) *clearable {
	if c := l.lastClearable.Load(); c != nil && c.least == least && slices.Equal(c.kept, kept) {
		return c
	}
	results := l.units[toolResults]
	c := &clearable{least: least, kept: slices.Clone(kept), at: make([]int32, 0, len(results)), freed: make([]int64, 0, len(results))}
	saved := int64(0)
	for _, i := range results {
		for len(kept) > 0 && kept[0].to <= int(i) {
			kept = kept[1:]
		}
		t := l.tokens[i]
		if t <= least || len(kept) > 0 && kept[0].from <= int(i) || l.cleared(int(i)) {
			continue
		}
		n := len(c.at)
		if n == 0 || c.at[n-1] != i-1 {
			c.blocks = append(c.blocks, int32(n))
		}
		saved += int64(t - NoteTokens)
		c.at, c.freed = append(c.at, i), append(c.freed, saved)
	}
	l.lastClearable.Store(c)
	return c
}

// leastCleared is the size up to which a rule leaves a result.
func leastCleared(rule model.Clearing) int32 {
	return int32(min(max(rule.Above, NoteTokens), math.MaxInt32))
}

// clearsNothing is why an automatic check of a policy that only clears does
// nothing: so most calls end once what can't be cleared is above the trigger. It
// returns false when the check clears, or only a plan can say.
func (b *planner) clearsNothing(l *Line, p *model.Policy) (Reason, bool) {
	c, tail := &b.clearing, p.TailInForce()
	if len(p.Pins) > 0 {
		return Reason{}, false
	}
	asked := l.tailAsked(tail)
	high := max(l.CutBefore(asked), l.system)
	c.goOn(l, p.Clear, high)
	c.extend(l, high, nil) // what else is kept is no result
	l.uncleared = max(l.uncleared, c.uncleared)
	c.grow = growing{}
	results, at := resultsAhead(l), l.position(asked)
	noted := len(l.items) + l.notes.last() - l.from // the last entry that was cleared
	if own := len(results.own); tail.Unit == model.Tokens && tail.N > 0 && high >= len(l.items) && asked > noted &&
		c.seen >= own && results.ahead(c.seen) > noted { // of what goes on, nothing was cleared
		c.grow = growing{p, l.from, at, int64(tail.N), int(l.history.index.before[l.from][toolResults]) - own}
	}
	return refusal(c.freed, p)
}

// goesOn is clearsNothing at a later position, with what is known since the check before.
// It is not known where the line must be laid out.
func (c *clearing) goesOn(l *Line, p *model.Policy, at int) (why Reason, refused, known bool) {
	g, h, x := &c.grow, l.history, &l.history.index
	if g.policy != p || g.from != l.from || at > int(x.breaks[g.from]) {
		return Reason{}, false, false
	}
	for h.sum[g.tail+1]+g.size <= h.sum[at] {
		g.tail++
	}
	cut, off := x.cutBefore(min(g.tail, int(x.pending[at])), g.from, at), len(l.items)-g.from
	if cut+off < c.high { // a result came late, whose call is in the tail with it now
		return Reason{}, false, false
	}
	results, least := x.units[toolResults], leastCleared(c.rule)
	for k := c.seen + g.shift; k+c.rule.Keep < len(results) && int(results[k+c.rule.Keep]) < at && int(results[k]) < cut; k++ {
		if t := h.tokens[results[k]]; t > least {
			c.found(int(results[k])+off, t)
		}
		c.seen++
	}
	c.high = cut + off
	why, refused = refusal(c.freed, p)
	return why, refused, true
}

// found notes a result to be cleared.
func (c *clearing) found(entry int, tokens int32) {
	saved := int64(tokens - NoteTokens)
	if n := len(c.freed); n > 0 {
		saved += c.freed[n-1]
	}
	c.entries, c.freed = append(c.entries, int32(entry)), append(c.freed, saved)
}

// refusal is why what frees so much, summed up, is not cleared, true if that is less
// than the policy's least gain. Without one every call that has one more old result
// would clear it.
func refusal(freed []int64, p *model.Policy) (Reason, bool) {
	n := len(freed)
	if n == 0 {
		return Reason{Code: "nothing-cleared"}, true
	}
	least := int64(p.MinGain.Tokens)
	return Reason{Code: "gain-tokens", N: freed[n-1], M: least}, freed[n-1] < least
}

// extend searches the results that have become old: it continues at the first one that was
// not looked at, up to where the tail begins. What was cleared before is no larger than a
// note, so that no rule clears it again.
func (c *clearing) extend(l *Line, high int, kept []span) {
	c.high = high
	if len(c.entries) == 0 {
		c.seen = max(c.seen, l.uncleared)
	}
	results, least := l.entries(toolResults), leastCleared(c.rule)
	for old := results.len() - c.rule.Keep; c.seen < old; c.seen++ {
		i := results.at(c.seen)
		if i >= high {
			return
		}
		for len(kept) > 0 && kept[0].to <= i {
			kept = kept[1:]
		}
		t := int32(l.Tokens(i))
		if t <= least || len(kept) > 0 && kept[0].from <= i {
			if len(c.entries) == 0 {
				c.uncleared = c.seen + 1
			}
			continue
		}
		c.found(i, t)
	}
}
