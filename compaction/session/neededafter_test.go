package session

import (
	"context"
	"reflect"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/internal/realdata"
	"palimpsest/model"
)

// Of the three files that go, the agent names one again in the last message:
// message 42, counted from 0. It is missed unless the summary has it.
func TestNeededAfterByHand(t *testing.T) {
	s := factSession(t)
	p := s.Policy()
	p.Tail = model.Amount{N: 28, Unit: model.Messages} // messages 1–12: the first three exchanges go
	plan := func(at int) *compaction.Plan {
		s.SetAt(at)
		return s.Plan(p, compaction.Options{Manual: true})
	}
	if n := s.Insight.NeededAfter(plan(41), "told"); n != nil {
		t.Errorf("told without an index: %+v", n)
	}
	indexed(t, s)
	end := len(s.Thread().History)
	if end != 43 {
		t.Fatalf("%d messages", end)
	}
	n := s.Insight.NeededAfter(plan(41), "The agent read src/f1.go.")
	if n.Recall != (facts.Recall{Needs: 1}) || n.Kinds[facts.Path] != n.Recall || n.Lower {
		t.Errorf("%+v", n)
	}
	if len(n.Misses) != 1 || n.Misses[0].Text != "src/f0.go" || n.Misses[0].Use != 42 || n.Misses[0].Last != 2 {
		t.Errorf("misses %+v", n.Misses)
	}
	if n = s.Insight.NeededAfter(plan(42), "The agent read src/f0.go."); n.Recall != (facts.Recall{Needs: 1, Met: 1}) || len(n.Misses) != 0 {
		t.Errorf("what the summary tells is missed: %+v", n)
	}
	if n = s.Insight.NeededAfter(plan(42), ""); !n.Lower || n.Recall != (facts.Recall{Needs: 1}) {
		t.Errorf("without the summary's text: %+v", n)
	}
	// A plan that takes nothing which is used again has no needs; one that needs no
	// summary is not a bound.
	p.Strategy = model.Drop
	if n = s.Insight.NeededAfter(plan(42), ""); n.Lower || n.Needs.Needs != 1 {
		t.Errorf("a drop: %+v", n)
	}
	if n = s.Insight.NeededAfter(plan(end), "told"); n != nil {
		t.Errorf("nothing follows the last message: %+v", n)
	}
	p.Tail.N = 100
	if n = s.Insight.NeededAfter(plan(41), "told"); n != nil {
		t.Errorf("a plan that takes nothing: %+v", n)
	}
}

// A plan at the place where a replay fires once says what the replay says.
func TestNeededAfterIsTheReplaysFigure(t *testing.T) {
	if testing.Short() {
		t.Skip("one compaction after the other")
	}
	compared, needs := 0, 0
	check := func(t *testing.T, s *Session, p model.Policy) {
		t.Helper()
		ctx := context.Background()
		tl, err := s.Insight.Replay(ctx, p, true)
		if err != nil {
			t.Fatal(err)
		}
		if len(tl.Firings) != 1 {
			return
		}
		f := tl.Firings[0]
		s.SetAt(f.At)
		pl := s.Plan(p, compaction.Options{Manual: true})
		if pl.Outcome != compaction.WouldApply {
			t.Fatalf("fires at %d, the plan there: %v", f.At, pl.Outcome)
		}
		want, got := s.Insight.NeededLater(tl), s.Insight.NeededAfter(pl, f.Text)
		if got == nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s at %d: %+v, the replay %+v", p.Strategy, f.At, got, want)
			return
		}
		compared, needs = compared+1, needs+got.Needs.Needs
	}
	strategies := []model.Strategy{model.Drop, model.Extract, model.NoteText}
	by := factSession(t)
	indexed(t, by)
	for n := 20; n < 42; n++ {
		for _, st := range strategies {
			p := by.Policy()
			p.Triggers = []model.Clause{{At: model.Amount{N: n, Unit: model.Messages}}}
			p.Tail = model.Amount{N: 6, Unit: model.Messages}
			p.Budget, p.Strategy = model.Amount{N: 300, Unit: model.Tokens}, st
			check(t, by, p)
		}
	}
	if compared == 0 || needs == 0 {
		t.Fatalf("%d compared, %d needs", compared, needs)
	}
	for _, path := range realdata.Files(t, "openai_chat", "swe_agent", "tau_bench") {
		f := openReal(t, path)
		s, err := f.Session(context.Background(), Ref{}, nil)
		if err != nil || len(s.Thread().Found) > 0 || len(s.Thread().History) < 20 || len(s.Thread().History) > 400 {
			f.Close()
			continue
		}
		indexed(t, s)
		for _, st := range strategies {
			p := s.Policy()
			p.Strategy = st
			p.Triggers = []model.Clause{{At: model.Amount{N: len(s.Thread().History) * 3 / 5, Unit: model.Messages}}}
			p.Tail = model.Amount{N: 8, Unit: model.Messages}
			check(t, s, p)
		}
		f.Close()
	}
	t.Logf("%d plans compared, %d needs", compared, needs)
}
