package steps

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// A model's text is taken up to its limit, which is half of what summaries may take; what was
// wrong with one that is not taken is in the log.
func TestAModelsTextUpToItsLimit(t *testing.T) {
	const title = "Summary of steps 1-3:"
	for _, x := range []struct {
		name   string
		answer func(b Batch) (string, error)
		log    string // "": taken
	}{
		{"as long as it may be", func(b Batch) (string, error) { return strings.Repeat("x", b.Limit), nil }, ""},
		{"with its title", func(Batch) (string, error) { return title + " all fine", nil }, ""},
		{"longer", func(b Batch) (string, error) { return strings.Repeat("x", b.Limit+1), nil }, "characters, more than"},
		{"blank", func(Batch) (string, error) { return " \n", nil }, "the summary is empty"},
		{"a failure", func(Batch) (string, error) { return "", errors.New("out of tea") }, "out of tea"},
		{"a panic", func(Batch) (string, error) { panic("spilt") }, "the summariser panicked"},
	} {
		t.Run(x.name, func(t *testing.T) {
			var log bytes.Buffer
			s := FixedSettings(4, 3, 300)
			s.Strategy, s.LeastSaving = ModelText, 0
			limit := 0
			h := newStepsWith(t, s, Env{Log: slog.New(slog.NewTextHandler(&log, nil)), Summarise: func(_ context.Context, b Batch) (string, error) {
				limit = b.Limit
				return x.answer(b)
			}})
			for n := 1; n <= 5; n++ {
				long := strings.Repeat("word ", 30)
				add(t, h, Input{Number: n, Analysis: &long, Execution: &long, Supervision: &long})
			}
			if want := 300/2 - len(title) - len("\n"); limit != want {
				t.Errorf("the limit is %d, want %d", limit, want)
			}
			taken := h.Layer()[0].Strategy == ModelText
			if taken != (x.log == "") || h.Stats().Fallbacks != map[bool]int{true: 0, false: 1}[taken] {
				t.Errorf("taken: %v, %+v", taken, h.Stats())
			}
			if !strings.Contains(log.String(), x.log) || !strings.Contains(log.String(), "steps summarised") ||
				strings.Contains(log.String(), "made no summary") == taken {
				t.Errorf("the log says %s", &log)
			}
			if taken && strings.Count(h.Text(), title) != 1 {
				t.Errorf("the title is there %d times:\n%s", strings.Count(h.Text(), title), h.Text())
			}
		})
	}
}

// After an answer a model is asked at every pass again, however often it failed before.
func TestAnAnswerEndsTheWaiting(t *testing.T) {
	fails := map[int]bool{1: true, 3: true}
	var asked []int
	s := FixedSettings(1, 1, 0)
	s.Strategy = ModelText
	h := newStepsWith(t, s, Env{Summarise: func(_ context.Context, b Batch) (string, error) {
		asked = append(asked, b.Steps[0].Number)
		if fails[len(asked)] {
			return "", errors.New("no")
		}
		return "ok", nil
	}})
	addAll(t, h, 1, 30, doneEN)
	if len(asked) < 4 || asked[1]-asked[0] != asked[3]-asked[2] || asked[2]-asked[1] != 1 {
		t.Errorf("asked for the steps %v", asked)
	}
}

