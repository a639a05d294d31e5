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
//	               own entries       shared with the history, see [trackView]
//
// The definition of a replay, without any of this, is among the tests of package
// replay, which compare the two.
//
// A track belongs to one goroutine. Its line changes with it: a plan of Plan or
// Attempt holds until the next of them, Advance or Apply.
type Track struct {
	h         *History
	prepared  *PreparedPolicy
	indexer   *indexer
	line      Line
	planner   planner
	slid      model.Policy
	fitting   Planner // of the checks at the hard limit
	summaries []size
	names     []string // of summaries, by number
	first     int32    // position of the first user message so far; -1: none
	trackView
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
		t = &Track{h: h, planner: planner{plan: &Plan{}}, fitting: Planner{legal: true}}
		t.line.history, t.line.records = h, h.records
		t.indexer = newIndexer(&t.line)
		t.indexer.reserve(h.idCount)
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
	t.line.notes.reset()
	t.line.pins = nil
	if len(w.policy.Pins) > 0 {
		t.line.pins = &pinTrack{ranges: w.policy.Pins, hit: map[int32]bool{}}
	}
	t.line.at, t.line.totalSteps, t.line.beyond, t.line.fixed = 0, 0, 0, t.h.Fixed(&t.prepared.policy)
	t.summaries, t.first, t.next = t.summaries[:0], -1, 0
	t.stepStarts = w.policy.Tail.Unit == model.Steps || w.policy.Batch.Unit == model.Steps
	t.pinned = t.h.pinned(w.policy.Pins, t.pinned[:0])
	t.share()
}

// Line is the live list now.
func (t *Track) Line() *Line { return &t.line }

// Advance appends the history's messages before a position, which must not lie
// before the present one.
func (t *Track) Advance(at int) {
	t.line.at, t.line.totalSteps = at, int(t.h.steps[at])
	t.first = int32(t.h.firstUser(at))
	t.share()
}

func (t *Track) add(it model.Item, hist int32) {
	o, tokens := &t.h.outlines[hist], t.h.tokens[hist]
	if it.Cleared {
		tokens = min(tokens, NoteTokens)
	}
	if hist != t.last+1 {
		t.unbroken = len(t.line.items)
	}
	t.last = hist
	t.indexer.add(it, hist, tokens, o, t.h.calledIDs(o))
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
	tier := t.tierAt(t.line.at)
	t.planner.begin(&t.line, t.policyAt(tier), tier.gauges, o)
	return t.rememberCleared(t.planner.run())
}

// Attempt is the plan of an automatic check at which a clause fires (see
// [Track.Nearest]), for callers that only carry it out: it has no clauses and no
// warnings, and runs only if they are asked for or if it does more than to clear, or to
// slide over steps. One that does not apply has only its outcome and the reason.
func (t *Track) Attempt(runs bool) *Plan {
	b, tier := &t.planner, t.tierAt(t.line.at)
	policy := t.policyAt(tier)
	if tier.slides && policy == tier.policy && t.slide(tier, runs) {
		return b.plan
	}
	b.begin(&t.line, policy, tier.gauges, Options{})
	b.plan.Why = Reason{Code: "fires"}
	b.survey()
	b.choose()
	return t.rememberCleared(b.carry(runs))
}

// policyAt is the policy in force for the line, and sets the planner's step
// history.
func (t *Track) policyAt(tier *policyTier) *model.Policy {
	t.planner.steps = StepWindow{}
	if t.line.records {
		if w := t.prepared.steps; w != (StepWindow{}) {
			t.slid = w.slide(*tier.policy, t.line.totalSteps)
			t.planner.steps, t.planner.p = w, nil // for another policy in the same place
			return &t.slid
		}
	}
	return tier.policy
}

// Refusal is why a check at a position does nothing, where that can be said
// without a plan: the policy only clears, and clearing would free too little. A clause
// must fire there. The track may be advanced to the position.
func (t *Track) Refusal(at int) (Reason, bool) {
	p := t.tierAt(at).policy
	if p.Strategy != model.ClearOnly {
		return Reason{}, false
	}
	if why, refused, known := t.planner.clearing.goesOn(&t.line, p, at); known {
		return why, refused
	}
	t.Advance(at)
	return t.planner.clearsNothing(&t.line, p)
}

