package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
)

// One file can be judged by itself; the best list meets no less than the ledger,
// the ledger no less than the tail.
func TestOneFileIsJudged(t *testing.T) {
	path := filepath.Join(realdata.Transcripts(t), "copilot_cli", "agentv_copilot_d88be7.jsonl")
	sessions, err := load(context.Background(), path, long)
	if err != nil || len(sessions) != 1 || sessions[0].name != filepath.Base(path) {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	if text := judgement(sessions); strings.Count(text, "| 1 |") != len(budgets) {
		t.Error(text)
	}
	s := sessions[0]
	for _, budget := range budgets {
		tail, ledger, best := s.recall(budget, nothing), s.recall(budget, s.ledger(budget)), s.oracle(budget)
		if tail.Needs < leastNeeds || ledger.Met < tail.Met || best.Met < ledger.Met {
			t.Errorf("%d tokens: tail %+v, ledger %+v, oracle %+v", budget, tail, ledger, best)
		}
	}
}
