package compaction

import (
	"palimpsest/model"
)

// Line is a live list prepared for planning: arrays by entry, prefix sums of
// tokens, and the cuts and units computed once. It does not change after
// [NewLine] and may be shared by goroutines.
type Line struct {
	items  []model.Item
	hist   []int32 // history index of each entry; -1: not in the history (a summary)
	kind   []model.Kind
	tokens []int32
	sum    []int64 // prefix sums of tokens, len n+1

	leader []int32 // first entry of the group; itself when alone
	joined bool    // groups were joined since pins were last looked for
	legal  []int32 // cuts that split no group, ascending

	units [unitLists][]int32 // ascending entries

	summaries []int32       // entries that are summaries of what was compacted before
	chars     []int         // code points of each of them
	sealed    []int32       // entries with a compaction that only its provider can read
	thread    *model.Thread // nil: a line of a track

	system    int // length of the leading run of system messages
	firstUser int // entry of the history's first message a person typed; -1: it is not live
	pending   int // first entry of a group whose results are still to come; n: none

	pins *pinTrack // kept while the line of a track grows; nil: found by each plan

	records    bool     // the history is step records
	totalSteps int      // steps in the whole history so far, compacted ones included
	savedSteps int      // of them, in summaries that the history had from the beginning
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
		at: s.At, fixed: int64(s.Fixed), said: s.Said, thread: s.Thread,
	}
	g, ids := newIndexer(l), &outliner{}
	position := historyPositions(s.Thread, s.At)
	for _, it := range items {
		o, hist, tokens := summaryOutline, int32(-1), int32(0)
		if it.Msg >= 0 {
			o = ids.outline(&s.Thread.Messages[it.Msg])
			hist, tokens = position[it.Msg], s.Tokens(it.Msg, it.Cleared)
		} else {
			tokens = s.SummaryTokens(it.Record)
		}
		g.add(it, hist, tokens, &o, o.ids(ids.calls))
		if o.kind == model.KindSummary {
			chars := int(tokens) * charsPerToken
			if s.SummaryChars != nil {
				chars = s.SummaryChars(it)
			}
			l.chars = append(l.chars, chars)
		}
	}
	l.firstUser = l.entryOf(s.Thread.Messages, firstUser(s.Thread, s.At))
	l.totalSteps = int(stepsBefore(s.Thread, s.At)[s.At])
	l.records, l.savedSteps = IsStepRecords(s.Thread), savedSteps(s.Thread)
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

// replaces is how many messages of the history are before entry i, a summary that the file holds.
func (l *Line) replaces(i int) int {
	if l.thread == nil {
		return 0
	}
	return l.thread.Before(l.items[i].Msg)
}

// Len is the number of live messages.
func (l *Line) Len() int { return len(l.items) }

// before is the number of tokens of the entries before i.
func (l *Line) before(i int) int64 { return l.sum[i] }

// Item is entry i.
func (l *Line) Item(i int) model.Item { return l.items[i] }

// History is the history index of entry i, -1 if the history does not hold it.
func (l *Line) History(i int) int { return int(l.hist[i]) }

// Copy reports whether entry i repeats a message that the history holds elsewhere.
func (l *Line) Copy(i int) bool {
	return l.History(i) < 0 && l.Item(i).Msg >= 0 && l.Kind(i) != model.KindSummary
}

// Tokens is the size of entry i.
func (l *Line) Tokens(i int) int { return int(l.tokens[i]) }

// Kind is that of entry i.
func (l *Line) Kind(i int) model.Kind { return l.kind[i] }

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
