package session

import (
	"context"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// StandIn is the strategy whose words stand for a model's where many summaries
// are made and none is asked for, as in replays and sweeps; "" for a strategy that
// makes its own.
func StandIn(st model.Strategy) model.Strategy {
	if st.Asks() {
		return model.Extract
	}
	return ""
}

// standIn makes what takes the place of a model's answer to a plan: extract's
// words within the budget that the model's would have, and behind them the ledger
// where the strategy has one.
func (s *Session) standIn(pl *compaction.Plan, former func(record string) string) func(context.Context, summarize.Request) (summarize.Result, error) {
	return func(ctx context.Context, q summarize.Request) (summarize.Result, error) {
		asked := q.Strategy
		q.Strategy, q.Budget = StandIn(asked), summarize.WordsBudget(asked, q.Budget)
		r, err := summarize.Make(ctx, q)
		if err != nil || asked != model.ModelLedger {
			return r, err
		}
		f, err := s.ledgerFacts(ctx, pl, former)
		if err != nil {
			return r, err
		}
		r.Text, err = summarize.AppendLedger(r.Text, f, pl.Budget, r.Lang, q.Count)
		return r, err
	}
}
