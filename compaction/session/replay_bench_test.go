package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/internal/bench/cputime"
	"palimpsest/internal/bench/floor"
	"palimpsest/internal/bench/workload"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// talk is a chat of n messages after a system prompt, each of about 200
// characters of the workload's texts.
func talk(b *testing.B, n int) *Session {
	b.Helper()
	texts, _ := workload.Texts()
	if len(texts) == 0 {
		b.Skip("there are no texts")
	}
	var out bytes.Buffer
	out.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."}`)
	for i := range n {
		role, text := "user", []rune(texts[i%len(texts)])
		if i%10 != 0 {
			role = "assistant"
		}
		content, _ := json.Marshal(string(text[:min(len(text), 200)]))
		fmt.Fprintf(&out, `,{"role":%q,"content":%s}`, role, content)
	}
	out.WriteString("]}")
	d, err := transcript.Read(b.Context(), "talk.json", bytes.NewReader(out.Bytes()), int64(out.Len()), transcript.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(b.Context(), Ref{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkReplayTexts is a replay with the real offline texts of all firings. A
// history of twice the length has twice the firings and should cost twice as much.
func BenchmarkReplayTexts(b *testing.B) {
	for _, n := range []int{25_000, 50_000, 100_000} {
		s := talk(b, n)
		for _, id := range []string{"balanced", "message-count", "sliding-fixed"} {
			preset, _ := compaction.PresetByID(id)
			p := s.adopt(preset.Policy)
			p.Window = 200_000
			b.Run(fmt.Sprintf("messages=%d/%s", n, id), func(b *testing.B) {
				firings := 0
				defer cputime.Report(b)()
				for b.Loop() {
					tl, err := s.Insight.Replay(b.Context(), p, true)
					if err != nil || tl.Totals.Summaries == 0 {
						b.Fatal(err)
					}
					firings = tl.Totals.Firings
				}
				b.ReportMetric(float64(firings), "firings")
			})
		}
	}
}

// BenchmarkSweepTexts is a sweep over one agent session: 60 cells with the real offline text
// of every firing, judged by the facts that they keep; on two cores and on one, where
// nothing but the index of facts is known before; and in the window (shown), which has
// replayed the present settings by then.
func BenchmarkSweepTexts(b *testing.B) {
	path, err := workload.File(workload.ClaudeCode, 8e6)
	if err != nil {
		b.Fatal(err)
	}
	f := openFile(b, path, Options{})
	defer f.Close()
	s, err := f.Session(b.Context(), Ref{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.Insight.Facts(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	p := s.adopt(compaction.Default())
	p.Window = 200_000
	axes := replay.Axes{
		{Param: replay.AxisTrigger, Unit: model.Percent, Values: []float64{30, 40, 50, 55, 60, 65, 70, 75, 80, 90}},
		{Param: replay.AxisTail, Unit: model.Tokens, Values: []float64{4000, 8000, 16000, 24000, 32000, 40000}},
	}
	bench := func(name string, workers int, shown bool) {
		b.Run(name, func(b *testing.B) {
			defer cputime.Report(b)()
			firings := 0
			var first time.Duration // until there is a cell to draw, of all rounds
			for b.Loop() {
				b.StopTimer()
				forgetSweep(s)
				if shown {
					if _, err := s.Insight.Replay(b.Context(), p, true); err != nil {
						b.Fatal(err)
					}
				}
				b.StartTimer()
				began, drawn := time.Now(), sync.Once{}
				g, err := replay.Sweep(b.Context(), []replay.Subject{s.Insight.Subject(p, true)}, axes, replay.SweepOptions{Workers: workers,
					Progress: func(int, int) { drawn.Do(func() { first += time.Since(began) }) },
					Judge: func(ctx context.Context, _ int, firings []replay.Firing) (replay.Judged, error) {
						return s.Insight.Judge(ctx, firings)
					}})
				if err != nil || !g.Complete {
					b.Fatal(err)
				}
				firings = 0
				for _, c := range g.Cells {
					firings += c.Results[0].Firings
				}
			}
			b.ReportMetric(float64(len(s.thread.History)), "messages")
			b.ReportMetric(float64(firings), "firings")
			b.ReportMetric(float64(first.Nanoseconds())/float64(b.N), "first-ns")
		})
	}
	bench("workers=1", 1, false)
	bench("workers=2", 2, false)
	bench("shown", 2, true)
	b.Run("floor", func(b *testing.B) { benchTextsFloor(b, s, p, axes) })
}

// forgetSweep drops what sweeps before have left for the next, but for the index of facts.
func forgetSweep(s *Session) {
	s.Insight.ForgetTexts()
	s.Insight.lister = s.Insight.listerOf(s.Insight.KnownFacts())
}

// benchTextsFloor is the least that those texts cost: see [floor.Texts]; and at each place
// the chances of what may be listed there.
func benchTextsFloor(b *testing.B, s *Session, p model.Policy, axes replay.Axes) {
	x, texts, places := s.Insight.KnownFacts(), map[string]bool{}, map[int]bool{}
	sub := s.Insight.Subject(p, true)
	sub.Summarise = func(ctx context.Context, pl *compaction.Plan, former func(string) string) (compaction.Text, error) {
		t, err := s.Insight.Summarise(ctx, pl, former)
		texts[t.Text], places[pl.Line.At()] = true, true
		return t, err
	}
	if _, err := replay.Sweep(b.Context(), []replay.Subject{sub}, axes, replay.SweepOptions{Workers: 1}); err != nil {
		b.Fatal(err)
	}
	list := slices.Sorted(maps.Keys(texts))
	found := 0
	defer cputime.Report(b)()
	for b.Loop() {
		floor.Texts(list, s.CountText, func(t string) {
			m := facts.Message{Author: facts.Agent, Parts: []model.Part{{Kind: model.PartText, Text: t}}}
			facts.Standard.Lift(&m, func(facts.Lifted) { found++ })
		})
		for at := range places {
			c := facts.Change{At: at, Removed: []model.Range{{From: 0, To: at}}}
			chance := facts.Likely.Of(x, c)
			x.Taken(c, func(id facts.ID, _ facts.Evidence) {
				if chance(id) > 1 {
					b.Fatal("a chance above 1")
				}
			})
		}
	}
	b.ReportMetric(float64(len(list)), "texts")
	b.ReportMetric(float64(len(places)), "places")
}
