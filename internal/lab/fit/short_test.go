package main

import (
	"context"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/internal/realdata"
)

// On sessions that had no part in the fit, of other producers and languages, the
// weights in use meet more than the pilot's score, and no list meets more than the
// oracle.
func TestTheWeightsHoldOnShortSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of reading whole sessions")
	}
	sessions, err := load(context.Background(), realdata.Transcripts(t), facts.Standard, brief)
	if err != nil {
		t.Fatal(err)
	}
	makers := map[string]bool{}
	var mixed, used spread
	for _, s := range sessions {
		j := judge(s)
		if j.tail.Needs < shortNeeds {
			continue
		}
		makers[s.maker] = true
		mixed.add(j.mixed.Share())
		used.add(j.inUse.Share())
		if j.oracle.Share() < j.inUse.Share()-0.05 {
			t.Errorf("%s: the oracle meets %.3f, a ledger %.3f", s.name, j.oracle.Share(), j.inUse.Share())
		}
	}
	if len(makers) < 5 || used.mean() < mixed.mean() {
		t.Errorf("%d producers; fitted %v, pilot's score %v", len(makers), used, mixed)
	}
}
