package session

import (
	"context"
	"unicode/utf8"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// Facts is the index of the facts of the whole history. It is made when it is
// first asked for, which takes a moment for a large one.
func (s *Session) Facts(ctx context.Context) (*facts.Index, error) {
	s.indexing.Lock()
	defer s.indexing.Unlock()
	if s.index != nil {
		return s.index, nil
	}
	x, err := facts.Build(ctx, facts.Standard, len(s.thread.History), func(i int) (facts.Message, error) {
		m := &s.thread.Messages[s.thread.History[i]]
		parts, err := s.file.Doc.Parts(m)
		return facts.Message{Author: facts.AuthorOf(m), Parts: parts}, err
	})
	if err != nil {
		return nil, err
	}
	s.index = x
	return x, nil
}

// ledgerFacts is what a ledger in place of what a plan takes is made of: all
// that was ever taken away, not only by this plan.
func (s *Session) ledgerFacts(ctx context.Context, pl *compaction.Plan, former func(record string) string) (*summarize.Facts, error) {
	x, err := s.Facts(ctx)
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

// Needs looks for what the agent needed after firings, which carry their context
// and texts: those of a replay with real texts. Without texts, summaries hold
// nothing.
func (s *Session) Needs(ctx context.Context, firings []replay.Firing) (facts.Needs, error) {
	x, err := s.Facts(ctx)
	if err != nil {
		return facts.Needs{}, err
	}
	return x.NeededLater(changesOf(firings)), nil
}

// Recall is what the agent needed after the firings of a replay, and the best
// that any list of facts within the summary budget could have met.
type Recall struct {
	facts.Needs
	Oracle facts.Recall
}

// Recall looks for what the agent needed after firings, see [Session.Needs], and
// beside it for what could be met.
func (s *Session) Recall(ctx context.Context, p model.Policy, firings []replay.Firing) (*Recall, error) {
	x, err := s.Facts(ctx)
	if err != nil {
		return nil, err
	}
	changes := changesOf(firings)
	count := s.CountText
	if p.Budget.Unit == model.Chars {
		count = utf8.RuneCountInString
	}
	return &Recall{x.NeededLater(changes), x.Oracle(changes, p.Budget.N, count)}, nil
}

func changesOf(firings []replay.Firing) []facts.Change {
	texts := map[string]string{}
	for i := range firings {
		texts[firings[i].Record] = firings[i].Text
	}
	named := func(records []string) []string {
		var out []string
		for _, r := range records {
			if t := texts[r]; t != "" {
				out = append(out, t)
			}
		}
		return out
	}
	out := make([]facts.Change, 0, len(firings))
	for i := range firings {
		f := &firings[i]
		if f.Context == nil {
			continue
		}
		out = append(out, facts.Change{At: f.At, Removed: append(f.Context.Gone[:len(f.Context.Gone):len(f.Context.Gone)], f.Context.Cleared...),
			Away: named(f.Context.Merged), Kept: f.Context.Kept, Stands: named(f.Context.Stands)})
	}
	return out
}
