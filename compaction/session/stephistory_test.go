package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/steps"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// drawSteps is a file of n step records: in English or Chinese, short and long,
// with phases missing, failed, without a marker.
func drawSteps(rng *rand.Rand, n int) []byte {
	var b bytes.Buffer
	zh, number := rng.IntN(2) == 0, rng.IntN(5)
	long := []int{10, 60, 400}[rng.IntN(3)]
	text := func(k int) string {
		return strings.Repeat([]string{"ok ", "数据 ", "**bold** "}[rng.IntN(3)], 1+rng.IntN(k))
	}
	for i := range n {
		number += 1 + rng.IntN(20)/19
		r := map[string]any{"step": number,
			"analysis":    fmt.Sprintf("**Task Status:** in progress %s\n**Progress Assessment:** %d %%", text(long), i),
			"execution":   fmt.Sprintf("**Execution Goal:** do %d\n**Execution Result:** %s", i, text(long)),
			"supervision": "**Quality Score:** 8\n**Passed:** yes"}
		if zh {
			r["analysis"] = fmt.Sprintf("**任务状态:** 进行中 %s\n**完成度评估：** %d%%", text(long), i)
			r["execution"] = fmt.Sprintf("**执行目标:** 第 %d 项\n**执行结果:** %s", i, text(long))
		}
		switch rng.IntN(12) {
		case 0:
			delete(r, "supervision")
		case 1:
			r["analysis"], r["execution"], r["supervision"] = "异常", "执行异常", "exit status 1: "+text(long)
		case 2:
			r["execution"] = text(long)
		}
		line, _ := json.Marshal(r)
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

func openSteps(t *testing.T, data []byte) *Session {
	t.Helper()
	d, err := transcript.Read(context.Background(), "steps.jsonl", bytes.NewReader(data), int64(len(data)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(context.Background(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// stepPolicies are the sliding presets and drawn settings of their kind.
func stepPolicies(rng *rand.Rand) map[string]model.Policy {
	out := map[string]model.Policy{}
	for _, id := range []string{"sliding-adaptive", "sliding-fixed"} {
		p, _ := compaction.PresetByID(id)
		out[id] = p.Policy
	}
	p := out["sliding-fixed"]
	w := 1 + rng.IntN(9)
	b := 1 + rng.IntN(w)
	p.Triggers = []model.Clause{compaction.TriggerAt(w, model.Steps)}
	p.Tail.N, p.Batch.N = w+1-b, b
	p.LayerBudget.N = []int{0, 300, 1200, 5000}[rng.IntN(4)]
	p.Strategy = []model.Strategy{model.Extract, model.StructuredJSON, model.StructuredTable}[rng.IntN(3)]
	out[fmt.Sprintf("window %d, batch %d, layer %d, %s", w, b, p.LayerBudget.N, p.Strategy)] = p
	return out
}

// What a step history would give an agent after each step is what a sliding
// policy gives here, word for word: by an automatic check after each step, by one
// compaction by hand of everything so far, and in a replay.
func TestASlidingPolicyIsAStepHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("one compaction after the other")
	}
	files := map[string][]byte{}
	sample, err := os.ReadFile(filepath.Join(realdata.Root(t), "assets", "samples", "lab-notebook.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	files["lab-notebook"] = sample
	for seed := range 3 {
		files[fmt.Sprint("drawn ", seed)] = drawSteps(rand.New(rand.NewPCG(uint64(seed), 7)), 120)
	}
	states, firings := 0, 0
	for name, data := range files {
		for what, p := range stepPolicies(rand.New(rand.NewPCG(uint64(len(data)), 9))) {
			live := openSteps(t, data)
			p = live.adopt(p)
			boundaries := stepEnds(live)
			want := historyOf(t, live, p, 0, false)
			layers := map[int]string{} // by history position
			for k, at := range boundaries {
				if err := appendSteps(t.Context(), live.CountedThread, want, append([]int{0}, boundaries...)[k], at); err != nil {
					t.Fatal(err)
				}
				layers[at] = want.Summaries()
				where := fmt.Sprintf("%s, %s, after step %d", name, what, k+1)
				live.SetAt(at)
				applyStep(t, live, p, compaction.Options{})
				sameHistory(t, where, live, want)
				if k%29 == 0 || k == len(boundaries)-1 {
					once := openSteps(t, data)
					once.SetAt(at)
					applyStep(t, once, p, compaction.Options{Manual: true})
					sameHistory(t, where+", by hand at once", once, want)
				}
				states++
			}
			live.SetAt(boundaries[len(boundaries)-1])
			sameExport(t, name+", "+what, live, want)
			firings += sameReplay(t, name+", "+what, live, p, layers)
		}
	}
	if states < 1000 || firings < 300 {
		t.Errorf("%d states, %d firings", states, firings)
	}
	t.Logf("%d states, %d firings of replays", states, firings)
}

// stepEnds are the history positions at which a step is over.
func stepEnds(s *Session) []int {
	var out []int
	th := s.Thread()
	for i := range th.History {
		if i+1 == len(th.History) || th.Messages[th.History[i+1]].Step != th.Messages[th.History[i]].Step {
			out = append(out, i+1)
		}
	}
	return out
}

func applyStep(t *testing.T, s *Session, p model.Policy, o compaction.Options) {
	t.Helper()
	d, err := s.Draft(t.Context(), p, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.Plan.Outcome != compaction.WouldApply {
		return
	}
	if _, err := s.Records.Apply(t.Context(), d); err != nil {
		t.Fatal(err)
	}
}

// sameHistory compares the live list with a step history.
func sameHistory(t *testing.T, where string, s *Session, want *steps.History) {
	t.Helper()
	var summaries []string
	var left []int
	th := s.Thread()
	for _, it := range s.Items() {
		if it.Msg < 0 {
			summaries = append(summaries, s.SummaryText(it.Record))
			continue
		}
		if n := th.Messages[it.Msg].StepNumber(); len(left) == 0 || left[len(left)-1] != n {
			left = append(left, n)
		}
	}
	var full []int
	for _, r := range want.Steps() {
		full = append(full, r.Number)
	}
	if got := strings.Join(summaries, "\n\n"); got != want.Summaries() || !slices.Equal(left, full) {
		t.Fatalf("%s: steps %v in full, want %v; summaries\n%s\nwant\n%s", where, left, full, got, want.Summaries())
	}
	if !strings.HasPrefix(want.Text(), strings.TrimSpace(want.Summaries())) {
		t.Fatalf("%s: the text does not begin with its summaries", where)
	}
}

// sameExport compares the exported file with a step history: its summaries, in the
// order of the text, and its steps in full, with all of their words.
func sameExport(t *testing.T, where string, s *Session, want *steps.History) {
	t.Helper()
	var b bytes.Buffer
	if _, err := s.Overlay().Export(&b); err != nil {
		t.Fatalf("%s: export: %v", where, err)
	}
	out := openSteps(t, b.Bytes())
	var summaries []string
	var phases []string
	for _, stored := range out.Thread().Live(len(out.Thread().History)) {
		parts, err := out.Read(stored)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if out.Thread().Messages[stored].Kind == model.KindSummary {
				summaries = append(summaries, p.Text)
			} else {
				phases = append(phases, p.Text)
			}
		}
	}
	if got := strings.Join(summaries, "\n\n"); got != want.Summaries() {
		t.Fatalf("%s: the file holds the summaries\n%s\nwant\n%s", where, got, want.Summaries())
	}
	var full []string
	for _, r := range want.Steps() {
		for _, text := range []*string{r.Analysis, r.Execution, r.Supervision} {
			if text != nil && *text != "" {
				full = append(full, *text)
			}
		}
	}
	if !slices.Equal(phases, full) {
		t.Fatalf("%s: the file holds %d phases in full, want %d", where, len(phases), len(full))
	}
}

// sameReplay compares each firing of a replay, and returns how many there are.
func sameReplay(t *testing.T, where string, s *Session, p model.Policy, layers map[int]string) int {
	t.Helper()
	tl, err := s.Insight.Replay(t.Context(), p, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range tl.Firings {
		if want, ok := layers[f.At]; !ok || f.Text != want {
			t.Fatalf("%s: the firing before message %d gives\n%s\nwant\n%s", where, f.At+1, f.Text, want)
		}
	}
	for _, c := range tl.Calls {
		if c.State != replay.Fired && c.State != replay.Waits {
			t.Fatalf("%s: a call is %v", where, c.State)
		}
	}
	return len(tl.Firings)
}

// A file of step records opens under the policy of a step history; any other
// under the program's own.
func TestStepRecordsOpenAsAStepHistory(t *testing.T) {
	s := openSteps(t, drawSteps(rand.New(rand.NewPCG(1, 1)), 30))
	if p := s.Policy(); p.Preset != "sliding-adaptive" {
		t.Errorf("it opens under %q", p.Preset)
	}
	if p := smallSession(t).Policy(); p.Preset != "balanced" {
		t.Errorf("a chat opens under %q", p.Preset)
	}
}

// The compat form is what the first authors' program gave: null for a phase that
// is missing, the oldest summaries dropped.
func TestTheCompatFormOfAStepHistory(t *testing.T) {
	data := drawSteps(rand.New(rand.NewPCG(3, 7)), 120)
	s := openSteps(t, data)
	h := historyOf(t, s, s.Policy(), len(s.Thread().History), true)
	set := steps.DefaultSettings()
	set.Compat = steps.AllCompat()
	want := stepsOf(t, s, set)
	if h.Text() != want.Text() || want.Text() == "" {
		t.Errorf("%q, want %q", h.Text(), want.Text())
	}
}

// historyOf is the history of the steps before a position under a policy that is one.
func historyOf(t *testing.T, s *Session, p model.Policy, at int, compat bool) *steps.History {
	t.Helper()
	p, _ = compaction.Normalise(p)
	w, ok := compaction.StepWindowOf(&p)
	if !ok || !compaction.IsStepRecords(s.thread) {
		t.Fatal("there is no step history")
	}
	h, err := newStepHistory(s.CountedThread, w, compat, time.Time{})
	if err == nil {
		err = appendSteps(t.Context(), s.CountedThread, h, 0, at)
	}
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func stepsOf(t *testing.T, s *Session, set steps.Settings) *steps.History {
	t.Helper()
	h, err := steps.New(set, steps.Env{Clock: s.file.opt.Now})
	if err != nil {
		t.Fatal(err)
	}
	if err := appendSteps(t.Context(), s.CountedThread, h, 0, len(s.thread.History)); err != nil {
		t.Fatal(err)
	}
	return h
}
