package auto

import (
	"fmt"
	"slices"
	"sort"

	"palimpsest/compaction"
	"palimpsest/model"
)

// holdLimits makes a list that is too large to be sent fit. It runs
// before every call, whether or not the list was compacted.
func (a *Compactor) holdLimits(r *Result) {
	defer func() {
		if v := recover(); v != nil { // a count that was handed in
			r.Err = &compaction.PanicError{Value: v}
			a.log.write(truncateError, "error", a.log.errorText(r.Err))
		}
	}()
	c, m := &a.cfg, &a.mem
	if n := len(m.runtime); c.OnFailure == model.TruncateAtHard && c.HardCount > 0 && n > c.HardCount && n >= c.MaxCount && !r.Compressed {
		// Below the trigger no summary was tried, so nothing failed.
		if cut, ok := m.trim(c); ok {
			a.leaveOut(r, cut)
		}
	}
	limit := m.limit(c)
	if limit <= 0 || m.used() <= limit {
		return
	}
	a.log.write(truncating, "messageCount", len(m.runtime), "usedTokens", m.used(), "maxTokens", limit)
	if len(m.runtime) >= leastToTruncate {
		if c.ShareCompat.Truncate {
			list := compatTruncate(m.runtime, c.KeepRecent)
			a.setTruncated(r, list, len(m.runtime)-len(list), 0)
		} else if cut, ok := m.fit(c, limit, a.counter()); ok {
			a.leaveOut(r, cut)
		}
	}
	if used := m.used(); used > limit {
		r.Refused, r.Err = true, &OverLimitError{Used: used, Max: limit}
		a.metrics.Rejected++
		a.log.rejected(limit)
	}
}

// fit is the least change that makes the list fit. There is room for the notice
// of what is left out; where only a list without one fits, what that leaves.
func (m *memory) fit(c *Config, limit int64, count func(string) int) (cut, bool) {
	x := &limiter{m: m, limit: limit, count: count, notice: noticeTokens(limit), kept: m.keptBy(c)}
	if found, ok := x.fit(c.KeepRecent); ok {
		return found, true
	}
	x.notice = 0
	found, ok := x.fit(c.KeepRecent)
	if ok && found.from < found.to {
		found.notice = int(limit - m.meter.used(countTokens(m.runtime[:found.from])+countTokens(found.rest)))
	}
	return found, ok
}

// setTruncated replaces the list by one from which so many messages are gone.
func (a *Compactor) setTruncated(r *Result, list []held, gone, short int) {
	before := len(a.mem.runtime)
	a.setList(list)
	r.Truncated += gone
	r.Shortened += short
	a.metrics.Truncations++
	a.metrics.Truncated += gone
	a.metrics.Shortened += short
	a.log.truncated(before, len(list), gone, short)
}

// leastToTruncate is the shortest list that is truncated at all.
const leastToTruncate = 3

// trim is the list, whose summary could not be made, cut to its hard size in
// messages, at a legal cut; false: there is none.
func (m *memory) trim(c *Config) (cut, bool) {
	list := m.runtime
	start := len(list) - c.HardCount
	if c.CountCompat.Trim {
		return cut{to: start, rest: list[start:]}, true
	}
	head := keptHead(list)
	l := m.line()
	from := legalFrom(l, min(start+head+1, len(list))) // one more, for the notice
	if from >= l.Len() {                               // a request that ends with the system prompt asks nothing
		from = lastCut(l)
	}
	return cut{from: head, to: from, rest: m.restOf(head, min(from, len(list)), m.keptBy(c)), notice: noticeTokens(m.limit(c))}, from > head
}

// cut is a list with a run of entries left out, at a hard limit.
type cut struct {
	from, to int    // the entries
	rest     []held // what stays behind them
	short    int    // tool results that were shortened in it
	notice   int    // tokens there are for the notice; 0: none is made
}

