package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// stepInputs reads step records by themselves: no code of the program takes part.
func stepInputs(t *testing.T, data []byte) (list []steps.Input) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	for d.More() {
		var r struct {
			Step                             int
			Analysis, Execution, Supervision *string
		}
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		list = append(list, steps.Input{Number: r.Step, Analysis: r.Analysis, Execution: r.Execution, Supervision: r.Supervision})
	}
	return list
}

// realSteps is the run of a real agent as step records: its thought, what it did, what
// came of it.
func realSteps(t *testing.T) (data []byte, ok bool) {
	t.Helper()
	dir, ok := realdata.Look(t)
	if !ok {
		return nil, false
	}
	b, err := os.ReadFile(filepath.Join(dir, "swe_agent", "swesmith_pydantic_8316.traj"))
	if err != nil {
		t.Fatal(err)
	}
	var run struct {
		Trajectory []struct{ Thought, Action, Observation string }
	}
	if err := json.Unmarshal(b, &run); err != nil || len(run.Trajectory) < 20 {
		t.Fatalf("%d steps: %v", len(run.Trajectory), err)
	}
	for i, s := range run.Trajectory {
		line, _ := json.Marshal(map[string]any{"step": i + 1, "analysis": s.Thought, "execution": s.Action, "supervision": s.Observation})
		data = append(append(data, line...), '\n')
	}
	return data, true
}

// stepStates are what a step history with these settings holds after each step.
type stepState struct {
	text, layer string
	full        []string // its steps in full
}

