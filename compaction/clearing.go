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
}

// reset forgets what was found, because the line is another one.
func (c *clearing) reset() {
	*c = clearing{entries: c.entries[:0], freed: c.freed[:0]}
}

// clear chooses the old tool results whose output is replaced by a note.
func (b *planner) clear() {
	if !b.p.Clear.On && b.p.Strategy != model.ClearOnly {
		return
	}
	c, rule := &b.clearing, b.p.Clear
	if c.rule != rule || c.high > b.high || len(b.pins) > 0 { // a late member of a group pins those before it
		c.reset()
		c.rule = rule
	}
	c.extend(b.l, b.high, b.kept)
	b.plan.uncleared = c.uncleared
	if why, refused := c.refusal(int64(b.p.MinGain.Tokens)); refused {
		b.notCleared = why
		return
	}
	b.cleared, b.savings = c.entries, c.freed
}

// clearsNothing is why an automatic check of a policy that only clears does
// nothing: so most calls end once what can't be cleared is above the trigger. It
// returns false when the check clears, or only a plan can say.
func (b *planner) clearsNothing(l *Line, p *model.Policy) (Reason, bool) {
	c := &b.clearing
	if len(p.Pins) > 0 || c.rule != p.Clear {
		return Reason{}, false
	}
	high := max(l.tailFrom(p.TailInForce()), l.system)
	if high < c.high {
		return Reason{}, false
	}
	c.extend(l, high, nil) // what else is kept is no result
	l.uncleared = max(l.uncleared, c.uncleared)
	return c.refusal(int64(p.MinGain.Tokens))
}

// refusal is why what was found is not cleared, true if it frees less than least.
// Without a least gain every call that has one more old result would clear it.
func (c *clearing) refusal(least int64) (Reason, bool) {
	n := len(c.freed)
	if n == 0 {
		return Reason{Code: "nothing-cleared"}, true
	}
	return Reason{Code: "gain", M: c.freed[n-1]}, c.freed[n-1] < least
}

// extend searches the results that have become old.
func (c *clearing) extend(l *Line, high int, kept []span) {
	c.high = high
	results := l.entries(toolResults)
	old, own := max(0, results.len()-c.rule.Keep), len(results.own)
	if len(c.entries) == 0 {
		c.seen = max(c.seen, l.uncleared)
	}
	if more := old - c.seen; more > 0 { // at once, so that nothing is copied twice
		c.entries, c.freed = slices.Grow(c.entries, more), slices.Grow(c.freed, more)
	}
	if c.seen < own {
		kept = c.search(l, resultList{results.own[:min(own, old)], l.tokens, 0, 0}, kept)
	}
	if c.seen >= own && c.seen < old {
		c.search(l, resultList{results.shared[:old-own], l.history.tokens, own, results.off}, kept)
	}
}

// resultList is the results of a line's own entries, or of its shared stretch.
type resultList struct {
	at     []int32 // entries, or history positions
	tokens []int32 // by entry or position
	before int     // results of the line before them
	off    int     // entry of what is in at, less that
}

// search continues at the first result that was not looked at, up to where the
// tail begins. It returns the protected spans behind that.
func (c *clearing) search(l *Line, results resultList, kept []span) []span {
	least, saved, n := int32(min(max(c.rule.Above, NoteTokens), math.MaxInt32)), int64(0), len(c.entries)
	if n > 0 {
		saved = c.freed[n-1]
	}
	entries, freed := c.entries[:cap(c.entries)], c.freed[:cap(c.freed)]
	seen := c.seen
	for ; seen < results.before+len(results.at); seen++ {
		p := results.at[seen-results.before]
		i := int(p) + results.off
		if i >= c.high {
			break
		}
		for len(kept) > 0 && kept[0].to <= i {
			kept = kept[1:]
		}
		t := results.tokens[p]
		if t <= least || len(kept) > 0 && kept[0].from <= i || l.cleared(i) {
			if n == 0 {
				c.uncleared = seen + 1
			}
			continue
		}
		saved += int64(t - NoteTokens)
		entries[n], freed[n] = int32(i), saved
		n++
	}
	c.seen, c.entries, c.freed = seen, entries[:n], freed[:n]
	return kept
}
