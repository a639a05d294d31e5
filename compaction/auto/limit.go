package auto

import (
	"fmt"
	"slices"
	"sort"

	"palimpsest/compaction"
	"palimpsest/model"
)

// holdLimits makes a list that is too large to be sent fit (spec D17). It runs
// before every call, whether or not the list was compacted (D22).
func (a *Compactor) holdLimits(r *Result) {
	defer func() {
		if v := recover(); v != nil { // a count that was handed in
			r.Err = &compaction.PanicError{Value: v}
			a.log.truncateFailed(r.Err)
		}
	}()
	c, m := &a.cfg, &a.mem
	if n := len(m.runtime); c.OnFailure == model.TruncateAtHard && c.HardCount > 0 && n > c.HardCount && n >= c.MaxCount && !r.Compressed {
		// Below the trigger no summary was tried, so nothing failed.
		if list, ok := m.trim(c); ok {
			a.setTruncated(r, list, 0)
		}
	}
	limit := m.limit(c)
	if limit <= 0 || m.used() <= limit {
		return
	}
	a.log.truncating(limit)
	if len(m.runtime) >= leastToTruncate {
		if c.ShareCompat.Truncate {
			a.setTruncated(r, compatTruncate(m.runtime, c.KeepRecent), 0)
		} else if list, short, ok := (&limiter{m, limit, a.counter()}).fit(c.KeepRecent); ok {
			a.setTruncated(r, list, short)
		}
	}
	if used := m.used(); used > limit {
		r.Refused, r.Err = true, &OverLimitError{Used: used, Max: limit}
		a.metrics.Rejected++
		a.log.rejected(limit)
	}
}

// setTruncated replaces the list by a shorter one.
func (a *Compactor) setTruncated(r *Result, list []held, short int) {
	before := len(a.mem.runtime)
	a.setList(list)
	r.Truncated += before - len(list)
	r.Shortened += short
	a.metrics.Truncations++
	a.metrics.Truncated += before - len(list)
	a.metrics.Shortened += short
	a.log.truncated(before, len(list), short)
}

// leastToTruncate is the shortest list that is truncated at all (spec D17).
const leastToTruncate = 3

// trim is the list, whose summary could not be made, cut to its hard size in
// messages, at a legal cut (spec C12, F38); false: there is none.
func (m *memory) trim(c *Config) ([]held, bool) {
	list := m.runtime
	start := len(list) - c.HardCount
	if c.CountCompat.Trim {
		return slices.Clone(list[start:]), true
	}
	head := keptHead(list)
	l := m.line()
	from := legalFrom(l, min(start+head, len(list)))
	if from >= l.Len() { // a request that ends with the system prompt asks nothing
		from = lastCut(l)
	}
	return without(list, head, from), from > head
}

// keptHead is the length of what a truncation leaves at the beginning: the
// system prompt and the summaries after it, all that is left of what is gone.
func keptHead(list []held) int {
	n := system(list)
	for n < len(list) && list[n].summary {
		n++
	}
	return n
}

// lastCut is the last legal cut that leaves something after it.
func lastCut(l *compaction.Line) int {
	if l.Len() == 0 {
		return 0
	}
	return l.CutBefore(l.Len() - 1)
}

// limiter makes one list fit into limit tokens.
type limiter struct {
	m     *memory
	limit int64
	count func(string) int
}

// fit finds the least change that makes the list fit (spec D17, F59): the
// recent messages kept, in full; fewer of them; their tool results shortened;
// both; without the summaries. It returns how many results it shortened; false:
// nothing helps, so nothing is done.
func (x *limiter) fit(keepRecent int) ([]held, int, bool) {
	list := x.m.runtime
	l := x.m.line()
	head := keptHead(list)
	first := legalFrom(l, max(head, len(list)-keepRecent))
	last := lastCut(l)
	if keepRecent > 0 {
		first = min(first, last)
	}
	first, last = max(first, head), max(last, head)
	for c := first; c <= last && c < len(list); c = l.CutAfter(c + 1) {
		if cut := without(list, head, c); x.fits(cut) {
			return cut, 0, true
		}
	}
	if keepRecent == 0 && x.fits(list[:head]) {
		return slices.Clone(list[:head]), 0, true
	}
	for _, try := range [][]held{
		without(list, head, min(first, last)),
		without(list, head, last),
		without(list, system(list), last),
	} {
		if cut, short, ok := x.shorten(try); ok {
			return cut, short, true
		}
	}
	return nil, 0, false
}

func (x *limiter) fits(list []held) bool { return x.m.meter.used(countTokens(list)) <= x.limit }

// leastResult is what a shortened tool result keeps at least, in tokens.
const leastResult = 64

// shorten cuts the largest tool results of a list to one common size, the
// largest at which the list fits.
func (x *limiter) shorten(list []held) ([]held, int, bool) {
	fits := func(most int) bool {
		n := int64(0)
		for i := range list {
			n += list[i].sized(most)
		}
		return x.m.meter.used(n) <= x.limit
	}
	if !fits(leastResult) {
		return nil, 0, false
	}
	high := int(x.limit)
	if scale := x.m.meter.scale; scale > 0 {
		high = int(float64(x.limit) / scale)
	}
	most := sort.Search(high, func(n int) bool { return !fits(n) }) - 1
	out := slices.Clone(list)
	short := 0
	for i := range out {
		if out[i].sized(most) < out[i].tokens {
			out[i] = x.cut(out[i], most)
			short++
		}
	}
	return out, short, x.fits(out)
}

// sized is what a message weighs when tool results are cut to most tokens.
func (h *held) sized(most int) int64 {
	if h.msg.Role != "tool" {
		return h.tokens
	}
	return min(h.tokens, int64(max(most, leastResult)))
}

// cut is a tool result in at most so many tokens: its beginning and its end,
// and between them what is missing and where it is.
func (x *limiter) cut(h held, most int) held {
	most = max(most, leastResult)
	original := h.msg.Content
	if h.hist >= 0 { // it may have been cut before
		original = x.m.history[h.hist].msg.Content
	}
	text := []rune(original)
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
		return m.tokens(x.count) > int64(most)
	})
	h.msg = shorter(keep)
	h.tokens = h.msg.tokens(x.count)
	return h
}
