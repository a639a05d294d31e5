package session

import (
	"context"
	"slices"
	"sync"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// Insight is what replays and an index of literal facts say of the history.
type Insight struct {
	s        *Session
	indexing chan struct{} // held while the facts are indexed

	mu     sync.Mutex
	lister *facts.Lister    // of the index, see Facts; it measures by the session's count
	memory summarize.Memory // of what replays read to make their texts
}

// Facts is the index of the literal facts of the thread's whole history. It is
// built on the first call, which decodes every message and takes about a second
// for some ten megabytes, and kept until [Insight.ForgetFacts]; progress may be
// nil. Two callers build it once: the later one waits. A cancelled build leaves
// nothing behind.
func (in *Insight) Facts(ctx context.Context, progress func(done, total int)) (*facts.Index, error) {
	l, err := in.ledgers(ctx, progress)
	if err != nil {
		return nil, err
	}
	return l.Index(), nil
}

// ledgers is what lists from the index that Facts returns.
func (in *Insight) ledgers(ctx context.Context, progress func(done, total int)) (*facts.Lister, error) {
	select {
	case in.indexing <- struct{}{}:
		defer func() { <-in.indexing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if l := in.known(); l != nil {
		return l, nil
	}
	history := in.s.thread.History
	x, err := facts.Build(ctx, len(history), func(i int) (facts.Message, error) {
		if err := ctx.Err(); err != nil {
			return facts.Message{}, err
		}
		if progress != nil {
			progress(i, len(history))
		}
		parts, err := in.s.parts(history[i])
		return facts.Message{Author: facts.AuthorOf(&in.s.thread.Messages[history[i]]), Parts: parts}, err
	})
	if err != nil {
		return nil, err
	}
	lister := x.Lister(in.s.own.Count)
	in.mu.Lock()
	in.lister = lister
	in.mu.Unlock()
	return lister, nil
}

// KnownFacts is the index if it has been built; else nil.
func (in *Insight) KnownFacts() *facts.Index {
	if l := in.known(); l != nil {
		return l.Index()
	}
	return nil
}

func (in *Insight) known() *facts.Lister {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.lister
}

// ForgetFacts drops the index, whose memory grows with the history.
func (in *Insight) ForgetFacts() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.lister = nil
	in.memory.Forget()
}

// ForgetTexts drops what replays found out on the way to their texts; the index stays.
func (in *Insight) ForgetTexts() {
	in.memory.Forget()
	if l := in.known(); l != nil {
		l.Forget()
	}
}

// Survive compares the facts of what a plan takes with what is there after it.
// text is that of the summary; without one, the result is a lower bound, for a
// summary that is still to be made can only add to that. The index must
// have been built: nil otherwise.
func (in *Insight) Survive(pl *compaction.Plan, text string) *facts.Survival {
	x := in.KnownFacts()
	if x == nil {
		return nil
	}
	return x.Survive(in.factChange(pl, text))
}

// Tally notes in a draft what survives of the facts, for its record, and drops the index:
// of many drafts that wait to be applied together not each keeps one.
func (in *Insight) Tally(ctx context.Context, d *Draft) error {
	if _, err := in.Facts(ctx, nil); err != nil {
		return err
	}
	d.tallies = Tallies(in.Survive(d.Plan, d.Text.Text))
	in.ForgetFacts()
	return nil
}

// factChange is a plan as far as facts are concerned; text is its summary, "" where it
// is still to be made. A plan that does not apply takes nothing.
func (in *Insight) factChange(pl *compaction.Plan, text string) facts.Change {
	if pl.Outcome != compaction.WouldApply {
		return facts.Change{At: pl.Line.At()}
	}
	c := changeOf(pl.Line.At(), replay.Leaves(pl), in.s.Overlay().texts)
	if text != "" {
		c.Remaining = append(c.Remaining, text)
	}
	return c
}

// changeOf is a compaction as far as facts are concerned. Entries that the history does not
// hold are in it with their texts: summaries, and copies that the source's own compactions made.
func changeOf(at int, left *replay.Context, texts func(model.Item) []string) facts.Change {
	c := facts.Change{At: at, Removed: merge(left.Gone, left.Cleared), Kept: left.Kept}
	for _, it := range left.Merged {
		c.Away = append(c.Away, texts(it)...)
	}
	for _, it := range left.Stands {
		c.Remaining = append(c.Remaining, texts(it)...)
	}
	return c
}

// Needed is what the agent of a replayed history needed after the firings.
type Needed struct {
	facts.Needs
	// Lower says that the replay had no texts of summaries, so that facts
	// in them count as missed: Met is a lower bound then.
	Lower bool
}

// NeededLater returns what the agent needed after the firings of a replay that was
// asked for what they leave, and whether it was still there. The index must have
// been built: nil otherwise.
func (in *Insight) NeededLater(tl *replay.Timeline) *Needed {
	x := in.KnownFacts()
	if x == nil {
		return nil
	}
	changes, lower := changesOf(tl.Firings)
	return &Needed{x.NeededLater(changes), lower}
}

// changesOf is firings as far as facts are concerned. lower is set when the text
// of a summary is not known.
func changesOf(firings []replay.Firing) (changes []facts.Change, lower bool) {
	made := map[string]string{}
	texts := func(it model.Item) []string { return []string{made[it.Record]} }
	for i := range firings {
		f := &firings[i]
		if f.Record != "" {
			made[f.Record] = f.Text
			lower = lower || f.Text == ""
		}
		if f.Context != nil {
			changes = append(changes, changeOf(f.At, f.Context, texts))
		}
	}
	return changes, lower
}

// merge joins two lists of disjoint ranges into an ascending one.
func merge(a, b []model.Range) []model.Range {
	return slices.SortedFunc(slices.Values(slices.Concat(a, b)), func(x, y model.Range) int { return x.From - y.From })
}

// RecallAsks is how many needs there must be before hindsight recall is
// significant for settings.
const RecallAsks = 20

// Live replays the history under a policy, and returns what the agent needed
// after each firing. texts asks for the real texts of summaries, made offline (see
// [Insight.Summarise]); without, a summary holds nothing. It builds the index if
// need be.
func (in *Insight) Live(ctx context.Context, p model.Policy, texts bool) (*replay.Timeline, *Needed, error) {
	if _, err := in.Facts(ctx, nil); err != nil {
		return nil, nil, err
	}
	o := replay.Options{Context: true}
	if texts {
		o.Summarise = in.Summarise
	}
	tl, err := replay.Run(ctx, in.s.History(), p, o)
	if err != nil {
		return nil, nil, err
	}
	return tl, in.NeededLater(tl), nil
}
