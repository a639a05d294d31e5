package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/internal/realdata"
)

// On answers that were drawn by a known rule the forest finds the rule: also one that
// no single feature shows.
func TestForestFindsAKnownRule(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	chance := func(s *facts.Steps) float64 {
		if (s[facts.Used] > 40) != (s[facts.Age] > 90) {
			return 0.6
		}
		return 0.05
	}
	one := &extracted{Name: "a", Project: "a"}
	for range 4000 {
		var e example
		e.Weight = 1
		e.Steps[facts.Used], e.Steps[facts.Age], e.Steps[facts.Near] = uint8(rnd.IntN(100)), uint8(rnd.IntN(200)), uint8(rnd.IntN(90))
		if rnd.Float64() < chance(&e.Steps) {
			e.Needed = needed
		}
		one.Examples = append(one.Examples, e)
	}
	f := learn([]*extracted{one}, shownShare)
	off := 0.0
	for range 1000 {
		var s facts.Steps
		s[facts.Used], s[facts.Age], s[facts.Near] = uint8(rnd.IntN(100)), uint8(rnd.IntN(200)), uint8(rnd.IntN(90))
		off += math.Abs(f.Chance(&s)-chance(&s)) / 1000
	}
	if off > 0.12 {
		t.Errorf("off by %.3f in the mean", off)
	}
	if again := learn([]*extracted{one}, shownShare); again.String() != f.String() {
		t.Error("the same examples give another forest")
	}
}

// On the long transcripts the forests hold the bar on projects that they did not see.
func TestUnseenProjectsHoldTheBar(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of reading whole sessions")
	}
	sessions, err := load(context.Background(), realdata.Transcripts(t), facts.Standard, long)
	if err != nil {
		t.Fatal(err)
	}
	bar := map[int]float64{500: 0.75, 1000: 0.84, 2000: 0.90}
	for _, budget := range budgets {
		var all spread
		for _, s := range sessions {
			score, err := unseenBy("unseen", realdata.ProjectOf(s.name))
			if err != nil {
				t.Fatal(err)
			}
			if r := s.recall(budget, s.ledger(budget, score)); r.Needs >= leastNeeds {
				all.add(r.Share())
			}
		}
		t.Logf("%d tokens: %v", budget, all)
		if all.n < 10 || all.mean() < bar[budget] {
			t.Errorf("the bar at %d tokens is %.2f, over %d sessions %.3f", budget, bar[budget], all.n, all.mean())
		}
	}
}

// What a recorded compaction took away is learned from beside its summary and without it.
func TestRecordedCompactionsAreFirings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	line := func(n int, kind, more string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"u%d","parentUuid":%q,"sessionId":"s","timestamp":"2026-03-01T10:0%d:00Z"%s}`+"\n",
			kind, n, fmt.Sprintf("u%d", n-1), n, more)
	}
	text := line(1, "user", `,"message":{"role":"user","content":"Look at src/queue.go."}`) +
		line(2, "assistant", `,"message":{"role":"assistant","model":"claude-sonnet-4-5","id":"m2","content":[{"type":"text","text":"drainQueue is there."}]}`) +
		line(3, "system", `,"subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":167000}`) +
		line(4, "user", `,"isCompactSummary":true,"message":{"role":"user","content":"We mend src/queue.go."}`) +
		line(5, "assistant", `,"message":{"role":"assistant","model":"claude-sonnet-4-5","id":"m5","content":[{"type":"text","text":"src/queue.go and drainQueue."}]}`)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sessions, err := load(context.Background(), path, facts.Standard, band{0, math.MaxInt})
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	for summaries, want := range map[bool][]string{false: {"src/queue.go", "drainQueue"}, true: {"drainQueue"}} {
		firings := sessions[0].asRecorded(summaries)
		if len(firings) != 1 {
			t.Fatalf("%d firings", len(firings))
		}
		var got []string
		sessions[0].outcomes(firings, func(id facts.ID, _ *facts.Evidence, o Outcome, _ int) {
			if o == needed {
				got = append(got, sessions[0].index.Fact(id).Text)
			}
		})
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("with the summary: %v: %q is needed, not %q", summaries, got, want)
		}
	}
}
