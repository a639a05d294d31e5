package session

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// reporting is a session whose provider reports what each call took in: a fixed
// part of 1,000 tokens and twice what is counted.
func reporting(t *testing.T) *Session {
	t.Helper()
	plain := smallSession(t)
	var b bytes.Buffer
	sum, text := 0, strings.Repeat("package main // text\n", 60)
	line := func(kind, role, content string, usage int) {
		u := ""
		if usage > 0 {
			u = fmt.Sprintf(`,"id":"m%d","usage":{"input_tokens":%d,"output_tokens":1}`, b.Len(), usage)
		}
		fmt.Fprintf(&b, `{"type":%q,"uuid":"u%d","sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":%q%s,"content":%q}}`+"\n", kind, b.Len(), role, u, content)
		sum += plain.counter.Count(content)
	}
	for i := range 30 {
		line("user", "user", fmt.Sprintf("Look at file %d. %s", i, text), 0)
		line("assistant", "assistant", fmt.Sprintf("File %d repeats a package clause.", i), 1000+2*sum)
	}
	d, err := transcript.Read(context.Background(), "s.jsonl", bytes.NewReader(b.Bytes()), int64(b.Len()), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(context.Background(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// With nothing compacted a replay sends what the file reports, up to rounding:
// the fitted factor and fixed part are in it.
func TestReplayLiesOnTheFilesOwnFigures(t *testing.T) {
	s := reporting(t)
	if s.Calibration().Calls == 0 {
		t.Fatal("nothing was fitted to the figures of the file")
	}
	p := s.Policy()
	p.Triggers = nil
	tl, err := s.Insight.Replay(context.Background(), p, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range tl.Calls {
		if off := float64(c.Tokens-c.Recorded) / float64(c.Recorded); c.Recorded == 0 || off > 0.02 || off < -0.02 {
			t.Errorf("call %d: %d, the file reports %d", i, c.Tokens, c.Recorded)
		}
	}
}

// A replay with real texts is what a session does that checks the same policy
// before every call and applies what fires.
func TestReplayIsWhatASessionWouldDo(t *testing.T) {
	ctx := context.Background()
	for _, former := range []model.Former{model.MergeFormer, model.LayerFormer} {
		s := smallSession(t)
		p := s.Policy()
		p.Triggers = []model.Clause{{At: model.Amount{N: 14, Unit: model.Messages}}}
		p.Tail = model.Amount{N: 5, Unit: model.Messages}
		p.Budget, p.LayerBudget = model.Amount{N: 300, Unit: model.Tokens}, model.Amount{N: 700, Unit: model.Chars}
		p.Former, p.BackOff = former, 3
		tl, err := s.Insight.Replay(ctx, p, true)
		if err != nil {
			t.Fatal(err)
		}
		if tl.Totals.Firings < 2 {
			t.Fatalf("%+v", tl.Totals)
		}
		var back compaction.BackOff
		next := 0
		for i, c := range tl.Calls {
			at := int(c.At)
			s.SetAt(at)
			d, err := s.Draft(ctx, p, compaction.Options{Wait: back.Left(at)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			fired := d.Plan.Outcome == compaction.WouldApply
			if fires := d.Plan.Why.Code != "not-triggered"; fires && back.Left(at) == 0 {
				back = back.After(d.Draft, nil, at, p.BackOff)
			}
			if fired != (c.State == replay.Fired) {
				t.Fatalf("%s, call %d: the session %v, the replay %v", former, i, d.Plan.Why, tl.Why(i))
			}
			if fired {
				if _, err := s.Records.Apply(ctx, d); err != nil {
					t.Fatal(err)
				}
				f := tl.Firings[next]
				if next++; f.Text != d.Text.Text || f.After != d.Plan.After || f.Removed != d.Plan.Removed {
					t.Errorf("%s, call %d: %+v\nthe session's draft is %q %+v", former, i, f, d.Text.Text, d.Plan.After)
				}
			}
			if got := s.Plan(p, compaction.Options{}).Before.Tokens; got != c.Tokens {
				t.Errorf("%s, call %d sends %d, in the session %d", former, i, c.Tokens, got)
			}
		}
	}
}

// A file that begins with the summary of what is not in it ends in a replay that never
// fires as its live context does; where the messages are in the file, too, the replay has
// them and not the summary.
func TestReplayHasTheSummaryOfAnotherFile(t *testing.T) {
	s := openSession(t, longTalk(t, 60), Options{})
	p := s.Policy()
	p.Tail, p.Budget = model.Amount{N: 10, Unit: model.Messages}, model.Amount{N: 500, Unit: model.Tokens}
	end := func(s *Session) (replayed, live int64) {
		t.Helper()
		p := s.Policy()
		p.Window, p.Triggers = 1<<30, nil
		tl, err := s.Insight.Replay(t.Context(), p, false)
		if err != nil || tl.Totals.Firings > 0 {
			t.Fatal(tl.Totals.Firings, err)
		}
		for _, it := range s.Items() {
			live += int64(s.Tokens(it.Msg))
		}
		return tl.Totals.After.Tokens, live + s.Calibration().Beyond(s.At(), p.Fixed)
	}
	for range 2 {
		if rec, err := s.Records.Compact(t.Context(), p, compaction.Options{Manual: true}, nil); err != nil || rec.Outcome != model.Applied {
			t.Fatal(rec.Reason, err)
		}
		out := filepath.Join(t.TempDir(), "out.json")
		if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: out}); err != nil {
			t.Fatal(err)
		}
		s = openSession(t, out, Options{})
		if replayed, live := end(s); replayed != live || carried(s.CountedThread) == 0 {
			t.Errorf("the replay ends with %d tokens, the context has %d; %d of them are carried", replayed, live, carried(s.CountedThread))
		}
		p.Tail.N = 4
	}
	whole := openSession(t, filepath.Join("..", "..", "assets", "samples", "long-coding-run.jsonl"), Options{})
	if len(whole.Found()) == 0 || carried(whole.CountedThread) != 0 {
		t.Errorf("%d compactions in the sample, %d tokens carried", len(whole.Found()), carried(whole.CountedThread))
	}
}

// Real texts on real histories: what a firing says is what its text weighs, within the
// budget, and never more than it replaces.
func TestReplayWithTextsOnRealHistories(t *testing.T) {
	ctx := context.Background()
	fired := 0
	for _, path := range realdata.Sources(t) {
		f, err := Open(ctx, path, Options{}, transcript.Options{})
		if err != nil {
			continue // what can't be read is tested elsewhere
		}
		s, err := f.Session(ctx, Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := s.Policy()
		p.Window, p.Fixed = int(s.History().Before(s.History().Len()))/3+10, 0
		p.Tail, p.Budget = model.Amount{N: p.Window / 4, Unit: model.Tokens}, model.Amount{N: max(60, p.Window/20), Unit: model.Tokens}
		tl, err := s.Insight.Replay(ctx, p, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range tl.Firings {
			fired++
			if x.Text == "" || x.Summary != s.CountText(x.Text) || int64(x.Summary) >= x.Removed.Tokens || x.After.Tokens >= x.Before.Tokens {
				t.Errorf("%s: %+v", path, x)
			}
		}
		f.Close()
	}
	if fired == 0 {
		t.Error("no replay fired: the test proves nothing")
	}
}

func TestCompare(t *testing.T) {
	ctx := context.Background()
	s := smallSession(t)
	a := s.Policy()
	a.Triggers = []model.Clause{{At: model.Amount{N: 14, Unit: model.Messages}}}
	a.Tail = model.Amount{N: 5, Unit: model.Messages}
	b := a
	b.Tail.N, b.Fixed = 12, 500
	compare := func(a, b model.Policy) *Comparison {
		t.Helper()
		x, err := s.Insight.Side(ctx, a, compaction.Options{Manual: true})
		y, err2 := s.Insight.Side(ctx, b, compaction.Options{Manual: true})
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		return CompareSides(x, y)
	}
	c := compare(a, b)
	differ := 0
	for i := range c.A.Plan.Line.Len() {
		fa, _ := c.A.Plan.FateAt(i)
		fb, _ := c.B.Plan.FateAt(i)
		if fa == fb {
			continue
		}
		if differ >= len(c.Rows) {
			t.Fatalf("entry %d differs and is not told", i)
		}
		if r := c.Rows[differ]; r.Entry != i || r.A != fa || r.B != fb || r.History != c.A.Plan.Line.History(i) || r.Tokens != c.A.Plan.Line.Tokens(i) {
			t.Errorf("%+v", r)
		}
		differ++
	}
	if differ == 0 || differ != len(c.Rows) {
		t.Errorf("%d entries differ, %d are told", differ, len(c.Rows))
	}
	if len(c.A.Timeline.Calls) != len(c.B.Timeline.Calls) || c.B.Timeline.Totals.Input <= c.A.Timeline.Totals.Input {
		t.Errorf("A sends %d, B with more kept %d", c.A.Timeline.Totals.Input, c.B.Timeline.Totals.Input)
	}
	if same := compare(a, a); len(same.Rows) != 0 {
		t.Errorf("a policy beside itself: %v", same.Rows)
	}
	// One that refuses keeps everything, whatever it tried.
	none := a
	none.MinGain.Messages = 1 << 30
	if c = compare(none, a); len(c.Rows) == 0 {
		t.Fatal("no rows")
	}
	for _, r := range c.Rows {
		if r.A != model.Kept || r.B != model.Summarised {
			t.Errorf("%+v", r)
		}
	}
}

// A sweep with real texts reads the document from several goroutines.
func TestSweepWithTexts(t *testing.T) {
	s := smallSession(t)
	p := s.Policy()
	x, err := replay.AxisOf(replay.AxisTrigger, model.Messages, []float64{8, 14, 20})
	if err != nil {
		t.Fatal(err)
	}
	y, err := replay.AxisOf(replay.AxisTail, model.Messages, []float64{2, 5})
	if err != nil {
		t.Fatal(err)
	}
	g, err := replay.Sweep(context.Background(), []replay.Subject{s.Insight.Subject(p, true), s.Insight.Subject(p, false)}, replay.Axes{x, y}, replay.SweepOptions{Workers: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range g.Cells {
		tl, err := s.Insight.Replay(context.Background(), y.Set(x.Set(p, x.Values[c.X]), y.Values[c.Y]), true)
		if err != nil || c.Results[0].Totals != tl.Totals {
			t.Errorf("cell %d %d: %+v, its replay %+v, %v", c.X, c.Y, c.Results[0].Totals, tl.Totals, err)
		}
	}
}

// A session that has made other texts makes those of one that has not, whatever the
// settings.
func TestReplaysRememberWhatTheyRead(t *testing.T) {
	d, err := transcript.Open(t.Context(), filepath.Join(realdata.Root(t), "assets/samples/long-coding-run.jsonl"), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := NewFile(d, Options{})
	s, err := f.Session(t.Context(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := f.Session(t.Context(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 24
	if testing.Short() { // one after the other
		rounds = 2
	}
	for range rounds {
		p := s.adopt(compaction.Default())
		p.Window = []int{60_000, 90_000}[r.IntN(2)]
		p.Tail = model.Amount{N: []int{1500, 3000}[r.IntN(2)], Unit: model.Tokens}
		p.Strategy = []model.Strategy{model.NoteText, model.ModelNote, model.Extract}[r.IntN(3)]
		p.Budget = model.Amount{N: 600, Unit: []model.Unit{model.Tokens, model.Chars}[r.IntN(2)]}
		p.Former = []model.Former{model.MergeFormer, model.LayerFormer}[r.IntN(2)]
		p.KeepFirstUser = r.IntN(2) == 0
		if r.IntN(2) == 0 {
			p.Pins = []model.Range{{From: 30 + 10*r.IntN(2), To: 42}}
		}
		if r.IntN(2) == 0 {
			p.Clear = model.Clearing{On: true, Keep: 3}
		}
		got, err := s.Insight.Replay(t.Context(), p, true)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := s.Insight.Replay(t.Context(), p, true); err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("%+v: another replay the second time, %v", p, err)
		}
		fresh.Insight.ForgetTexts()
		want, err := fresh.Insight.Replay(t.Context(), p, true)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Firings) != len(want.Firings) {
			t.Fatalf("%+v: %d firings, where nothing was made before %d", p, len(got.Firings), len(want.Firings))
		}
		for i := range got.Firings {
			if a, b := got.Firings[i].Text, want.Firings[i].Text; a != b {
				t.Fatalf("%+v: firing %d\n%s\nwhere nothing was made before\n%s", p, i, a, b)
			}
		}
	}
}

// What a former summary says is part of what a text depends on.
func TestTextsDependOnFormerOnes(t *testing.T) {
	s := smallSession(t)
	p := s.Policy()
	p.Strategy, p.Window, p.Reserve, p.Fixed, p.Budget = model.Extract, 1800, 0, 0, model.Amount{N: 250, Unit: model.Tokens}
	p.Tail, p.Former = model.Amount{N: 300, Unit: model.Tokens}, model.MergeFormer
	asked := 0
	tl, err := replay.Run(t.Context(), s.History(), p, replay.Options{Summarise: func(ctx context.Context, pl *compaction.Plan, former func(string) string) (compaction.Text, error) {
		got, err := s.Insight.Summarise(ctx, pl, former)
		other, _ := s.Insight.Summarise(ctx, pl, func(record string) string { return former(record) + "\nAnother thing." })
		merges := false
		pl.Takes(func(i int) { merges = merges || pl.Line.Item(i).Msg < 0 })
		if merges {
			asked++
			if got.Text == other.Text {
				t.Errorf("the same text from another former summary:\n%s", got.Text)
			}
		}
		return got, err
	}})
	if err != nil || asked == 0 {
		t.Errorf("%d asked, %+v, %v", asked, tl.Totals, err)
	}
}
