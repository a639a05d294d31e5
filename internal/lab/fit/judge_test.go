package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/internal/realdata"
)

// One file can be judged by itself; the best list meets no less than the ledger,
// the ledger no less than the tail.
func TestOneFileIsJudged(t *testing.T) {
	path := filepath.Join(realdata.Transcripts(t), "copilot_cli", "agentv_copilot_d88be7.jsonl")
	sessions, err := load(context.Background(), path, facts.Standard, long)
	if err != nil || len(sessions) != 1 || sessions[0].name != filepath.Base(path) {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	text, err := judgement(sessions)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(text, "| "+filepath.Base(path)+" |") != len(budgets) || !strings.Contains(text, "of 1 with 20 needs or more") {
		t.Error(text)
	}
	s := sessions[0]
	for _, budget := range budgets {
		tail, ledger, best := s.recall(budget, nothing), s.recall(budget, s.ledger(budget, facts.Likely)), s.oracle(budget)
		if tail.Needs < leastNeeds || ledger.Met < tail.Met || best.Met < ledger.Met {
			t.Errorf("%d tokens: tail %+v, ledger %+v, oracle %+v", budget, tail, ledger, best)
		}
	}
}
