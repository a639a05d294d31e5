package compaction

import (
	"math"

	"palimpsest/model"
)

// clearing is what the clearing rule found among the results of a line. When the
// next plan is of the same line, which has only grown, the search goes on where
// it ended: an automatic check before every call looks at each result once.
type clearing struct {
	rule      model.Clearing
	seen      int     // results looked at
	high      int     // where the tail began
	entries   []int32 // those to clear, ascending
	freed     []int64 // what clearing them frees, summed up
	uncleared int     // leading results that will never be cleared under the rule
}

// reset forgets what was found: the line is another one now.
func (c *clearing) reset() {
	*c = clearing{entries: c.entries[:0], freed: c.freed[:0]}
}

// clear chooses the old tool results whose output gives way to a note.
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

// clearsNothing is why an automatic check of a policy that only clears comes to
// nothing. It is what most calls come to once all that is left is above the
// trigger; false where only a plan can tell, or the check clears.
func (b *planner) clearsNothing(l *Line, p *model.Policy) (Reason, bool) {
	c := &b.clearing
	if len(p.Pins) > 0 || c.rule != p.Clear {
		return Reason{}, false
	}
	high := max(l.tailFrom(p.Tail), l.system)
	if high < c.high {
		return Reason{}, false
	}
	c.extend(l, high, nil) // what else is kept is no result
	l.uncleared = max(l.uncleared, c.uncleared)
	return c.refusal(int64(p.MinGain.Tokens))
}

// refusal is why what was found is not cleared: a clearing that frees less would
// come with every call that has one more old result.
func (c *clearing) refusal(least int64) (Reason, bool) {
	n := len(c.freed)
	if n == 0 {
		return Reason{Code: "nothing-cleared"}, true
	}
	return Reason{Code: "gain", M: c.freed[n-1]}, c.freed[n-1] < least
}

// extend goes on to the results that are old by now.
func (c *clearing) extend(l *Line, high int, kept []span) {
	c.high = high
	results := l.resultEntries()
	old, own := max(0, results.len()-c.rule.Keep), len(results.own)
	if len(c.entries) == 0 {
		c.seen = max(c.seen, l.uncleared)
	}
	c.grow(old - c.seen)
	if c.seen < own {
		kept = c.search(l, results.own[:min(own, old)], l.tokens, 0, 0, kept)
	}
	if c.seen >= own && c.seen < old {
		c.search(l, results.shared[:old-own], l.history.tokens, own, results.off, kept)
	}
}

// search goes on among the results at some places, of which the first is the
// so-manieth of all; off makes a place an entry. It gives the protected spans that
// lie ahead.
func (c *clearing) search(l *Line, at, tokens []int32, first, off int, kept []span) []span {
	least, saved, n := int32(min(max(c.rule.Above, NoteTokens), math.MaxInt32)), int64(0), len(c.entries)
	if n > 0 {
		saved = c.freed[n-1]
	}
	entries, freed := c.entries[:cap(c.entries)], c.freed[:cap(c.freed)]
	seen := c.seen
	for ; seen < first+len(at); seen++ {
		p := at[seen-first]
		i := int(p) + off
		if i >= c.high {
			break
		}
		for len(kept) > 0 && kept[0].to <= i {
			kept = kept[1:]
		}
		t := tokens[p]
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

// grow is made at once where much is to come: grown step by step it would be
// copied over and over.
func (c *clearing) grow(n int) {
	if most := len(c.entries) + n; most > cap(c.entries) {
		most += most / 4
		c.entries = append(make([]int32, 0, most), c.entries...)
		c.freed = append(make([]int64, 0, most), c.freed...)
	}
}
