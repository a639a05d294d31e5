package compaction_test

import (
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/steps"
	"palimpsest/model"
)

// The nearest value solves the conflict that it is offered for.
func TestTheNearestValueEndsTheConflict(t *testing.T) {
	base := compaction.Default()
	base.Window, base.Reserve, base.Triggers = 200000, 16000, []model.Clause{compaction.ShareClause(.8)}
	sliding := func(window, batch int) func(*model.Policy) {
		return func(q *model.Policy) {
			fixed, _ := compaction.PresetByID("sliding-fixed")
			*q = fixed.Policy
			model.ParamOf("tail").SetNumber(q, float64(window), model.Steps)
			q.Batch.N = batch
		}
	}
	trigger := func(c model.Clause) func(*model.Policy) {
		return func(q *model.Policy) { q.Triggers = []model.Clause{c} }
	}
	for name, c := range map[string]struct {
		key     string
		change  func(q *model.Policy)
		code    string
		nearest model.Amount
	}{
		"trigger above the room":       {"trigger", trigger(compaction.TriggerAt(190000, model.Tokens)), "trigger", model.Amount{N: 184000, Unit: model.Tokens}},
		"share above the room":         {"trigger", trigger(compaction.ShareClause(.99)), "trigger", model.Amount{N: 92, Unit: model.Percent}},
		"trigger under the fixed part": {"trigger", func(q *model.Policy) { q.Fixed = 14200; trigger(compaction.TriggerAt(10000, model.Tokens))(q) }, "fixed", model.Amount{N: 15000, Unit: model.Tokens}},
		"tail above the trigger":       {"tail", func(q *model.Policy) { q.Tail = model.Amount{N: 170000, Unit: model.Tokens} }, "tail", model.Amount{N: 159000, Unit: model.Tokens}},
		"a share of a large window, where less than one per cent fits": {"tail", func(q *model.Policy) {
			q.Window, q.Tail = 1_000_000, model.Amount{N: 1, Unit: model.Percent}
			trigger(compaction.TriggerAt(5_000, model.Tokens))(q)
		}, "tail", model.Amount{N: 4_000, Unit: model.Tokens}},
		"reserve beside the trigger": {"reserve", func(q *model.Policy) { q.Reserve = 60000 }, "reserveTrigger", model.Amount{N: 40000, Unit: model.Tokens}},
		"reserve without a trigger":  {"reserve", func(q *model.Policy) { q.Reserve, q.Triggers = 300000, nil }, "reserve", model.Amount{N: 199999, Unit: model.Tokens}},
		"window under the reserve":   {"window", func(q *model.Policy) { q.Window = 10000 }, "window", model.Amount{N: 16001, Unit: model.Tokens}},
		"target above the trigger":   {"target", func(q *model.Policy) { q.Target = 160000 }, "target", model.Amount{N: 159999, Unit: model.Tokens}},
		"a batch above the window":   {"batch", sliding(5, 7), "steps", model.Amount{N: 5, Unit: model.Steps}},
		"a batch of no step":         {"batch", sliding(5, 0), "steps", model.Amount{N: 1, Unit: model.Steps}},
		"a window of no step":        {"tail", sliding(0, 1), "steps", model.Amount{N: 1, Unit: model.Steps}},
	} {
		q := base
		c.change(&q)
		got, ok := compaction.ConflictOf(c.key, &q, 0)
		if !ok || got.Code != c.code || got.Nearest != c.nearest {
			t.Errorf("%s: %+v %v", name, got, ok)
			continue
		}
		model.ParamOf(c.key).SetNumber(&q, float64(got.Nearest.N), got.Nearest.Unit)
		if again, ok := compaction.ConflictOf(c.key, &q, 0); ok {
			t.Errorf("%s: %+v does not end it: %+v", name, got.Nearest, again)
		}
	}
	none := base // where the fixed part is above the trigger, no tail fits
	none.Fixed, none.Triggers = 14_200, []model.Clause{compaction.TriggerAt(8_000, model.Tokens)}
	if c, ok := compaction.ConflictOf("tail", &none, 0); ok {
		t.Errorf("the tail is to stay below %d", c.Limit)
	}
	for _, x := range model.Params() {
		if c, ok := compaction.ConflictOf(x.Key, &base, 0); ok {
			t.Errorf("the default preset conflicts: %+v", c)
		}
	}
}

// A plan takes the window and the batch that the settings of a step history call the
// nearest legal ones, and says so.
func TestStepSizesAreLegal(t *testing.T) {
	preset, _ := compaction.PresetByID("sliding-fixed")
	for _, set := range [][2]int{{5, 7}, {0, 3}, {5, 0}, {0, 0}, {5, 3}} {
		p := preset.Policy
		model.ParamOf("tail").SetNumber(&p, float64(set[0]), model.Steps)
		p.Batch.N = set[1]
		want, err := steps.FixedSettings(set[0], set[1], 5000).Legal()
		got, said := compaction.Normalise(p)
		if got.Tail.N != want.Window || got.Triggers[0].At.N != want.Window || got.Batch.N != want.Batch || (err != nil) != (len(said) > 0) {
			t.Errorf("%v: window %d at %d, batch %d, %v; want %d and %d: %v",
				set, got.Tail.N, got.Triggers[0].At.N, got.Batch.N, said, want.Window, want.Batch, err)
		}
	}
}
