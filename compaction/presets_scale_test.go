package compaction_test

import (
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
)

// What the presets keep grows with the context window. None of them is in conflict with itself, however small or
// large the window, and each leaves room between what it keeps and its trigger.
func TestPresetsScaleWithTheWindow(t *testing.T) {
	for _, c := range []struct{ window, tail, budget int }{{200_000, 4000, 16_000}, {1_000_000, 20_000, 80_000}, {0, 4000, 16_000}, {32_000, 4000, 2560}} {
		p := compaction.Default()
		p.Window = c.window
		if tail, budget := p.TailInForce(), p.BudgetInForce(); tail != (model.Amount{N: c.tail, Unit: model.Tokens}) || budget != (model.Amount{N: c.budget, Unit: model.Tokens}) {
			t.Errorf("the default in %d keeps %+v and %+v", c.window, tail, budget)
		}
	}
	for _, window := range []int{4096, 8192, 32_000, 128_000, 200_000, 1_000_000, 2_000_000} {
		for _, preset := range compaction.Presets() {
			p := preset.Policy
			p.Window = window
			for _, x := range model.Params() {
				if c, ok := compaction.ConflictOf(x.Key, &p, 0); ok {
					t.Errorf("%s in %d: %+v", preset.ID, window, c)
				}
			}
			at := compaction.GaugeOf(p.Triggers[0], window).Tokens()
			if tail, budget := p.TailInForce(), p.BudgetInForce(); tail.Unit == model.Tokens && tail.N+budget.N > at*3/4 {
				t.Errorf("%s in %d keeps %d and %d, and fires at %d", preset.ID, window, tail.N, budget.N, at)
			}
		}
	}
}

// A preset in a file has nothing of the history that it was made on, and is read as it
// was written.
func TestAPresetFileHasNothingOfAHistory(t *testing.T) {
	p := compaction.Default()
	p.Window, p.Fixed, p.Pins, p.Preset = 1000, 70, []model.Range{{From: 1, To: 2}}, "balanced"
	p.Triggers, p.Tail.N = []model.Clause{compaction.TriggerAt(7, model.Steps)}, 11
	b, err := compaction.WritePreset(p, "mine")
	if err != nil {
		t.Fatal(err)
	}
	got, err := compaction.ReadPreset(b, "other")
	if want := compaction.Default().Triggers; err != nil || got.Window != 0 || got.Fixed != 0 || got.Pins != nil || got.Preset != "mine" ||
		got.Tail != p.Tail || len(got.Triggers) != 1 || got.Triggers[0] != p.Triggers[0] || got.Triggers[0] == want[0] {
		t.Errorf("%v: %+v\n%s", err, got, b)
	}
}
