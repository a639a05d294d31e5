package gui

import (
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/gui/study"
	"palimpsest/model"
)

// Adaptive tiers raise the number of steps: the log tells the one in force.
func TestWhyTellsTheStepsInForce(t *testing.T) {
	steps := func(n int) model.Policy {
		return model.Policy{Adaptive: true, Triggers: []model.Clause{{At: model.Amount{N: n, Unit: model.Steps}}}}
	}
	raised := study.WhyRule(&replay.Timeline{Policy: steps(5)}, replay.Why{Reason: compaction.Reason{Code: "clause-steps", N: 13, M: 12}})
	if plain := study.WhyRule(&replay.Timeline{Policy: steps(12)}, replay.Why{}); raised != plain {
		t.Errorf("%q, want %q", raised, plain)
	}
}
