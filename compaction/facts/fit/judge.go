package main

import (
	"context"
	"fmt"
	"strings"

	"palimpsest/compaction/facts"
)

// judgeSessions prints what the weights in use come to on the sessions of a folder
// or file that are long enough for the measure.
func judgeSessions(ctx context.Context, data string) error {
	sessions, err := load(ctx, data, facts.Standard, long)
	if err != nil {
		return err
	}
	crude, err := load(ctx, data, facts.Crude, long)
	if err != nil {
		return err
	}
	if len(sessions) == 0 {
		return fmt.Errorf("no session of %d tokens or more under %s", leastTokens, data)
	}
	fmt.Print(judgement(sessions, crude))
	return nil
}

// judgement is a table for each budget: every session, and the mean of those with
// needs enough.
func judgement(sessions, crude []*session) string {
	var b strings.Builder
	for _, budget := range budgets {
		fmt.Fprintf(&b, "**%d tokens**\n\n| session | tokens | firings | needs | tail alone | pilot's score | ledger in use | "+
			"oracle | needs by crude patterns | ledger in use by these |\n"+
			"|---|---|---|---|---|---|---|---|---|---|\n", budget)
		var mean [5]spread
		for i, s := range sessions {
			tail, mixed, inUse := s.recall(budget, nothing), s.recall(budget, s.ledger(budget, facts.ByWeight)),
				s.recall(budget, s.ledger(budget, facts.Likely))
			best, rough := s.oracle(budget), crude[i].recall(budget, crude[i].ledger(budget, facts.Likely))
			fmt.Fprintf(&b, "| %s | %d | %d | %d | %.3f | %.3f | %.3f | %.3f | %d | %.3f |\n", s.name, s.total,
				len(s.replay(measured, budget, nothing)), tail.Needs,
				tail.Share(), mixed.Share(), inUse.Share(), best.Share(), rough.Needs, rough.Share())
			for k, r := range []facts.Recall{tail, mixed, inUse, best, rough} {
				if r.Needs >= leastNeeds {
					mean[k].add(r.Share())
				}
			}
		}
		fmt.Fprintf(&b, "| **mean ± deviation, of %d with %d needs or more** | | | | %v | %v | %v | %v | | %v |\n\n", mean[2].n,
			leastNeeds, mean[0], mean[1], mean[2], mean[3], mean[4])
	}
	return b.String()
}
