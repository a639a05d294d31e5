package compaction

import (
	"sync/atomic"

	"palimpsest/model"
)

// Line is a live list prepared for planning: arrays by entry, prefix sums of
// tokens, and the cuts and units computed once. It does not change after
// [NewLine] and may be shared by goroutines.
//
// The line of a [Track] has arrays only for its first entries. The rest is a
// stretch [from, to) of the history, whose arrays every replay shares.
type Line struct {
	items  []model.Item
	hist   []int32 // history index of each entry; -1: not in the history (a summary)
	kind   []model.Kind
	tokens []int32
	sum    []int64 // prefix sums of tokens, len n+1

	history  *History // where the list goes on behind its own entries; nil: nowhere
	from, to int      // the shared stretch, in history positions
	notes    notes    // results in it that were cleared
	beyond   int64    // tokens of the own entries, less those of the history before the stretch

	leader []int32 // first entry of the group; itself when alone
	legal  []int32 // cuts that split no group, ascending

	units [unitLists][]int32 // ascending entries

	summaries []int32 // entries that are summaries of what was compacted before
	chars     []int   // code points of each of them

	system    int // length of the leading run of system messages
	firstUser int // entry of the history's first message a person typed; -1: it is not live
	pending   int // first entry of a group whose results are still to come; n: none

	noteCount int // own entries that were cleared

	inHistory []int32 // entries that are in the history, in its order; not of a track

	lastClearable atomic.Pointer[clearable] // not of a track

	pins *pinTrack // kept while the line of a track grows; nil: found by each plan

	records    bool     // the history is step records
	uncleared  int      // leading results that need not be looked at for clearing again
	totalSteps int      // steps in the whole history so far, compacted ones included
	said       []Reason // see Source.Said
	at         int      // history position the line was taken at
	fixed      int64
}

// Source is what a line is built from.
type Source struct {
	Thread *model.Thread
	At     int          // history position; the messages before it have been
	Items  []model.Item // the live list; nil: the thread's own live view at At
	// Tokens of a stored message; of a cleared one when cleared is set.
	Tokens func(stored int32, cleared bool) int32
	// SummaryTokens of a record's summary. Needed only when Items hold one.
	SummaryTokens func(record string) int32
	// SummaryChars are the code points of a summary, stored or of a record; nil:
	// estimated from its tokens.
	SummaryChars func(model.Item) int
	// Fixed is the part of the context that no message holds, in tokens.
	Fixed int
	// Said is what every plan on the line warns of first.
	Said []Reason
}

// NewLine builds the line of a live list.
func NewLine(s Source) *Line {
	items := s.Items
	if items == nil {
		live := s.Thread.Live(s.At)
		items = make([]model.Item, len(live))
		for i, m := range live {
			items[i] = model.Item{Msg: m}
		}
	}
	n := len(items)
	l := &Line{
		items: make([]model.Item, 0, n), hist: make([]int32, 0, n), kind: make([]model.Kind, 0, n),
		tokens: make([]int32, 0, n), sum: make([]int64, 0, n+1), leader: make([]int32, 0, n), legal: make([]int32, 0, n+1),
		at: s.At, fixed: int64(s.Fixed), said: s.Said,
	}
	g, ids := newIndexer(l), newOutliner()
	position := historyPositions(s.Thread, s.At)
	for _, it := range items {
		o, hist, tokens := summaryOutline, int32(-1), int32(0)
		if it.Msg >= 0 {
			o = ids.outline(&s.Thread.Messages[it.Msg])
			hist, tokens = position[it.Msg], s.Tokens(it.Msg, it.Cleared)
		} else {
			tokens = s.SummaryTokens(it.Record)
		}
		g.reserve(len(ids.number))
		g.add(it, hist, tokens, &o, ids.calls[o.calls:o.calls+o.called])
		if o.kind == model.KindSummary {
			chars := int(tokens) * charsPerToken
			if s.SummaryChars != nil {
				chars = s.SummaryChars(it)
			}
			l.chars = append(l.chars, chars)
		}
	}
	l.inHistory = historyEntries(l.hist)
	l.firstUser = l.entryOf(s.Thread.Messages, firstUser(s.Thread, s.At))
	l.totalSteps = int(stepsBefore(s.Thread, s.At)[s.At])
	l.records = IsStepRecords(s.Thread)
	return l
}

