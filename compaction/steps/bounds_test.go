package steps

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// A limit holds at its last value, and the next one is beyond it.
func TestLimitsHoldAtTheirLastValue(t *testing.T) {
	for saving, legal := range map[int]bool{0: true, 100: true, 101: false, -1: false} {
		s := DefaultSettings()
		s.LeastSaving = saving
		if nearest, err := s.Legal(); (err == nil) != legal || nearest.LeastSaving != min(max(0, saving), 100) {
			t.Errorf("a least saving of %d: %d, %v", saving, nearest.LeastSaving, err)
		}
	}
	for _, x := range []struct {
		r    Report
		used float64
	}{{Report{MaxSteps: 1, ActualSteps: 1}, 100}, {Report{ActualSteps: 3}, 0}, {Report{MaxSteps: -1, ActualSteps: 3}, 0}} {
		if got := x.r.Used(); got != x.used {
			t.Errorf("%+v has used %v %%, want %v", x.r, got, x.used)
		}
	}
	s := DefaultSettings()
	s.PhaseLimit = 1
	h := newSteps(t, s)
	long := "a long analysis"
	add(t, h, Input{Number: 1, Analysis: &long})
	if strings.Contains(h.Text(), long) {
		t.Errorf("a phase of one character is told in full:\n%s", h.Text())
	}
}

// A layer of exactly the limit stays as it is; with a character less it is merged.
func TestALayerOfExactlyTheLimitStays(t *testing.T) {
	run := func(limit int) Stats {
		h := newSteps(t, FixedSettings(2, 2, limit))
		for n := range 6 {
			text := "Look at file number " + itoa(n) + " and tell what it holds."
			add(t, h, Input{Number: n + 1, Analysis: &text, Execution: &text, Supervision: &text})
		}
		return h.Stats()
	}
	free := run(0)
	if free.Summaries < 2 {
		t.Fatalf("%d summaries", free.Summaries)
	}
	if at := run(free.LayerLen); at.Summaries != free.Summaries || at.LayerLen != free.LayerLen {
		t.Errorf("at the limit: %+v, without one %+v", at, free)
	}
	if below := run(free.LayerLen - 1); below.LayerLen >= free.LayerLen {
		t.Errorf("a character below it: %+v", below)
	}
}

// A step is found by any of its phases, also where the record has cut it.
func TestAStepIsFoundByEachOfItsPhases(t *testing.T) {
	s := DefaultSettings()
	s.PhaseLimit = 4
	h := newSteps(t, s)
	phase := func(word string) *string { text := "said " + word; return &text }
	add(t, h, Input{Number: 1, Analysis: phase("alpha"), Execution: phase("beta"), Supervision: phase("gamma")})
	add(t, h, Input{Number: 2, Analysis: phase("delta")})
	for word, want := range map[string]int{"alpha": 1, "BETA": 1, "gamma": 1, "delta": 2} {
		if got := h.Find(Query{Text: word}); len(got.Steps) != 1 || got.Steps[0].Number != want {
			t.Errorf("%s finds %+v", word, got.Steps)
		}
	}
	if got := h.Find(Query{Text: "alpha delta"}); len(got.Steps) != 0 {
		t.Errorf("words of two steps find %+v", got.Steps)
	}
}

// A model that fails is counted, and its summary is an extract.
func TestAFailedModelIsCounted(t *testing.T) {
	s := FixedSettings(2, 2, 0)
	s.Strategy = ModelText
	h := newStepsWith(t, s, Env{Summarise: func(context.Context, Batch) (string, error) { return "", errors.New("gone") }})
	for n := range 4 {
		text := "Look at file " + itoa(n)
		add(t, h, Input{Number: n + 1, Analysis: &text})
	}
	if got := h.Stats(); got.Fallbacks != got.Summaries || got.Fallbacks == 0 || got.Asked == 0 {
		t.Errorf("%+v", got)
	}
}

// Another window is kept: a history that is opened again has it.
func TestAnotherWindowIsKept(t *testing.T) {
	var j events
	h, err := Open(t.Context(), "run", FixedSettings(5, 2, 0), Env{Clock: tick(), Journal: &j})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.SetWindow(t.Context(), 4, 3); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), "run", DefaultSettings(), Env{Clock: tick(), Journal: &j})
	if err != nil {
		t.Fatal(err)
	}
	if s := again.Stats(); s.Window != 4 || s.Batch != 3 {
		t.Errorf("opened again it has %d and %d", s.Window, s.Batch)
	}
	if err := h.SetWindow(t.Context(), 2, 3); err == nil {
		t.Error("a batch larger than the window is taken")
	}
}

// A snapshot by a model is read without one, and opened with other sizes: what it says of a
// single step and its summary stays.
func TestASavedHistoryIsOpenedWithOtherSizes(t *testing.T) {
	s := FixedSettings(3, 2, 0)
	s.Strategy, s.LeastSaving, s.PhaseLimit, s.Lang = ModelText, 7, 40, summarize.Chinese
	h := newStepsWith(t, s, Env{Summarise: func(context.Context, Batch) (string, error) { return "Summary.", nil }})
	for n := range 6 {
		text := "Look at file " + itoa(n)
		add(t, h, Input{Number: n + 1, Analysis: &text})
	}
	snapshot, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	saved, err := ReadSaved(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	other := FixedSettings(9, 4, 0)
	again, err := saved.Open(other, Env{Clock: tick()})
	if err != nil {
		t.Fatal(err)
	}
	if got := again.set; got.Window != 9 || got.LeastSaving != 7 || got.PhaseLimit != 40 || got.Lang != summarize.Chinese || got.Strategy != model.Extract {
		t.Errorf("opened with %+v", got)
	}
	if got := again.Stats(); got.Detail != 0 || got.Summaries != h.Stats().Summaries {
		t.Errorf("it has %+v, saved were %+v", got, h.Stats())
	}
	if none := (&Saved{}); !none.None() || saved.None() {
		t.Error("nothing is not told from something")
	}
	if n := utf8.RuneCountInString(again.Text()); n == 0 {
		t.Error("it has no text")
	}
}
