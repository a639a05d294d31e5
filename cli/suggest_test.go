package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/replay"
)

// What is suggested holds when the settings are replayed by the other verb.
func TestSuggestAgreesWithReplay(t *testing.T) {
	b := newBench(t)
	sample := filepath.Join("..", "assets", "samples", "long-coding-run.jsonl")
	b.run("suggest", sample).ends(exitDone).says("now", "safer", "cost")
	var a replay.Advice
	if err := json.Unmarshal([]byte(b.run("suggest", sample, "--json").ends(exitDone).out), &a); err != nil {
		t.Fatal(err)
	}
	if len(a.Suggestions) == 0 || a.Now.Firings == 0 {
		t.Fatalf("%+v", a)
	}
	for _, s := range a.Suggestions {
		p := s.Policy[0]
		tail, budget := p.TailInForce(), p.BudgetInForce()
		var r struct {
			Totals replay.Totals
			Recall struct{ Needs, Met int }
		}
		out := b.run("replay", sample, "--json", "--recall", "--trigger", fmt.Sprintf("%g%%", 100*p.Triggers[0].Share),
			"--tail", fmt.Sprintf("%d%s", tail.N, tail.Unit), "--summary-budget", fmt.Sprintf("%d%s", budget.N, budget.Unit)).ends(exitDone).out
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		if got := s.Results[0]; r.Totals != got.Totals || r.Recall.Needs != got.Needs || r.Recall.Met != got.Met {
			t.Errorf("%s: %+v %+v, replayed %+v %+v", s.Aim, got.Totals, got.Judged, r.Totals, r.Recall)
		}
	}
	b.run("suggest", filepath.Join("..", "assets", "samples", "mixed-languages.json")).ends(exitDone)
}

// Of several sessions it is said on how many the shares of needs rest.
func TestSuggestOfSeveralSessionsSaysHowManyAreJudged(t *testing.T) {
	b := newBench(t)
	long, short := filepath.Join("..", "assets", "samples", "long-coding-run.jsonl"), filepath.Join("..", "assets", "samples", "mixed-languages.json")
	b.run("suggest", long, short).ends(exitDone).says("sessions", "1 of 2", "sessions: those that needed later and worst are of")
	if out := b.run("suggest", long).ends(exitDone).out; strings.Contains(out, "1 of 1") || strings.Contains(out, "worst") {
		t.Errorf("one session is counted: %s", out)
	}
}