// historyPositions maps stored indices to history positions before at; -1
// elsewhere.
func historyPositions(t *model.Thread, at int) []int32 {
	pos := make([]int32, len(t.Messages))
	for i := range pos {
		pos[i] = -1
	}
	for i, m := range t.History[:at] {
		pos[m] = int32(i)
	}
	return pos
}

// Len is the number of live messages.
func (l *Line) Len() int { return len(l.items) + l.to - l.from }

// position is the history position of an entry behind the own ones.
func (l *Line) position(i int) int { return i - len(l.items) + l.from }

// before is the number of tokens of the entries before i.
func (l *Line) before(i int) int64 {
	if n := len(l.items); i > n {
		if len(l.notes.at) > 0 {
			return beforeShared(l, i)
		}
		return l.beyond + l.history.sum[i-n+l.from]
	}
	return l.sum[i]
}

// beforeShared is before of an entry of a shared stretch in which something was cleared.
func beforeShared(l *Line, i int) int64 {
	p := l.position(i)
	return l.beyond + l.history.sum[p] - l.notes.before(p)
}

// cleared reports whether entry i is a result that was cleared before.
func (l *Line) cleared(i int) bool {
	if i >= len(l.items) {
		return l.notes.has(l.position(i))
	}
	return l.noteCount > 0 && l.items[i].Cleared
}

// lead is the first entry of the group of entry i.
func (l *Line) lead(i int) int32 {
	if i >= len(l.items) {
		return l.history.index.leader[l.position(i)] + int32(len(l.items)-l.from)
	}
	return l.leader[i]
}

// pendingFrom is the first entry of a group whose results are still to come; the
// length when there is none.
func (l *Line) pendingFrom() int {
	if l.to > l.from {
		return int(l.history.index.pending[l.to]) + len(l.items) - l.from
	}
	return l.pending
}

// Item is entry i.
func (l *Line) Item(i int) model.Item {
	if i >= len(l.items) {
		p := l.position(i)
		return model.Item{Msg: l.history.thread.History[p], Cleared: l.notes.has(p)}
	}
	return l.items[i]
}

// History is the history index of entry i, -1 if the history does not hold it.
func (l *Line) History(i int) int {
	if i >= len(l.items) {
		return l.position(i)
	}
	return int(l.hist[i])
}

// Copy reports whether entry i repeats a message that the history holds elsewhere.
func (l *Line) Copy(i int) bool {
	return l.History(i) < 0 && l.Item(i).Msg >= 0 && l.Kind(i) != model.KindSummary
}

// Tokens is the size of entry i.
func (l *Line) Tokens(i int) int {
	if i >= len(l.items) {
		p := l.position(i)
		if n := l.history.tokens[p]; !l.notes.has(p) {
			return int(n)
		} else {
			return int(min(n, NoteTokens))
		}
	}
	return int(l.tokens[i])
}

// Kind is that of entry i.
func (l *Line) Kind(i int) model.Kind {
	if i >= len(l.items) {
		return l.history.outlines[l.position(i)].kind
	}
	return l.kind[i]
}

// Span is the number of tokens of the entries [from, to).
func (l *Line) Span(from, to int) int64 { return l.before(to) - l.before(from) }

// Compactable is the number of tokens that a compaction could take: of all messages but
// the system prompt.
func (l *Line) Compactable() int64 { return l.Span(l.system, l.Len()) }

// Fixed is the part of the context that no message holds.
func (l *Line) Fixed() int64 { return l.fixed }

// Usage is the size of the whole context: the live messages and the fixed part.
func (l *Line) Usage() model.Size {
	n := l.Len()
	return model.Size{Messages: n, Tokens: l.before(n) + l.fixed}
}

// At is the history position the line was taken at.
func (l *Line) At() int { return l.at }
