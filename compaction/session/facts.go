package session

import (
	"context"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// Facts is the index of the literal facts of the thread's whole history. It is
// built on the first call, which decodes every message and takes about a second
// for some ten megabytes, and kept until [Session.ForgetFacts]; progress may be
// nil. Two callers build it once: the later one waits. A cancelled build leaves
// nothing behind.
func (s *Session) Facts(ctx context.Context, progress func(done, total int)) (*facts.Index, error) {
	select {
	case s.indexing <- struct{}{}:
		defer func() { <-s.indexing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if x := s.KnownFacts(); x != nil {
		return x, nil
	}
	n := len(s.thread.History)
	x, err := facts.Build(ctx, facts.Standard, n, func(i int) (facts.Message, error) {
		if err := ctx.Err(); err != nil {
			return facts.Message{}, err
		}
		if progress != nil {
			progress(i, n)
		}
		m := &s.thread.Messages[s.thread.History[i]]
		parts, err := s.file.Doc.Parts(m)
		return facts.Message{Author: facts.AuthorOf(m), Parts: parts}, err
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.facts = x
	s.mu.Unlock()
	return x, nil
}

// KnownFacts is the index if it has been built; else nil.
func (s *Session) KnownFacts() *facts.Index {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.facts
}

// ForgetFacts lets go of the index, whose memory grows with the history.
func (s *Session) ForgetFacts() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.facts = nil
}

// Survive compares the facts of what a plan takes with what stands after it.
// text is that of the summary; without one, the result is a lower bound, for a
// summary that is still to be made can only add to what stands. The index must
// have been built: nil otherwise.
func (s *Session) Survive(pl *compaction.Plan, text string) *facts.Survival {
	x := s.KnownFacts()
	if x == nil {
		return nil
	}
	return x.Survive(s.factChange(pl, text))
}

// factChange is a plan as far as facts are concerned. Messages of the live list
// that the history does not hold, summaries found in the file and copies made
// by the source's own compactions, are told by their texts.
func (s *Session) factChange(pl *compaction.Plan, text string) facts.Change {
	_, stack := s.snapshot()
	c := facts.Change{At: pl.Line.At()}
	applies := pl.Outcome == compaction.WouldApply
	for _, run := range pl.Runs {
		gone := applies && (run.Fate == model.Summarised || run.Fate == model.Dropped)
		cleared := applies && run.Fate == model.Cleared
		for i := run.From; i < run.To; i++ {
			h, it := pl.Line.History(i), pl.Line.Item(i)
			switch {
			case h >= 0 && (gone || cleared):
				c.Removed = extendRange(c.Removed, h)
			case h >= 0 && !it.Cleared:
				c.Kept = extendRange(c.Kept, h)
			case h >= 0: // its text had gone before
			case gone:
				c.Away = append(c.Away, s.itemTexts(stack, it)...)
			default:
				c.Stands = append(c.Stands, s.itemTexts(stack, it)...)
			}
		}
	}
	if applies && text != "" {
		c.Stands = append(c.Stands, text)
	}
	return c
}

// itemTexts are the texts of an entry that is no message of the history: the
// summary of a record, or what a found compaction put in. One that can't be
// read any more has none.
func (s *Session) itemTexts(stack []*model.Record, it model.Item) []string {
	if it.Msg < 0 {
		if r := recordOf(stack, it.Record); r != nil {
			return []string{r.Summary}
		}
		return nil
	}
	parts, err := s.file.Doc.Parts(&s.thread.Messages[it.Msg])
	if err != nil {
		return nil
	}
	texts := make([]string, 0, len(parts))
	for i := range parts {
		texts = append(texts, parts[i].Text)
	}
	return texts
}

// extendRange adds a position to ascending ranges; positions come in ascending
// order but for copies, which the history does not hold.
func extendRange(rs []model.Range, h int) []model.Range {
	if k := len(rs) - 1; k >= 0 && rs[k].To == h {
		rs[k].To++
		return rs
	}
	return append(rs, model.Range{From: h, To: h + 1})
}

// Needed is what the agent of a replayed history needed after the firings.
type Needed struct {
	facts.Needs
	// Lower says that the replay had no texts of summaries, so that facts that
	// stand in them count as missed: Met is a lower bound then.
	Lower bool
}

// NeededLater tells what the agent needed after the firings of a replay that was
// asked for what they leave, and whether it still stood. The index must have
// been built: nil otherwise.
func (s *Session) NeededLater(tl *replay.Timeline) *Needed {
	x := s.KnownFacts()
	if x == nil {
		return nil
	}
	changes, lower := changesOf(tl.Firings)
	return &Needed{x.NeededLater(changes), lower}
}

// changesOf is firings as far as facts are concerned. lower says that the text of
// a summary is not known.
func changesOf(firings []replay.Firing) (changes []facts.Change, lower bool) {
	texts := map[string]string{}
	for i := range firings {
		f := &firings[i]
		if f.Record != "" {
			texts[f.Record] = f.Text
			lower = lower || f.Text == ""
		}
		if f.Context == nil {
			continue
		}
		c := facts.Change{At: f.At, Removed: merge(f.Context.Gone, f.Context.Cleared), Kept: f.Context.Kept}
		for _, r := range f.Context.Merged {
			c.Away = append(c.Away, texts[r])
		}
		for _, r := range f.Context.Stands {
			if texts[r] != "" {
				c.Stands = append(c.Stands, texts[r])
			}
		}
		changes = append(changes, c)
	}
	return changes, lower
}

// merge joins two ascending lists of disjoint ranges into one.
func merge(a, b []model.Range) []model.Range {
	out := make([]model.Range, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].From < b[0].From {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}

// RecallAsks is how many needs there must be before hindsight recall says
// something about settings.
const RecallAsks = 20

// LiveNeeds replays the history under a policy and tells what the agent needed
// after each firing. texts asks for the real texts of the strategies that need no
// model; without, a summary holds nothing. It builds the index if need be.
func (s *Session) LiveNeeds(ctx context.Context, p model.Policy, texts bool) (*Needed, error) {
	if _, err := s.Facts(ctx, nil); err != nil {
		return nil, err
	}
	o := replay.Options{Context: true}
	if texts && Offline(p.Strategy) {
		o.Summarise = s.Lived
	}
	tl, err := replay.Run(ctx, s.History(), p, o)
	if err != nil {
		return nil, err
	}
	return s.NeededLater(tl), nil
}

// Offline reports whether a strategy makes its text without a model.
func Offline(st model.Strategy) bool {
	switch st {
	case "", model.Extract, model.StructuredJSON, model.StructuredTable, model.Ledger:
		return true
	}
	return false
}

// ledgerFacts is what a ledger in place of what a plan takes is made of: all
// that was ever taken away, not only by this plan.
func (s *Session) ledgerFacts(ctx context.Context, pl *compaction.Plan, former func(record string) string) (*summarize.Facts, error) {
	x, err := s.Facts(ctx, nil)
	if err != nil {
		return nil, err
	}
	at, left := pl.Line.At(), replay.Leaves(pl)
	f := &summarize.Facts{Index: x, At: at, Gone: outside(left.Kept, at), Kept: left.Kept}
	for _, record := range left.Stands {
		f.Texts = append(f.Texts, former(record))
	}
	return f, nil
}

// outside is what ascending ranges leave of the history before at.
func outside(kept []model.Range, at int) []model.Range {
	var out []model.Range
	from := 0
	for _, r := range append(kept[:len(kept):len(kept)], model.Range{From: at, To: at}) {
		if from < r.From {
			out = append(out, model.Range{From: from, To: r.From})
		}
		from = r.To
	}
	return out
}