// Draft is [MakeDraft] on the line now. p is the track's policy, perhaps with
// another strategy.
func (t *Track) Draft(ctx context.Context, p model.Policy, o Options, sum Summariser) (*Draft, error) {
	d, err := MakeDraft(ctx, &t.line, p, o, sum)
	if d != nil {
		t.rememberCleared(d.Plan)
	}
	return d, err
}

// rememberCleared stores in the line how many results later plans need not look
// at again.
func (t *Track) rememberCleared(pl *Plan) *Plan {
	t.line.uncleared = max(t.line.uncleared, pl.uncleared)
	return pl
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
	if pl.bySlide {
		t.applySlid(pl, name)
		return name
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
	t.share()
	return name
}

// addSummary puts the k-th summary at the end of the line.
func (t *Track) addSummary(name string, k int) {
	s := t.summaries[k-1]
	t.indexer.add(model.Item{Msg: -1, Record: name}, -1, int32(s.tokens), &summaryOutline, nil)
	t.line.chars = append(t.line.chars, s.chars)
	t.last = noNeighbour
}

// name is the record name of the k-th summary. Replays share them: one makes
// thousands, and the next the same.
func (t *Track) name(k int) string {
	for len(t.names) < k {
		t.names = append(t.names, strconv.Itoa(len(t.names)+1))
	}
	return t.names[k-1]
}

// keep collects the entries that stay and that the line must store itself: those
// before the end of the plan's last change. The first of them that can stay where
// they are are only counted, in stem.
func (t *Track) keep(pl *Plan, name string) (stem int) {
	l := &t.line
	first, own := pl.changed()
	own = max(own, len(l.items))
	stem = t.loneEntries(first)
	t.kept = t.kept[:0]
	for _, r := range pl.Runs.All() {
		if r.From >= own {
			break
		}
		if pl.Insert >= r.From && pl.Insert < r.To {
			t.kept = append(t.kept, keptItem{model.Item{Msg: -1, Record: name}, -1})
		}
		if r.Goes() {
			continue
		}
		for i := max(r.From, stem); i < min(r.To, own); i++ {
			it := l.Item(i)
			it.Cleared = it.Cleared || r.Fate == model.Cleared
			t.kept = append(t.kept, keptItem{it, int32(l.History(i))})
		}
	}
	t.next = l.position(own)
	return stem
}

// clear marks results as cleared; no entry moves.
func (t *Track) clear(pl *Plan) {
	if pl.ClearedN == 0 {
		return
	}
	l := &t.line
	l.uncleared = max(l.uncleared, pl.searched)
	entries := pl.cleared
	if len(entries) == 0 {
		for r := range pl.Runs.spans() {
			for i := r.from; i < r.to && r.fate == model.Cleared; i++ {
				entries = append(entries, int32(i))
			}
		}
	}
	own := len(l.items)
	first := own
	for _, e := range entries {
		i := int(e)
		if i >= own {
			p := l.position(i)
			l.notes.add(p, int64(max(0, t.h.tokens[p]-NoteTokens)))
			continue
		}
		first = min(first, i)
		l.items[i].Cleared = true
		l.noteCount++
		l.tokens[i] = min(l.tokens[i], NoteTokens)
	}
	for i := first; i < own; i++ {
		l.sum[i+1] = l.sum[i] + int64(l.tokens[i])
	}
	l.beyond = l.sum[own] - t.h.sum[l.from]
	t.planner.clearing.cleared(pl.searched, l.notes.last())
}

// loneEntries is how many of the first entries, at most before, belong to no
// group with others: system prompt and summaries.
func (t *Track) loneEntries(before int) int {
	l, n := &t.line, 0
	if l.pins != nil {
		return 0
	}
	for n < min(before, len(l.items)) && (n < l.system || l.kind[n] == model.KindSummary) {
		n++
	}
	return n
}

// cut removes everything behind the first stem entries from the line.
func (t *Track) cut(stem int) {
	l := &t.line
	for _, h := range l.hist[stem:] {
		if h >= 0 {
			t.indexer.dropCalls(t.h.calledIDs(&t.h.outlines[h]))
		}
	}
	t.indexer.cut(stem)
	if l.pins != nil {
		l.pins.reset()
	}
	t.planner.clearing.reset()
	l.from, l.to, t.last, t.unbroken = 0, 0, noNeighbour, stem
	if stem > 0 && l.hist[stem-1] >= 0 {
		t.last = l.hist[stem-1]
		for t.unbroken--; t.unbroken > 0 && l.hist[t.unbroken-1] == l.hist[t.unbroken]-1; t.unbroken-- {
		}
	}
}
