package session

import (
	"context"

	"palimpsest/compaction"
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