// keptHead is the length of what a truncation leaves at the beginning: the
// system prompt and the summaries after it, all that is left of what is gone. The
// notice of an earlier truncation is not part of it: the next one takes it in.
func keptHead(list []held) int {
	n := system(list)
	for n < len(list) && list[n].summary && !isNotice(&list[n]) {
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
	m      *memory
	limit  int64
	count  func(string) int
	notice int   // tokens that are kept for the notice of what is left out
	kept   []int // entries that stay whatever goes
}

// fit finds the least change that makes the list fit: the
// recent messages kept, in full; fewer of them; their tool results shortened;
// both; without the summaries. False: nothing helps, so nothing is done.
func (x *limiter) fit(keepRecent int) (cut, bool) {
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
		if out := x.cut(head, c); x.fits(&out, countTokens(out.rest)) {
			return out, true
		}
	}
	if out := x.cut(head, len(list)); keepRecent == 0 && x.fits(&out, 0) {
		return out, true
	}
	for _, try := range []cut{x.cut(head, min(first, last)), x.cut(head, last), x.cut(system(list), last)} {
		if x.shorten(&try) {
			return try, true
		}
	}
	return cut{}, false
}

// restOf is the list from an entry on, with what is kept of the entries [from, to)
// before it.
func (m *memory) restOf(from, to int, kept []int) []held {
	var out []held
	for _, i := range kept {
		if i >= from && i < to {
			out = append(out, m.runtime[i])
		}
	}
	return append(out, m.runtime[to:]...)
}

// cut leaves out the entries [from, to).
func (x *limiter) cut(from, to int) cut {
	out := cut{from: from, to: to, rest: x.m.restOf(from, to, x.kept)}
	if from < to {
		out.notice = x.notice
	}
	return out
}

// fits reports whether a list fits of which the rest weighs so much.
func (x *limiter) fits(c *cut, rest int64) bool {
	return x.m.meter.used(countTokens(x.m.runtime[:c.from])+int64(c.notice)+rest) <= x.limit
}

// leastResult is what a shortened tool result keeps at least, in tokens.
const leastResult = 64

// shorten cuts the largest tool results of a list to one common size, the
// largest at which the list fits; false: none does.
func (x *limiter) shorten(c *cut) bool {
	list := c.rest
	fits := func(most int) bool {
		n := int64(0)
		for i := range list {
			n += list[i].sized(most)
		}
		return x.fits(c, n)
	}
	if !fits(leastResult) {
		return false
	}
	high := int(x.limit)
	if scale := x.m.meter.scale; scale > 0 {
		high = int(float64(x.limit) / scale)
	}
	most := sort.Search(high, func(n int) bool { return !fits(n) }) - 1
	out := slices.Clone(list)
	for i := range out {
		if out[i].sized(most) < out[i].tokens {
			out[i] = x.shorter(out[i], most)
			c.short++
		}
	}
	c.rest = out
	return x.fits(c, countTokens(out))
}

// sized is what a message weighs when tool results are cut to most tokens.
func (h *held) sized(most int) int64 {
	if h.msg.Role != "tool" {
		return h.tokens
	}
	return min(h.tokens, int64(max(most, leastResult)))
}

// shorter is a tool result in at most so many tokens: its beginning and its end,
// and between them what is missing and where it is.
func (x *limiter) shorter(h held, most int) held {
	most = max(most, leastResult)
	original := h.msg.Content
	if h.hist >= 0 { // it may have been cut before
		original = x.m.history[h.hist].msg.Content
	}
	text := []rune(original)
	h.msg.raw = nil
	ends := func(keep int) ChatMessage {
		m := h.msg
		m.Content = string(text[:keep-keep/3]) +
			fmt.Sprintf(" … [%d of %d characters cut; the full history has them] … ", len(text)-keep, len(text)) +
			string(text[len(text)-keep/3:])
		return m
	}
	keep := sort.Search(len(text), func(n int) bool {
		m := ends(n + 1)
		return m.tokens(x.count) > int64(most)
	})
	h.msg = ends(keep)
	h.tokens = h.msg.tokens(x.count)
	return h
}
