package compaction

import (
	"context"
	"strconv"

	"palimpsest/model"
)

// Track is the live list of a history under one policy, kept up to date call by
// call: messages are appended as the agent lived them, and what a plan takes is
// replaced by its summary. Walking a whole history is linear in its messages.
//
//	history        S  m1 m2 m3 m4 m5 m6 m7 m8 m9 …         every message, in the order it was lived
//	line at m7     S  m1 m2 m3 m4 m5 m6                    what the request before m7 sends
//	plan                [--- taken --]                     a clause fires
//	after Apply    S  S1             m5 m6                 S1 is the summary
//	line at m9     S  S1             m5 m6 m7 m8
//
// The definition of a replay, without any of this, is among the tests of package
// replay, which compare the two.
//
// A track belongs to one goroutine. Its line changes with it: a plan holds until the next
// Plan, Advance or Apply.
type Track struct {
	h         *History
	prepared  *PreparedPolicy
	indexer   *indexer
	line      Line
	planner   Planner
	fitting   Planner // of the checks at the hard limit
	summaries []size
	names     []string // of summaries, by number
	first     int32    // position of the first user message so far; -1: none
	next      int      // first history position that the line does not hold yet
	kept      []keptItem
}

// keptItem is an item with its history position; -1: a summary.
type keptItem struct {
	item model.Item
	hist int32
}

// size is the size of a summary.
type size struct {
	tokens, chars int
}

// Track begins at the start of the history. The fixed part is that of the
// policy.
func (h *History) Track(w *PreparedPolicy) *Track {
	t, ok := h.spare.Get().(*Track)
	if !ok {
		t = &Track{h: h, fitting: Planner{legal: true}}
		t.line.records, t.line.savedSteps = h.records, savedSteps(h.thread)
		t.indexer = newIndexer(&t.line)
		t.indexer.pairs.Reserve(h.idCount)
	}
	t.Reset(w)
	return t
}

// Release gives the memory of the track to the next one of the same history.
// Neither the track nor its line and plans may be used afterwards.
func (t *Track) Release() { t.h.spare.Put(t) }

// Reset goes back to the start of the history with another policy.
func (t *Track) Reset(w *PreparedPolicy) {
	t.prepared = w
	t.cut(0)
	t.line.pins = nil
	if len(w.policy.Pins) > 0 {
		t.line.pins = &pinTrack{ranges: w.policy.Pins, hit: map[int32]bool{}}
	}
	t.line.at, t.line.totalSteps, t.line.fixed = 0, 0, t.h.Fixed(&t.prepared.policy)
	t.summaries, t.first, t.next = t.summaries[:0], -1, 0
}

// Line is the live list now.
func (t *Track) Line() *Line { return &t.line }

// Advance appends the history's messages before a position, which must not lie
// before the present one.
func (t *Track) Advance(at int) {
	t.line.at, t.line.totalSteps = at, int(t.h.steps[at])
	t.first = int32(t.h.firstUser(at))
	for ; t.next < at; t.next++ {
		t.add(model.Item{Msg: t.h.thread.History[t.next]}, int32(t.next))
	}
}

func (t *Track) add(it model.Item, hist int32) {
	o, tokens := &t.h.outlines[hist], t.h.tokens[hist]
	if it.Cleared {
		tokens = min(tokens, NoteTokens)
	}
	t.indexer.add(it, hist, tokens, o, o.ids(t.h.callIDs))
	if hist == t.first {
		t.line.firstUser = len(t.line.items) - 1
	}
	if t.line.pins != nil {
		t.line.pins.add(&t.line)
	}
	if o.kind == model.KindSummary {
		t.line.chars = append(t.line.chars, int(tokens)*charsPerToken)
	}
}

// Plan is what the policy does to the line now, in the memory of the plan
// before: once that has grown, planning allocates nothing. What normalising the
// policy changed is not among its warnings: see [PreparedPolicy.Policy].
func (t *Track) Plan(o Options) *Plan {
	tier := t.tier()
	if t.planner.steps = (StepWindow{}); t.line.records {
		t.planner.steps = t.prepared.steps
	}
	t.planner.begin(&t.line, tier.policy, tier.gauges, o)
	return t.planner.run()
}

