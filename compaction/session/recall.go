package session

import (
	"context"
	"unicode/utf8"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/model"
)

// Needs looks for what the agent needed after firings, which carry their context
// and texts: those of a replay with real texts. Without texts, summaries hold
// nothing. It builds the index if need be.
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
