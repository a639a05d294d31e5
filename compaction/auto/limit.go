package auto

import (
	"fmt"
	"slices"
	"sort"

	"palimpsest/compaction"
	"palimpsest/model"
)

// holdLimits makes a list that is too large to be sent fit (spec D17). It is
// asked before every call, whatever became of compacting (D22).
func (a *Compactor) holdLimits(r *Result) {
	defer func() {
		if v := recover(); v != nil { // a count that was handed in
			r.Err = &panicError{v}
			a.logTruncateFailed(r.Err)
		}
	}()
	c := &a.cfg
	if n := len(a.mem.runtime); c.OnFailure == model.TruncateAtHard && c.HardCount > 0 && n > c.HardCount && n >= c.MaxCount && !r.Compressed {
		a.trim(r) // below the trigger no summary was tried, so nothing failed
	}
	limit := a.limit()
	used := a.meter.used(a.mem.counted)
	if limit <= 0 || used <= limit {
		return
	}
	a.logTruncating(used, limit)
	if before := len(a.mem.runtime); c.ShareCompat.Truncate {
		if before >= leastToTruncate {
			a.setTruncated(r, compatTruncate(a.mem.runtime, c.KeepRecent), 0)
		}
	} else if list, short, ok := a.fit(limit); ok {
		a.setTruncated(r, list, short)
	}
	if used = a.meter.used(a.mem.counted); used > limit {
		r.Refused, r.Err = true, &OverLimitError{Used: used, Max: limit}
		a.metrics.Rejected++
		a.logRejected(used, limit)
	}
}

// leastToTruncate is the shortest list that is truncated at all (spec D17).
const leastToTruncate = 3

// trim cuts a list whose summary could not be made to its hard size in
// messages, at a legal cut (spec C12, F38).
func (a *Compactor) trim(r *Result) {
	list := a.mem.runtime
	start := len(list) - a.cfg.HardCount
	if a.cfg.CountCompat.Trim {
		a.setTruncated(r, slices.Clone(list[start:]), 0)
		return
	}
	head := keptHead(list)
	start = min(start+head, len(list))
	if from := a.tailCut(start); from > head {
		a.setTruncated(r, without(list, head, from), 0)
	}
}

// keptHead is the length of what a truncation leaves at the beginning: the
// system prompt and the summaries behind it, which alone tell of what is gone.
func keptHead(list []held) int {
	n := system(list)
	for n < len(list) && list[n].summary {
		n++
	}
	return n
}

// tailCut is where a truncated list goes on when it is to go on at start: at
// the legal cut the rule gives, but never behind the last group, since a request
// that ends with the system prompt asks nothing.
func (a *Compactor) tailCut(start int) int {
	l := engineLine(a.mem.runtime, &a.meter)
	if c := legalFrom(l, start); c < l.Len() {
		return c
	}
	return lastCut(l)
}

// lastCut is the last legal cut that leaves something behind it.
func lastCut(l *compaction.Line) int {
	if l.Len() == 0 {
		return 0
	}
	return l.CutBefore(l.Len() - 1)
}

// fit finds the least change that makes the list fit (spec D17, F59): the
// recent messages kept, in full; fewer of them; their tool results shortened;
// both; without the summaries. false: nothing helps, so nothing is done.
func (a *Compactor) fit(limit int64) ([]held, int, bool) {
	list := a.mem.runtime
	if len(list) < leastToTruncate {
		return nil, 0, false
	}
	l := engineLine(list, &a.meter)
	head := keptHead(list)
	fits := func(list []held) bool { return a.meter.used(countTokens(list)) <= limit }
	first := legalFrom(l, max(head, len(list)-a.cfg.KeepRecent))
	last := lastCut(l)
	if a.cfg.KeepRecent > 0 {
		first = min(first, last)
	}
	first, last = max(first, head), max(last, head)
	for c := first; c <= last && c < len(list); c = l.CutAfter(c + 1) {
		if cut := without(list, head, c); fits(cut) {
			return cut, 0, true
		}
	}
	if a.cfg.KeepRecent == 0 && fits(list[:head]) {
		return slices.Clone(list[:head]), 0, true
	}
	for _, try := range [][]held{
		without(list, head, min(first, last)),
		without(list, head, last),
		without(list, system(list), last),
	} {
		if cut, short, ok := a.shorten(try, limit); ok {
			return cut, short, true
		}
	}
	return nil, 0, false
}

// leastResult is what a shortened tool result keeps at least, in tokens.
const leastResult = 64

// shorten cuts the largest tool results of a list to one common size, the
// largest at which the list fits.
func (a *Compactor) shorten(list []held, limit int64) ([]held, int, bool) {
	sized := func(most int64) int64 {
		n := int64(0)
		for i := range list {
			n += list[i].sized(most)
		}
		return a.meter.used(n)
	}
	if sized(leastResult) > limit {
		return nil, 0, false
	}
	high := int(limit)
	if a.meter.scale > 0 {
		high = int(float64(limit) / a.meter.scale)
	}
	most := sort.Search(high, func(n int) bool { return sized(int64(n)) > limit }) - 1
	out := slices.Clone(list)
	short, count := 0, a.counter()
	for i := range out {
		if out[i].sized(int64(most)) < out[i].tokens {
			out[i] = a.cut(out[i], most, count)
			short++
		}
	}
	return out, short, a.meter.used(countTokens(out)) <= limit
}

// sized is what a message weighs when tool results are cut to most tokens.
func (h *held) sized(most int64) int64 {
	if h.msg.Role != "tool" {
		return h.tokens
	}
	return min(h.tokens, max(most, leastResult))
}

// cut is a tool result in at most so many tokens: its beginning and its end,
// and between them what is missing and where it is.
func (a *Compactor) cut(h held, most int, count func(string) int) held {
	most = max(most, leastResult)
	whole := h.msg.Content
	if h.hist >= 0 { // it may have been cut before
		whole = a.mem.history[h.hist].msg.Content
	}
	text := []rune(whole)
	h.msg.raw = nil
	shorter := func(keep int) ChatMessage {
		m := h.msg
		m.Content = string(text[:keep-keep/3]) +
			fmt.Sprintf(" … [%d of %d characters cut; the full history has them] … ", len(text)-keep, len(text)) +
			string(text[len(text)-keep/3:])
		return m
	}
	keep := sort.Search(len(text), func(n int) bool {
		m := shorter(n + 1)
		return m.tokens(count) > int64(most)
	})
	h.msg = shorter(keep)
	h.tokens = h.msg.tokens(count)
	return h
}

// setTruncated replaces the list by a shorter one.
func (a *Compactor) setTruncated(r *Result, list []held, short int) {
	before := len(a.mem.runtime)
	a.mem.replace(list)
	a.meter.clear(a.cfg.ShareCompat.UsageAfter)
	a.state.touch(a.clock.Now())
	r.Truncated += before - len(list)
	r.Shortened += short
	a.metrics.Truncations++
	a.metrics.Truncated += before - len(list)
	a.metrics.Shortened += short
	a.logTruncated(before, len(list), short)
}
