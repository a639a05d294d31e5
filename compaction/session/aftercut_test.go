package session_test

import (
	"context"
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/internal/realdata"
	"palimpsest/model/transcript"
)

// On real sessions, what is reported of a compaction is between it and the next one,
// and what was done again had been done before.
func TestAfterTheCutsOfRealSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("one compaction after the other")
	}
	told, again := 0, 0
	for _, path := range realdata.Files(t, "claude_code", "codex_rollout", "pi") {
		f, err := session.Open(context.Background(), path, session.Options{}, transcript.Options{})
		if err != nil {
			continue // damaged ones have tests of their own
		}
		s, err := f.Session(context.Background(), session.Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		cuts, err := s.Insight.AfterCuts(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cuts {
			found := s.Thread().Found[c.Found]
			if found.Clearing || c.After.At != found.At || c.Before.To != c.After.At || c.Before.Messages > c.After.Messages || c.After.At+c.After.Messages != c.After.To {
				t.Errorf("%s: %+v of the compaction before %d", path, c, found.At)
			}
			for _, g := range append(c.After.Reread, c.After.Rerun...) {
				if g.Before >= found.At || g.After < found.At || g.After >= c.After.To || g.Times < 1 {
					t.Errorf("%s: %+v after the compaction before %d", path, g, found.At)
				}
				again++
			}
			if len(c.After.Reread) > c.After.Read || len(c.After.Rerun) > c.After.Run {
				t.Errorf("%s: more again than at all: %+v", path, c.After)
			}
			told++
		}
		f.Close()
	}
	if told < 6 || again < 20 {
		t.Errorf("%d compactions with %d things done again: the data holds more", told, again)
	}
}
