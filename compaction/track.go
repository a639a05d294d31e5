package compaction

import (
	"context"
	"strconv"

	"palimpsest/model"
)

// Track is a live list that follows a history under one policy: messages come
// as the agent lived them, and what a plan takes gives way to its summary. It is
// what a session would hold at every moment, kept up to date instead of built
// anew, so that walking a whole history is linear in its messages.
//
// A track belongs to one goroutine. Its line changes with it: a plan that Plan
// or Attempt made holds until the next of them, Advance or Apply.
type Track struct {
	h         *History
	prepared  *PreparedPolicy
	indexer   *indexer
	line      Line
	planner   planner
	summaries []size
	names     []string // of summaries, by number
	first     int32    // position of the first user message so far; -1: none
	trackView
}

// size is what a summary weighs.
type size struct {
	tokens, chars int
}

// Track begins at the start of the history. The fixed part is that of the
// policy.
func (h *History) Track(w *PreparedPolicy) *Track {
	t, ok := h.spare.Get().(*Track)
	if !ok {
		t = &Track{h: h, planner: planner{plan: &Plan{}}}
		t.line.history = h
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
	t.line.pins = nil
	if len(w.policy.Pins) > 0 {
		t.line.pins = &pinTrack{ranges: w.policy.Pins, hit: map[int32]bool{}}
	}
	t.line.at, t.line.totalSteps, t.line.fixed = 0, 0, int64(t.prepared.policy.Fixed)
	t.summaries, t.first, t.next = t.summaries[:0], -1, 0
	t.stepStarts = w.policy.Tail.Unit == model.Steps || w.policy.Batch.Unit == model.Steps
	t.pinned = t.h.pinned(w.policy.Pins, t.pinned[:0])
	t.share()
}

// Line is the live list now.
func (t *Track) Line() *Line { return &t.line }

// Advance appends the history's messages before a position, which must not lie
// behind the present one.
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
	t.indexer.add(it, hist, tokens, o, t.h.callIDs[o.calls:o.calls+o.called])
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

// Plan is what the policy does to the line now. Its memory is that of the plan
// before: once that has grown, planning allocates nothing. What had to be changed
// in the policy the watch tells.
func (t *Track) Plan(o Options) *Plan {
	t.setGauges()
	return t.rememberCleared(t.planner.planLine(&t.line, t.policy(), o, nil))
}

// setGauges gives the planner the clauses that hold now.
func (t *Track) setGauges() { t.planner.gauges = t.tierAt(t.line.at).gauges }

// Attempt is the plan of an automatic check at which a clause fires (see
// [Track.Nearest]), for one who carries it out and shows it to nobody: it has no
// clauses and no warnings, and one that does not apply only its outcome and the
// reason.
func (t *Track) Attempt() *Plan {
	b, tier := &t.planner, t.tierAt(t.line.at)
	b.gauges = tier.gauges
	if tier.slides && t.slide(tier) {
		return b.plan
	}
	b.begin(&t.line, tier.policy, Options{})
	b.plan.Why = Reason{Code: "fires"}
	b.survey()
	if b.choose(); b.plan.Outcome == WouldApply {
		b.fates()
		b.measureLeft()
	}
	return t.rememberCleared(b.plan)
}

// Refusal is why a check at a position comes to nothing, where no plan is needed
// to tell: a policy that only clears, and nothing more that is worth it. The
// position is as for [Track.Advance], to which the track goes; a clause fires there.
func (t *Track) Refusal(at int) (Reason, bool) {
	p := t.tierAt(at).policy
	if p.Strategy != model.ClearOnly {
		return Reason{}, false
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

// rememberCleared keeps what a plan found out that holds for the plans to come.
func (t *Track) rememberCleared(pl *Plan) *Plan {
	t.line.uncleared = max(t.line.uncleared, pl.uncleared)
	return pl
}

// Apply carries a plan of the track's line out, as [Plan.Apply] does, with a
// summary of so many tokens; chars are its code points, 0 when there is no text
// to count. It gives the name the summary has in the line's items, "" when the
// plan makes none.
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
		t.next = t.line.position(pl.Taken.To)
		t.cut(pl.Insert)
		t.addSummary(name, len(t.summaries))
		t.share()
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

// name is that of the k-th summary. A replay makes thousands, and the next one
// the same.
func (t *Track) name(k int) string {
	for len(t.names) < k {
		t.names = append(t.names, strconv.Itoa(len(t.names)+1))
	}
	return t.names[k-1]
}

// keep collects the entries a plan leaves that the line must hold itself: all
// but those behind its last change. What stands before the first change, and can
// stay as it is, it counts.
func (t *Track) keep(pl *Plan, name string) (stem int) {
	l, first, own := &t.line, -1, len(t.line.items)
	for _, r := range pl.Runs {
		if r.Fate == model.Summarised || r.Fate == model.Dropped || r.Fate == model.Cleared {
			if first < 0 {
				first = r.From
			}
			own = max(own, r.To)
		}
	}
	stem = t.loneEntries(first)
	t.kept = t.kept[:0]
	for _, r := range pl.Runs {
		if pl.Insert >= r.From && pl.Insert < r.To {
			t.kept = append(t.kept, keptItem{model.Item{Msg: -1, Record: name}, -1})
		}
		if r.Fate == model.Summarised || r.Fate == model.Dropped {
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

// clear puts notes in place of results; nothing moves.
func (t *Track) clear(pl *Plan) {
	from, to := -1, 0
	for _, r := range pl.Runs {
		if r.Fate == model.Cleared {
			if from < 0 {
				from = r.From
			}
			to = r.To
		}
	}
	if from < 0 {
		return
	}
	t.planner.clearing.reset()
	t.copyTo(t.line.position(to))
	l := &t.line
	for _, r := range pl.Runs {
		if r.Fate != model.Cleared {
			continue
		}
		for i := r.From; i < r.To; i++ {
			l.items[i].Cleared = true
			l.noteCount++
			l.tokens[i] = min(l.tokens[i], NoteTokens)
		}
	}
	for i := from; i < len(l.items); i++ {
		l.sum[i+1] = l.sum[i] + int64(l.tokens[i])
	}
	t.share()
}

// loneEntries is how many of the first entries belong to nothing but themselves: system
// prompt and summaries. before bounds it.
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

// cut takes everything behind the stem out of the line.
func (t *Track) cut(stem int) {
	l := &t.line
	for _, h := range l.hist[stem:] {
		if h >= 0 {
			o := &t.h.outlines[h]
			t.indexer.dropCalls(t.h.callIDs[o.calls : o.calls+o.called])
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

// policy is the track's policy with the tier for the length so far.
func (t *Track) policy() *model.Policy {
	return t.tierAt(t.line.at).policy
}
