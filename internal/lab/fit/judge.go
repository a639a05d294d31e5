package main

import (
	"fmt"
	"strings"

	"palimpsest/compaction/facts"
)

// judgement is a table of hindsight recall: the mean over sessions with needs enough, and how
// many needs of all sessions together are met.
func judgement(sessions []*session) string {
	var b strings.Builder
	b.WriteString("| tokens | sessions | tail alone | ledger | oracle | needs met by tail, ledger, oracle |\n|---|---|---|---|---|---|\n")
	for _, budget := range budgets {
		var mean [3]spread
		var all [3]facts.Recall
		for _, s := range sessions {
			of := [3]facts.Recall{s.recall(budget, nothing), s.recall(budget, s.ledger(budget)), s.oracle(budget)}
			for k, r := range of {
				all[k].Needs, all[k].Met = all[k].Needs+r.Needs, all[k].Met+r.Met
				if r.Needs >= leastNeeds {
					mean[k].add(r.Share())
				}
			}
		}
		fmt.Fprintf(&b, "| %d | %d | %v | %v | %v | %d, %d, %d of %d |\n", budget, mean[0].n, mean[0], mean[1], mean[2],
			all[0].Met, all[1].Met, all[2].Met, all[0].Needs)
	}
	return b.String()
}