// A step keeps the time that it is given, and is found in a summary by its number, also where
// numbers do not ascend.
func TestStepsInSummaries(t *testing.T) {
	at := time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)
	h := newSteps(t, FixedSettings(3, 3, 0))
	for _, n := range []int{5, 9, 2, 20, 21, 22} {
		in := done(n)
		in.At = at.Add(time.Duration(n) * time.Hour)
		add(t, h, in)
	}
	if got := h.Steps()[0].Timestamp; got != at.Add(20*time.Hour).UnixMilli() {
		t.Errorf("step 20 is of %s", time.UnixMilli(got).UTC())
	}
	for n, want := range map[int]int{1: 0, 2: 1, 7: 1, 9: 1, 10: 0} {
		if got := h.Find(Query{Steps: &summarize.StepRange{From: n, To: n}}).Summaries; len(got) != want {
			t.Errorf("step %d is in %d summaries", n, len(got))
		}
	}
	low := newSteps(t, FixedSettings(1, 1, LeastCap))
	addAll(t, low, 1, 60, done)
	if got := low.Find(Query{Steps: &summarize.StepRange{From: 1, To: 1}}).Summaries; len(got) != 1 || got[0].Omitted == nil {
		t.Errorf("a step that is only announced is in %+v", got)
	}
	// What a caller does with its copy is not seen in the history.
	for _, h := range []*History{h, low} {
		before, err := h.Snapshot()
		must(t, err)
		for _, r := range h.Steps() {
			*r.Analysis, *r.Execution, *r.Supervision = "x", "x", "x"
		}
		for _, s := range h.Layer() {
			for i := range s.KeyPoints {
				s.KeyPoints[i].Result = "x"
			}
			if s.Omitted != nil {
				s.Omitted.From = -7
			}
		}
		if after, err := h.Snapshot(); err != nil || !bytes.Equal(before, after) {
			t.Errorf("a copy is no copy: %v\n%s", err, after)
		}
	}
}

// Settings that are none are replaced by those nearest to them.
func TestTheNearestSettings(t *testing.T) {
	s := DefaultSettings()
	s.Strategy, s.Lang, s.PhaseLimit = "poem", "fr", -3
	if got, err := s.Legal(); err == nil || got.Strategy != model.Extract || got.Lang != summarize.Auto || got.PhaseLimit != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A larger window is kept by the journal, though no step is summarised for it.
func TestALargerWindowIsWritten(t *testing.T) {
	var j kept
	h, err := Open(t.Context(), "run", FixedSettings(3, 2, 0), Env{Clock: tick(), Journal: &j})
	must(t, err)
	addAll(t, h, 1, 4, done)
	must(t, h.SetWindow(t.Context(), 9, 4))
	back, err := Open(t.Context(), "run", FixedSettings(3, 2, 0), Env{Clock: tick(), Journal: &j})
	must(t, err)
	if back.Stats() != h.Stats() || back.Stats().Window != 9 || back.Stats().Batch != 4 {
		t.Errorf("opened with %+v, want %+v", back.Stats(), h.Stats())
	}
}

// A snapshot is read with the texts that its steps have by their phases, and one whose model is
// not at hand is opened with an extract; its steps in full are not counted twice.
func TestASnapshotIsReadByItsSteps(t *testing.T) {
	s := FixedSettings(3, 2, 0)
	s.Strategy = ModelText
	h := newStepsWith(t, s, Env{Summarise: func(context.Context, Batch) (string, error) { return "fine", nil }})
	addAll(t, h, 1, 8, doneEN)
	snapshot, err := h.Snapshot()
	must(t, err)
	odd := bytes.Replace(snapshot, []byte("=== Full record of step 8 ==="), []byte("=== Something else ==="), 1)
	if bytes.Equal(odd, snapshot) {
		t.Fatalf("%s", snapshot)
	}
	back, err := Restore(odd, Env{Clock: tick(), Summarise: func(context.Context, Batch) (string, error) { return "", nil }})
	must(t, err)
	if back.Text() != h.Text() {
		t.Errorf("restored:\n%s\nwant\n%s", back.Text(), h.Text())
	}
	saved, err := ReadSaved(snapshot)
	must(t, err)
	if saved.Settings.Strategy != fallback {
		t.Errorf("without a model the strategy is %s", saved.Settings.Strategy)
	}
	again, err := saved.Open(DefaultSettings(), Env{Clock: tick()})
	must(t, err)
	for _, r := range saved.Detail {
		add(t, again, Input{Number: r.Number, Analysis: r.Analysis, Execution: r.Execution, Supervision: r.Supervision})
	}
	if got := again.Stats(); got.Window != 5 || got.Batch != 2 || got.Detail != len(saved.Detail) {
		t.Errorf("after the steps that it had: %+v; a run of 8 steps has a window of 5", got)
	}
}
