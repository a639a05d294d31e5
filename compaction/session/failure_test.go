package session

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// A summariser that fails changes nothing but the record, unless the policy
// says what to do instead; then that is done and said (rule 6).
func TestFailingSummariser(t *testing.T) {
	boom := errors.New("the summariser is on fire")
	for _, c := range []struct {
		name    string
		on      model.OnFailure
		window  int
		outcome model.Outcome
		reason  string
	}{
		{"keep", model.KeepEverything, 0, model.Failed, "on fire"},
		{"extract", model.ExtractInstead, 0, model.Applied, "extracted, because"},
		{"truncate below the limit", model.TruncateAtHard, 1 << 20, model.Failed, "on fire"},
		{"truncate above the limit", model.TruncateAtHard, 1000, model.Applied, "truncated at the hard limit, because"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := smallSession(t)
			s.file.opt.Summarise = func(ctx context.Context, r summarize.Request) (summarize.Result, error) {
				if r.Strategy == model.Extract {
					return summarize.Make(ctx, r)
				}
				return summarize.Result{}, boom
			}
			p := s.Policy()
			p.Strategy, p.OnFailure, p.Window = model.StructuredJSON, c.on, c.window
			p.Tail = model.Amount{N: 4, Unit: model.Messages}
			rec, err := s.Records.Compact(context.Background(), p, compaction.Options{Manual: true}, nil)
			if rec == nil || rec.Outcome != c.outcome || !strings.Contains(rec.Reason, c.reason) {
				t.Fatalf("%+v, %v", rec, err)
			}
			if failed := c.outcome == model.Failed; failed != errors.Is(err, boom) || failed != (len(s.Stack()) == 0) {
				t.Errorf("error %v, %d records stand", err, len(s.Stack()))
			}
			if c.outcome == model.Failed {
				var out bytes.Buffer
				if _, err := s.Overlay().Export(&out); err != nil || out.Len() != int(s.File().Doc.Size) {
					t.Errorf("a failed compaction changed the history: %v", err)
				}
			}
		})
	}
}

// Where the summary fails a list longer than MAX_HISTORY_SIZE is cut to it, and no shorter one.
func TestALongListIsCutWhenTheSummaryFails(t *testing.T) {
	for most, want := range map[int]int{0: 0, 6: 6, 1000: 0} {
		s := smallSession(t)
		s.file.opt.Summarise = func(context.Context, summarize.Request) (summarize.Result, error) {
			return summarize.Result{}, errors.New("the summariser is on fire")
		}
		p := s.Policy()
		p.Strategy, p.OnFailure, p.Window, p.MaxMessages = model.StructuredJSON, model.TruncateAtHard, 1<<20, most
		p.Tail = model.Amount{N: 2, Unit: model.Messages}
		rec, _ := s.Records.Compact(t.Context(), p, compaction.Options{Manual: true}, nil)
		if rec == nil || (rec.Outcome == model.Applied) != (want > 0) {
			t.Fatalf("at most %d: %+v", most, rec)
		}
		if n := len(s.Overlay().Items()); want > 0 && n > want {
			t.Errorf("at most %d: %d messages are left", most, n)
		}
	}
}
