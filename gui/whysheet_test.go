package gui

import (
	"encoding/json"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session/journal"
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

// The log says where the program that wrote a history compacted it, whatever these settings do.
func TestWhySaysWhereTheProgramCompacted(t *testing.T) {
	s := newStage(t)
	a := deployer(t, journal.Recorded(s.Desk.Store()))
	saved, err := json.Marshal(a)
	if err != nil || len(a.Records()) == 0 {
		t.Fatal(err)
	}
	s.Desk.Add(systemFile(t, "deployer.json", saved))
	s.settle()
	s.Desk.Planning.Set(func(p *model.Policy) { p.Triggers = []model.Clause{{At: model.Amount{N: 1000, Unit: model.Messages}}} })
	s.settle()
	s.Commands.Why(s.Desk.Session().Found()[0].At)
	s.settle()
	s.sees("its program compacted here · no: ")
}
