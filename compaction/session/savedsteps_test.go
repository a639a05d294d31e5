package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/steps"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// savedAt is when the histories of these tests go on.
var savedAt = time.UnixMilli(1_700_000_000_000)

// drawSettings draws the settings of a step history that is saved.
func drawSettings(rng *rand.Rand, most int) steps.Settings {
	set := steps.DefaultSettings()
	if rng.IntN(3) > 0 {
		window := 1 + rng.IntN(most)
		set = steps.FixedSettings(window, 1+rng.IntN(window), 5000)
	}
	set.Cap = []int{0, steps.LeastCap, 900, 5000}[rng.IntN(4)]
	set.Strategy = []model.Strategy{model.Extract, model.StructuredJSON, model.StructuredTable}[rng.IntN(3)]
	set.PhaseLimit = []int{0, 0, 40}[rng.IntN(3)]
	set.LeastSaving = []int{0, 0, 50}[rng.IntN(3)]
	return set
}

// savedSnapshot is the snapshot of a history of n steps, one of which has another error.
func savedSnapshot(t *testing.T, set steps.Settings, inputs []steps.Input) []byte {
	t.Helper()
	now := time.UnixMilli(1_600_000_000_000)
	h, err := steps.New(set, steps.Env{Clock: func() time.Time { now = now.Add(time.Minute); return now }})
	if err != nil {
		t.Fatal(err)
	}
	for i, in := range inputs {
		if i%7 == 6 {
			in.Error = fmt.Sprint("exit status ", i)
		}
		if err := h.AppendStep(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	b, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wanted is the history that goes on from a snapshot as it was when it had so many steps in
// full, with other settings: what [steps.Restore] and [steps.History.SetWindow] give. Where
// the sizes are to follow the length, the steps in full are appended one after the other.
func wanted(t *testing.T, snapshot []byte, full int, set steps.Settings) *steps.History {
	t.Helper()
	var x map[string]any
	d := json.NewDecoder(bytes.NewReader(snapshot))
	d.UseNumber()
	if err := d.Decode(&x); err != nil {
		t.Fatal(err)
	}
	detail := x["recentDetailedHistory"].([]any)
	var all []steps.Record
	b, _ := json.Marshal(detail[:full])
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	total, _ := x["totalSteps"].(json.Number).Int64()
	was := x["settings"].(map[string]any)
	was["cap"], was["strategy"], was["adaptive"] = set.Cap, set.Strategy, set.Adaptive
	was["window"], was["batch"] = len(detail)+1, 1
	keep := full
	if set.Adaptive {
		keep = 0
	}
	x["recentDetailedHistory"], x["totalSteps"] = detail[:keep], int(total)-len(detail)+keep
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	clock := savedAt
	h, err := steps.Restore(b, steps.Env{Clock: func() time.Time { return clock }})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all[keep:] {
		clock = time.UnixMilli(r.Timestamp)
		in := steps.Input{Number: r.Number, Analysis: r.Analysis, Execution: r.Execution, Supervision: r.Supervision, Failed: r.Failed, Error: r.Error}
		if err := h.AppendStep(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	if !set.Adaptive {
		if err := h.SetWindow(t.Context(), set.Window, set.Batch); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func openSaved(t *testing.T, snapshot []byte) *Session {
	t.Helper()
	d, err := transcript.Read(t.Context(), "steps.json", bytes.NewReader(snapshot), int64(len(snapshot)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{Now: func() time.Time { return savedAt }}).Session(t.Context(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A step history that was saved with summaries goes on as the history that is restored from
// its snapshot, whatever window, batch and limit a person sets: its summaries stay, new ones
// come after them. So it is in the prompt, in a compaction by hand, in a replay, in a sweep and
// in the file that is written.
func TestASavedStepHistoryGoesOn(t *testing.T) {
	draws := 400
	if testing.Short() {
		draws = 40
	}
	compacted, layered := 0, 0
	for seed := range draws {
		rng := rand.New(rand.NewPCG(uint64(seed), 46))
		inputs := stepInputs(t, drawSteps(rng, 1+rng.IntN(45)))
		made := drawSettings(rng, 24)
		snapshot := savedSnapshot(t, made, inputs)
		set := drawSettings(rng, 8)
		s := openSaved(t, snapshot)
		p, _ := compaction.PresetByID("sliding-adaptive")
		if !set.Adaptive {
			_, p.Policy = tuned(rng, set.Window, set.Batch, set.Cap)
		}
		p.Policy.LayerBudget.N, p.Policy.Strategy = set.Cap, set.Strategy
		where := fmt.Sprintf("draw %d: %+v, then %+v", seed, made, set)
		n, layer := sameSaved(t, where, s, snapshot, s.adopt(p.Policy), set, rng)
		if n {
			compacted++
		}
		if n && layer {
			layered++
		}
	}
	if compacted < draws/4 || layered < draws/5 {
		t.Errorf("%d were compacted, %d of them had summaries", compacted, layered)
	}
	t.Logf("%d of %d were compacted, %d of them had summaries", compacted, draws, layered)
}

func sameSaved(t *testing.T, where string, s *Session, snapshot []byte, p model.Policy, set steps.Settings, rng *rand.Rand) (compacted, layer bool) {
	t.Helper()
	ends := stepEnds(s)
	layers := map[int]string{}
	firings, was := 0, 0
	for k, at := range ends {
		h := wanted(t, snapshot, k+1, set)
		layers[at] = h.Summaries()
		if n := len(h.Steps()); k+1 < len(ends) && k+1-n > was {
			firings, was = firings+1, k+1-n
		}
	}
	k := len(ends) - 1
	if rng.IntN(2) == 0 {
		k = rng.IntN(len(ends))
	}
	want := wanted(t, snapshot, k+1, set)
	prompt, err := s.Insight.Prompt(t.Context(), p, ends[k], false)
	if err != nil || prompt.Text != want.Text() {
		t.Fatalf("%s: the prompt after step %d of %d is (%v)\n%s\nwant\n%s", where, k+1, len(ends), err, prompt.Text, want.Text())
	}
	sameReplay(t, where, s, p, layers)
	if !set.Adaptive {
		savedSweep(t, where, s, p, set, firings)
	}
	s.SetAt(ends[k])
	d, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.Plan.Outcome != compaction.WouldApply {
		if len(want.Steps()) != k+1 {
			t.Fatalf("%s: %s (%v), but %d of %d steps stay", where, d.Plan.Outcome, d.Plan.Why, len(want.Steps()), k+1)
		}
		return false, false
	}
	rec, err := s.Records.Apply(t.Context(), d)
	if err != nil || rec.Summary != want.Summaries() {
		t.Fatalf("%s: %v; after step %d the record has\n%s\nwant\n%s", where, err, k+1, rec.Summary, want.Summaries())
	}
	if k == len(ends)-1 {
		sameHistory(t, where, s, want)
		savedExport(t, where, s, want, set.Adaptive)
	}
	return true, s.Thread().Messages[0].Kind == model.KindSummary
}

// savedSweep compares how often a sweep's cell with the policy itself fires.
func savedSweep(t *testing.T, where string, s *Session, p model.Policy, set steps.Settings, firings int) {
	t.Helper()
	x, err := replay.ReadAxis(replay.AxisTail, "", fmt.Sprint(set.Window))
	if err != nil {
		t.Fatal(err)
	}
	y, err := replay.ReadAxis("batch", "", fmt.Sprint(set.Batch))
	if err != nil {
		t.Fatal(err)
	}
	grid, err := replay.Sweep(t.Context(), []replay.Subject{s.Insight.Subject(p, true)}, replay.Axes{x.In(p), y.In(p)}, replay.SweepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := grid.Cells[0].Results[0].Firings; got != firings {
		t.Fatalf("%s: the sweep fires %d times, the step history %d times", where, got, firings)
	}
}

// savedExport compares the file with the snapshot of the history.
func savedExport(t *testing.T, where string, s *Session, want *steps.History, appended bool) {
	t.Helper()
	type layers struct {
		SummaryHistory        []map[string]any
		RecentDetailedHistory []map[string]any
		Summarised            int
		Settings              map[string]any
	}
	read := func(b []byte) (x layers) {
		if err := json.Unmarshal(b, &x); err != nil {
			t.Fatalf("%s: %v\n%s", where, err, b)
		}
		for _, s := range x.SummaryHistory {
			if appended { // when its steps were: see [wanted]
				delete(s, "timestamp")
			}
		}
		return x
	}
	var b bytes.Buffer
	if _, err := s.Overlay().Export(&b); err != nil {
		t.Fatalf("%s: export: %v", where, err)
	}
	snapshot, err := want.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if got, wanted := read(b.Bytes()), read(snapshot); !reflect.DeepEqual(got, wanted) {
		t.Fatalf("%s: the file holds\n%+v\nwant\n%+v", where, got, wanted)
	}
	back := openSaved(t, b.Bytes())
	if err := s.Overlay().check(back.File().Doc); err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	h, err := steps.Restore(b.Bytes(), steps.Env{Clock: time.Now})
	if err != nil || h.Summaries() != want.Summaries() {
		t.Fatalf("%s: the file restored has (%v)\n%s\nwant\n%s", where, err, h.Summaries(), want.Summaries())
	}
}

// A snapshot opens with the settings that it was saved with.
func TestASavedStepHistoryOpensWithItsSettings(t *testing.T) {
	inputs := stepInputs(t, drawSteps(rand.New(rand.NewPCG(1, 46)), 20))
	set := steps.FixedSettings(7, 2, 900)
	set.Strategy = model.StructuredTable
	p := openSaved(t, savedSnapshot(t, set, inputs)).Policy()
	if w, ok := compaction.StepWindowOf(&p); !ok || w != (compaction.StepWindow{Window: 7, Batch: 2, Cap: 900, Strategy: model.StructuredTable}) {
		t.Errorf("%+v", w)
	}
	set = steps.DefaultSettings()
	set.Cap = 700
	p = openSaved(t, savedSnapshot(t, set, inputs)).Policy()
	q, _ := compaction.PresetByID("sliding-adaptive")
	q.Policy.LayerBudget.N = 700
	if got := Differences(p, openSaved(t, savedSnapshot(t, set, inputs)).adopt(q.Policy)); len(got) > 0 {
		t.Errorf("an adaptive one opens with %+v", got)
	}
	// Without settings that a step history can have it is a list of summaries and steps.
	other := strings.Replace(string(savedSnapshot(t, set, inputs)), `"window":`, `"windows":`, 1)
	if s := openSaved(t, []byte(other)); s.Policy().Preset != "sliding-adaptive" || s.Plan(s.Policy(), compaction.Options{Manual: true}).Steps != (compaction.StepWindow{}) {
		t.Errorf("%s opens with %+v", other, s.Policy())
	}
}
