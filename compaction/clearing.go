package compaction

import (
	"math"

	"palimpsest/model"
)

// clearing is what the clearing rule found among the results of a line. If the
// next plan is of the same line, which has only grown, the search continues where
// it ended: automatic checks before every call look at each result once.
//
//	results   r0  r1  r2  r3  r4  r5  r6  r7
//	          small   ×   pin ×   │   the newest Keep of them, and the recent tail
//	                              seen
//	entries           r2      r4
type clearing struct {
	rule    model.Clearing
	seen    int     // results looked at
	high    int     // where the tail began
	entries []int32 // those to clear, ascending
	freed   []int64 // what clearing them frees, summed up
}

// reset forgets what was found, because the line is another one.
func (c *clearing) reset() { *c = clearing{entries: c.entries[:0], freed: c.freed[:0]} }

// clear chooses the old tool results whose output is replaced by a note.
func (b *Planner) clear() {
	if !b.p.Clear.On && b.p.Strategy != model.ClearOnly {
		return
	}
	c := &b.clearing
	if len(b.pins) > 0 { // a late member of a group pins those before it
		c.reset()
	}
	c.search(b.l, b.p.Clear, b.high, b.kept)
	if why, refused := refusal(c.freed, b.p); refused {
		b.notCleared = why
		return
	}
	b.cleared, b.savings = c.entries, c.freed
}

// leastCleared is the size up to which a rule leaves a result.
func leastCleared(rule model.Clearing) int32 {
	return int32(min(max(rule.Above, NoteTokens), math.MaxInt32))
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

// search looks at the results that have become old, from the first one that was not
// looked at up to where the tail begins. It begins again if what was found is of
// another rule, or of a shorter tail. A result that was cleared before is no larger
// than a note, so that no rule clears it again.
func (c *clearing) search(l *Line, rule model.Clearing, high int, kept []span) {
	if c.rule != rule || high < c.high {
		c.reset()
		c.rule = rule
	}
	c.high = high
	results, least := l.units[toolResults], leastCleared(rule)
	for old := len(results) - rule.Keep; c.seen < old && int(results[c.seen]) < high; c.seen++ {
		i := results[c.seen]
		for len(kept) > 0 && kept[0].to <= int(i) {
			kept = kept[1:]
		}
		if t := l.tokens[i]; t > least && (len(kept) == 0 || kept[0].from > int(i)) {
			saved := int64(t - NoteTokens)
			if n := len(c.freed); n > 0 {
				saved += c.freed[n-1]
			}
			c.entries, c.freed = append(c.entries, i), append(c.freed, saved)
		}
	}
}
