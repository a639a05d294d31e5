package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/auto"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// tableSteps are n steps whose words have more tokens in a table than in a record.
func tableSteps(n, words int) []byte {
	var b bytes.Buffer
	for i := 1; i <= n; i++ {
		line, _ := json.Marshal(map[string]any{"step": i,
			"analysis":    fmt.Sprintf("**Task Status:** in progress\n**Progress Assessment:** %d %%", i),
			"execution":   fmt.Sprintf("**Execution Goal:** move %d\n**Execution Result:** %s", i, strings.Repeat("ok ", 1+i%words)),
			"supervision": "**Quality Score:** 8/10\n**Passed:** yes"})
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// No compaction of a whole run gives a context that is larger than the one before it.
func TestNoCompactionOfStepsGrowsTheContext(t *testing.T) {
	firings := 0
	for _, words := range []int{3, 30} {
		data := tableSteps(30, words)
		d, err := transcript.Read(t.Context(), "steps.jsonl", bytes.NewReader(data), int64(len(data)), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := session.NewFile(d, session.Options{}).Session(t.Context(), session.Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, strategy := range []model.Strategy{model.Extract, model.StructuredJSON, model.StructuredTable} {
			for _, size := range [][2]int{{0, 0}, {1, 1}, {3, 3}, {5, 2}, {10, 4}} {
				preset, _ := compaction.PresetByID("sliding-adaptive")
				p := preset.Policy
				p.Strategy, p.LayerBudget.N = strategy, 1500
				if size[0] > 0 {
					model.ParamOf("tail").SetNumber(&p, float64(size[0]), model.Steps)
					model.ParamOf("batch").SetNumber(&p, float64(size[1]), model.Steps)
				}
				tl, err := s.Insight.Replay(t.Context(), p, true)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range tl.Firings {
					firings++
					if f.After.Tokens > f.Before.Tokens {
						t.Errorf("%s, window and batch %v: %d tokens became %d before message %d", strategy, size, f.Before.Tokens, f.After.Tokens, f.At+1)
					}
				}
			}
		}
	}
	if firings < 100 {
		t.Errorf("%d firings", firings)
	}
}

type realTime struct{}

func (realTime) Now() time.Time { return time.Now() }
func (realTime) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}

// autoRun runs automatic compaction over a chat and opens the file that it recorded, with the
// number of messages at its first compaction.
func autoRun(t *testing.T, cfg auto.Config) (*session.Session, int) {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	cfg.Strategy = model.Extract
	a, err := auto.Open(t.Context(), cfg, auto.Options{Agent: "run", Clock: realTime{}, Journal: st})
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	for n := range 60 {
		a.Append(auto.ChatMessage{Role: "user", Content: fmt.Sprintf("Deploy build %d to /srv/app%d, and keep the log.", n, n)})
		if r := a.BeforeCall(t.Context()); r.Err != nil {
			t.Fatal(r.Err)
		} else if r.Compressed && first == 0 {
			first = r.OriginalCount
		}
		a.Append(auto.ChatMessage{Role: "assistant", Content: fmt.Sprintf("Build %d runs.\n%s", n, strings.Repeat("ok 0.1 s\n", 12+n%4))})
	}
	if err := a.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	f, err := session.OpenConversation(t.Context(), st, "run", session.Options{Store: st, Conversations: st})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	s, err := f.Session(t.Context(), session.Ref{}, nil)
	if err != nil || first == 0 {
		t.Fatal(err, first)
	}
	return s, first
}

// A history of automatic compaction is counted as its program counts it: with its own settings
// the replay fires first where the program compacted first.
func TestTheReplayFiresWhereTheProgramDid(t *testing.T) {
	for _, limit := range []int{4000, 5000, 6000} {
		cfg := auto.TokenShareConfig("")
		cfg.Window = limit
		s, first := autoRun(t, cfg)
		tl, err := s.Insight.Replay(t.Context(), s.File().OpensWith(s.Ref()), false)
		if err != nil || len(tl.Firings) == 0 {
			t.Fatal(err)
		}
		if at := s.Found()[0].At; tl.Firings[0].At != first || at != first {
			t.Errorf("of %d tokens: the program compacted at message %d, recorded at %d, the replay at %d", limit, first, at, tl.Firings[0].At)
		}
	}
}

// An export of a history with saved settings has those of the compaction.
func TestAnExportHasTheTunedSettings(t *testing.T) {
	share := auto.TokenShareConfig("")
	share.Window = 5000
	for _, c := range []struct {
		cfg     auto.Config
		percent bool
	}{{share, true}, {auto.MessageCountConfig("gpt-4o"), false}} {
		s, _ := autoRun(t, c.cfg)
		p := s.File().OpensWith(s.Ref())
		set := func(key string, n float64, u model.Unit) { model.ParamOf(key).SetNumber(&p, n, u) }
		set("tail", 6, model.Messages)
		set("batch", 12, model.Messages)
		if set("trigger", 28, model.Messages); c.percent {
			set("trigger", 40, model.Percent)
		}
		if r, err := s.Records.Compact(t.Context(), p, compaction.Options{Manual: true}, nil); err != nil || r.Outcome != model.Applied {
			t.Fatal(err, r.Outcome)
		}
		out := filepath.Join(t.TempDir(), "out.json")
		if _, err := s.Overlay().ExportFile(t.Context(), session.Output{Path: out}); err != nil {
			t.Fatal(err)
		}
		var file struct{ Config auto.Config }
		b, err := os.ReadFile(out)
		if err = errors.Join(err, json.Unmarshal(b, &file)); err != nil {
			t.Fatal(err)
		}
		want := c.cfg
		want.Strategy, want.KeepRecent, want.Batch = model.Extract, 6, 12
		if want.MaxCount = 28; c.percent {
			want.MaxCount, want.Threshold = 0, .4
		}
		if file.Config != want {
			t.Errorf("%+v\nwant\n%+v", file.Config, want)
		}
	}
}