func stepStates(t *testing.T, set steps.Settings, inputs []steps.Input) []stepState {
	t.Helper()
	h, err := steps.New(set, steps.Env{Clock: func() time.Time { return time.Time{} }})
	if err != nil {
		t.Fatal(err)
	}
	var out []stepState
	for _, in := range inputs {
		if err := h.AppendStep(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		s := stepState{text: h.Text(), layer: h.Summaries()}
		for _, r := range h.Steps() {
			s.full = append(s.full, strings.TrimRight(r.Text, "\n"))
		}
		out = append(out, s)
	}
	return out
}

// tuned is one of the ways by which a person comes to a window and a batch.
func tuned(rng *rand.Rand, window, batch, limit int) (how string, p model.Policy) {
	set := func(p *model.Policy, key string, n int, u model.Unit) { model.ParamOf(key).SetNumber(p, float64(n), u) }
	from := func(id string) model.Policy {
		p, _ := compaction.PresetByID(id)
		set(&p.Policy, "layer", limit, model.Chars)
		return p.Policy
	}
	switch rng.IntN(3) {
	case 0:
		p = from("sliding-fixed")
		set(&p, "tail", window, "")
		set(&p, "batch", batch, "")
		return "window, then batch", p
	case 1:
		p = from("sliding-adaptive")
		set(&p, "batch", batch, model.Steps)
		set(&p, "trigger", window, model.Steps)
		return "batch, then threshold, from adaptive", p
	}
	p = from("sliding-fixed")
	p.Triggers, p.Batch.N = []model.Clause{compaction.TriggerAt(window, model.Steps)}, batch
	p.Tail.N = rng.IntN(window + 3) // of what was stored before the tail followed
	return "stored with a tail", p
}

// Whatever window, batch and limit a person sets, and however: step records stay
// the step history that package steps makes with these settings, text for text. So
// it is after a compaction by hand, in the prompt, in a replay and in a sweep.
func TestTuningNeverLeavesTheStepHistory(t *testing.T) {
	files := map[string][]byte{}
	sample, err := os.ReadFile(filepath.Join(realdata.Root(t), "assets", "samples", "lab-notebook.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	files["lab-notebook"] = sample
	for seed := range 2 {
		files[fmt.Sprint("drawn ", seed)] = drawSteps(rand.New(rand.NewPCG(uint64(seed), 46)), 45)
	}
	if real, ok := realSteps(t); ok {
		files["a real run"] = real
	}
	largest, cases := 12, 0
	if testing.Short() {
		largest = 5
	}
	for name, data := range files {
		inputs := stepInputs(t, data)
		rng := rand.New(rand.NewPCG(uint64(len(data)), 46))
		for _, limit := range []int{0, steps.LeastCap, 900, 5000} {
			adaptive := steps.DefaultSettings()
			adaptive.Cap = limit
			p, _ := compaction.PresetByID("sliding-adaptive")
			p.Policy.LayerBudget.N = limit
			sameStepHistory(t, fmt.Sprintf("%s, adaptive, limit %d", name, limit), data, p.Policy, stepStates(t, adaptive, inputs), rng)
			for window := 1; window <= largest; window++ {
				for batch := 1; batch <= window; batch++ {
					want := stepStates(t, steps.FixedSettings(window, batch, limit), inputs)
					how, p := tuned(rng, window, batch, limit)
					where := fmt.Sprintf("%s, window %d, batch %d, limit %d, %s", name, window, batch, limit, how)
					sameStepHistory(t, where, data, p, want, rng)
					cases++
				}
			}
		}
		sweptStepHistories(t, name, data, inputs)
	}
	t.Logf("%d settings", cases)
}

// sameStepHistory compares what a policy does to a file of step records with the
// states of a step history: at a drawn place, and in a replay of the whole.
func sameStepHistory(t *testing.T, where string, data []byte, p model.Policy, want []stepState, rng *rand.Rand) {
	t.Helper()
	s := openSteps(t, data)
	p = s.adopt(p)
	ends := stepEnds(s)
	k := rng.IntN(len(ends))
	prompt, err := s.Insight.Prompt(t.Context(), p, ends[k], false)
	if err != nil || prompt.Text != want[k].text {
		t.Fatalf("%s: the prompt after step %d is (%v)\n%s\nwant\n%s", where, k+1, err, prompt.Text, want[k].text)
	}
	s.SetAt(ends[k])
	d, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.Plan.Outcome == compaction.WouldApply {
		rec, err := s.Records.Apply(t.Context(), d)
		if err != nil || !rec.Policy.Sliding() || d.Text.Text != want[k].layer {
			t.Fatalf("%s: %v, and the record has the policy %+v", where, err, rec.Policy)
		}
	}
	var summaries []string
	th, full, last := s.Thread(), 0, 0
	for _, it := range s.Items() {
		if it.Msg < 0 {
			summaries = append(summaries, s.SummaryText(it.Record))
		} else if n := th.Messages[it.Msg].StepNumber(); n != last {
			full, last = full+1, n
		}
	}
	if got := strings.Join(summaries, "\n\n"); got != want[k].layer || full != len(want[k].full) {
		t.Fatalf("%s: after step %d %d steps are in full, want %d; the summary is\n%s\nwant\n%s", where, k+1, full, len(want[k].full), got, want[k].layer)
	}
	layers := map[int]string{}
	for i, at := range ends {
		layers[at] = want[i].layer
	}
	sameReplay(t, where, s, p, layers)
}

// sweptStepHistories compares the cells of a sweep over window and batch with step
// histories: what they would have sent at the last call.
func sweptStepHistories(t *testing.T, name string, data []byte, inputs []steps.Input) {
	t.Helper()
	s := openSteps(t, data)
	preset, _ := compaction.PresetByID("sliding-adaptive")
	x, err := replay.ReadAxis(replay.AxisTail, "", "2..8/7")
	if err != nil {
		t.Fatal(err)
	}
	y, err := replay.ReadAxis("batch", "", "1,2")
	if err != nil {
		t.Fatal(err)
	}
	p := s.adopt(preset.Policy)
	axes := replay.Axes{x.In(p), y.In(p)}
	grid, err := replay.Sweep(t.Context(), []replay.Subject{s.Insight.Subject(p, true)}, axes, replay.SweepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range axes.Cells() {
		at := axes.Place(i)
		window, batch := int(axes[0].Values[at[0]]), int(axes[1].Values[at[1]])
		h, err := steps.New(steps.FixedSettings(window, batch, 5000), steps.Env{Clock: func() time.Time { return time.Time{} }})
		if err != nil {
			t.Fatal(err)
		}
		firings, was := 0, 0
		for _, in := range inputs[:len(inputs)-1] { // after the last step there is no call
			if err := h.AppendStep(t.Context(), in); err != nil {
				t.Fatal(err)
			}
			if n := h.Stats().Summarised; n > was {
				firings, was = firings+1, n
			}
		}
		if got := grid.Cells[i].Results[0].Firings; got != firings {
			t.Errorf("%s: window %d, batch %d fires %d times in the sweep, %d times in the step history", name, window, batch, got, firings)
		}
	}
}

// A step history that was saved counts the steps in its summaries: they are of the length
// that adaptive sizes follow, and steps are called by their numbers.
func TestASavedStepHistoryCountsItsSummaries(t *testing.T) {
	h, err := steps.New(steps.FixedSettings(18, 3, 0), steps.Env{Clock: func() time.Time { return time.Unix(1e9, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 30; n++ {
		if err := h.Append(t.Context(), n, "next", "done", "passed"); err != nil {
			t.Fatal(err)
		}
	}
	data, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	d, err := transcript.Read(t.Context(), "steps.json", bytes.NewReader(data), int64(len(data)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(t.Context(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	preset, _ := compaction.PresetByID("sliding-adaptive")
	p := s.Plan(s.adopt(preset.Policy), compaction.Options{}).Policy
	if p.Batch.N != 4 || p.Tail.N != 10 { // the tier of 21 to 50 steps
		t.Errorf("30 steps, %d of them in full: window %v, batch %v", len(h.Steps()), p.Tail, p.Batch)
	}
	th := d.Conversations[0].Main()
	if m := &th.Messages[th.History[0]]; int(m.Step) != 31-len(h.Steps()) || m.StepNumber() != int(m.Step) {
		t.Errorf("the first step in full is %d of place %d, %d are", m.StepNumber(), m.Step, len(h.Steps()))
	}
}
