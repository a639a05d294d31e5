package session

import (
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
)

// What is said of a preset is what it does when it is taken over, at any
// position and with the window and pins of the moment.
func TestNextIsWhatThePresetDoes(t *testing.T) {
	s := smallSession(t)
	p := s.Policy()
	for _, at := range []int{41, 30, 7, 0} {
		s.SetAt(at)
		p.Window, p.Pins = 100*at, []model.Range{{From: at / 2, To: at/2 + 1}}
		s.SetPolicy(p)
		rules := s.Next(p)
		if rules[0].Preset != p.Preset || len(rules) != 1+len(compaction.Presets()) {
			t.Fatalf("%d rules, the first is %q", len(rules), rules[0].Preset)
		}
		for i, x := range compaction.Presets() {
			x.Policy.Preset = x.ID
			s.UsePreset(x.Policy)
			pl := s.Plan(s.Policy(), compaction.Options{})
			r := rules[i+1]
			if r.Preset != x.ID || r.Plan.Why != pl.Why || r.Plan.Taken != pl.Taken || r.Plan.Passes != pl.Passes || r.Plan.Before != pl.Before {
				t.Errorf("at %d, %s: said %v %+v, does %v %+v", at, x.ID, r.Plan.Why, r.Plan.Taken, pl.Why, pl.Taken)
			}
			if got := s.Policy(); at > 0 && got.Window != p.Window || len(got.Pins) != 1 {
				t.Errorf("%s takes the window or the pins away: %+v", x.ID, got)
			}
			s.SetPolicy(p)
		}
	}
}

// The rules follow each change that they depend on, though they are kept while
// nothing of that changes.
func TestNextFollowsChanges(t *testing.T) {
	s := smallSession(t)
	p := s.Policy()
	share := func() compaction.Rule { return s.Next(p)[len(compaction.Presets())] } // token-share is the last
	p.Window = 1 << 20
	far := share()
	if p.Window = 8000; share().Messages() >= far.Messages() {
		t.Error("a smaller window does not bring the trigger nearer")
	}
	before := share()
	if s.SetAt(10); share().Plan.Before.Messages != 10 || share().Messages() <= before.Messages() {
		t.Error("an earlier position does not move it away")
	}
	fixed := share()
	if p.Fixed = 3000; share().Messages() >= fixed.Messages() {
		t.Error("a larger fixed part does not bring it nearer")
	}
	s.SetAt(41)
	if p.Pins = []model.Range{{From: 0, To: 41}}; s.Next(p)[1].Plan.Outcome == compaction.WouldApply {
		t.Error("with everything pinned something would be taken")
	}
}