// Draft is [MakeDraft] on the line now. p is the track's policy, perhaps with
// another strategy.
func (t *Track) Draft(ctx context.Context, p model.Policy, o Options, sum Summariser) (*Draft, error) {
	return MakeDraft(ctx, &t.line, p, o, sum)
}

// Apply carries out a plan of the track's line, as [Plan.Apply] does. The summary
// has so many tokens and chars code points; 0: there is no text to count, and they
// are estimated. It returns the record name of the summary in the line's items, ""
// when the plan makes none.
func (t *Track) Apply(pl *Plan, tokens, chars int) string {
	if pl.Removed.Messages == 0 {
		t.clear(pl)
		return ""
	}
	name := ""
	if pl.Insert >= 0 {
		if chars == 0 {
			chars = tokens * charsPerToken
		}
		t.summaries = append(t.summaries, size{tokens, chars})
		name = t.name(len(t.summaries))
	}
	stem := t.keep(pl, name)
	t.cut(stem)
	for _, e := range t.kept {
		if e.hist >= 0 {
			t.add(e.item, e.hist)
			continue
		}
		k, _ := strconv.Atoi(e.item.Record) // a name that t.name gave
		t.addSummary(e.item.Record, k)
	}
	return name
}

// addSummary puts the k-th summary at the end of the line.
func (t *Track) addSummary(name string, k int) {
	s := t.summaries[k-1]
	t.indexer.add(model.Item{Msg: -1, Record: name}, -1, int32(s.tokens), &summaryOutline, nil)
	t.line.chars = append(t.line.chars, s.chars)
}

// name is the record name of the k-th summary. Replays share them: one makes
// thousands, and the next the same.
func (t *Track) name(k int) string {
	for len(t.names) < k {
		t.names = append(t.names, strconv.Itoa(len(t.names)+1))
	}
	return t.names[k-1]
}

// keep collects the entries that stay. The first of them that can stay where they
// are are only counted, in stem.
func (t *Track) keep(pl *Plan, name string) (stem int) {
	l := &t.line
	first, _ := pl.changed()
	stem = t.loneEntries(first)
	t.kept = t.kept[:0]
	for _, r := range pl.Runs.All() {
		if pl.Insert >= r.From && pl.Insert < r.To {
			t.kept = append(t.kept, keptItem{model.Item{Msg: -1, Record: name}, -1})
		}
		if r.Goes() {
			continue
		}
		for i := max(r.From, stem); i < r.To; i++ {
			it := l.items[i]
			it.Cleared = it.Cleared || r.Fate == model.Cleared
			t.kept = append(t.kept, keptItem{it, l.hist[i]})
		}
	}
	return stem
}

// clear marks results as cleared; no entry moves.
func (t *Track) clear(pl *Plan) {
	l, first := &t.line, t.line.Len()
	for r := range pl.Runs.spans() {
		for i := r.from; i < r.to && r.fate == model.Cleared; i++ {
			first = min(first, i)
			l.items[i].Cleared = true
			l.tokens[i] = min(l.tokens[i], NoteTokens)
		}
	}
	for i := first; i < l.Len(); i++ {
		l.sum[i+1] = l.sum[i] + int64(l.tokens[i])
	}
	c := &t.planner.clearing
	c.entries, c.freed = c.entries[:0], c.freed[:0]
}

// loneEntries is how many of the first entries, at most before, belong to no
// group with others: system prompt and summaries.
func (t *Track) loneEntries(before int) (n int) {
	l := &t.line
	if l.pins != nil {
		return 0
	}
	for n < min(before, l.Len()) && (n < l.system || l.kind[n] == model.KindSummary) {
		n++
	}
	return n
}

// cut removes everything behind the first stem entries from the line.
func (t *Track) cut(stem int) {
	for _, h := range t.line.hist[stem:] {
		if h >= 0 {
			o := &t.h.outlines[h]
			t.indexer.forget(o, o.ids(t.h.callIDs))
		}
	}
	t.indexer.cut(stem)
	if t.line.pins != nil {
		t.line.pins.reset()
	}
	t.planner.clearing.reset()
}
