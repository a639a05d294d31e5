package compaction_test

import (
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
)

// The nearest value solves the conflict that it is offered for.
func TestTheNearestValueEndsTheConflict(t *testing.T) {
	base := compaction.Default()
	base.Window, base.Reserve, base.Triggers = 200000, 16000, []model.Clause{compaction.ShareClause(.8)}
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
