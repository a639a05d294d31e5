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

// Needs looks for what the agent needed after firings, which carry their context
// and texts: those of a replay with real texts. Without texts, summaries hold
// nothing.
func (s *Session) Needs(ctx context.Context, firings []replay.Firing) (facts.Needs, error) {
	x, err := s.Facts(ctx, nil)
	if err != nil {
		return facts.Needs{}, err
	}
	changes, _ := changesOf(firings)
	return x.NeededLater(changes), nil
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
	x, err := s.Facts(ctx, nil)
	if err != nil {
		return nil, err
	}
	changes, _ := changesOf(firings)
	count := s.CountText
	if p.Budget.Unit == model.Chars {
		count = utf8.RuneCountInString
	}
	return &Recall{x.NeededLater(changes), x.Oracle(changes, p.Budget.N, count)}, nil
}
