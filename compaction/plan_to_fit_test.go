package compaction

import (
	"strings"
	"testing"

	"palimpsest/model"
)

// A tail with which a list can't be sent is shortened by what is needed, and one with
// which it can is left as it is, though a clause may fire again.
func TestATailIsShortenedByWhatIsNeeded(t *testing.T) {
	l := talk("S"+strings.Repeat("ua", 15), 100)
	p := BasePolicy()
	p.Strategy, p.Batch = model.Drop, model.Amount{Unit: model.Messages} // no summary to guess at
	p.Window, p.Triggers = 2000, []model.Clause{ShareClause(0.8)}
	for tail := 1; tail <= 29; tail++ {
		p.Tail = model.Amount{N: tail, Unit: model.Messages}
		pl := new(Planner).PlanToFit(l, p, Options{}, Limits{Tokens: 2000})
		want := tail // with the system prompt it fits
		if tail > 19 {
			want = 14 // so that no clause fires: 15 messages are below 1,600
		}
		if got := l.Len() - pl.Taken.To; pl.Outcome != WouldApply || got != want || pl.Why.Code != "over-limit" {
			t.Errorf("of a tail of %d %d messages stay (%v, %v), want %d", tail, got, pl.Outcome, pl.Why, want)
		}
	}
}

// Only what slides over steps is a step history.
func TestAPolicyOfAnotherKindIsNoStepHistory(t *testing.T) {
	sliding, _ := PresetByID("sliding-fixed")
	for what, change := range map[string]func(*model.Policy){
		"a share":     func(p *model.Policy) { p.Triggers = []model.Clause{ShareClause(.8)} },
		"two clauses": func(p *model.Policy) { p.Triggers = append(p.Triggers, ShareClause(.8)) },
		"a target":    func(p *model.Policy) { p.Target = 1000 },
		"a pin":       func(p *model.Policy) { p.Pins = []model.Range{{From: 1, To: 2}} },
		"clearing":    func(p *model.Policy) { p.Clear.On = true },
		"merging":     func(p *model.Policy) { p.Former = model.MergeFormer },
		"a model":     func(p *model.Policy) { p.Strategy = model.ModelText },
	} {
		p := sliding.Policy
		if _, ok := StepWindowOf(&p); !ok {
			t.Fatal("the preset is none")
		}
		change(&p)
		if w, ok := StepWindowOf(&p); ok || w != (StepWindow{}) {
			t.Errorf("with %s it is the step history %+v", what, w)
		}
	}
}
