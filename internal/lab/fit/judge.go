package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/internal/realdata"
)

// judgeSessions prints what the ledger comes to on the sessions of a folder or file
// that are long enough for the measure, by the forest that their project had no part
// in.
func judgeSessions(ctx context.Context, data string) error {
	sessions, err := load(ctx, data, facts.Standard, long)
	if err != nil {
		return err
	}
	if len(sessions) == 0 {
		return fmt.Errorf("no session of %d tokens or more under %s", leastTokens, data)
	}
	table, err := judgement(sessions)
	fmt.Print(table)
	return err
}

// unseenBy is the score of the forest that a project had no part in; of a project that
// none is about, that in use.
func unseenBy(folder, project string) (facts.Score, error) {
	text, err := os.ReadFile(filepath.Join(folder, realdata.FoldOf(project)+".txt"))
	if os.IsNotExist(err) {
		return facts.Likely, nil
	}
	if err != nil {
		return facts.Score{}, err
	}
	f, err := facts.ParseForest(string(text))
	if err != nil {
		return facts.Score{}, err
	}
	return f.Score(), nil
}

// judgement is a table for each budget: every session, and the mean of those with
// needs enough.
func judgement(sessions []*session) (string, error) {
	var b strings.Builder
	for _, budget := range budgets {
		fmt.Fprintf(&b, "**%d tokens**\n\n| session | tokens | firings | needs | tail alone | pilot's score | ledger | oracle |\n"+
			"|---|---|---|---|---|---|---|---|\n", budget)
		var mean [4]spread
		for _, s := range sessions {
			score, err := unseenBy(unseenFolder, realdata.ProjectOf(s.name))
			if err != nil {
				return "", err
			}
			tail, mixed, ledger := s.recall(budget, nothing), s.recall(budget, s.ledger(budget, facts.ByWeight)),
				s.recall(budget, s.ledger(budget, score))
			best := s.oracle(budget)
			fmt.Fprintf(&b, "| %s | %d | %d | %d | %.3f | %.3f | %.3f | %.3f |\n", s.name, s.total,
				len(s.replay(measured, budget, nothing)), tail.Needs, tail.Share(), mixed.Share(), ledger.Share(), best.Share())
			for k, r := range []facts.Recall{tail, mixed, ledger, best} {
				if r.Needs >= leastNeeds {
					mean[k].add(r.Share())
				}
			}
		}
		fmt.Fprintf(&b, "| **mean ± deviation, of %d with %d needs or more** | | | | %v | %v | %v | %v |\n\n", mean[2].n,
			leastNeeds, mean[0], mean[1], mean[2], mean[3])
	}
	return b.String(), nil
}
