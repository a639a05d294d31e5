package gui

import (
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/gui/show"
	"palimpsest/model"
)

// Step records open as a step history, with the numbers of the tier in force. Window and
// batch are tuned, in the form and at the chart, and it stays one.
func TestAStepHistoryIsTunedByWindowAndBatch(t *testing.T) {
	s := newStage(t, sampleFile(t, t.TempDir(), "lab-notebook.jsonl"))
	p := params(s)
	window, batch := rowOf(t, p, "Window"), rowOf(t, p, "Batch")
	shown := func(w, b string) {
		t.Helper()
		s.settle()
		pl := s.Desk.Planning.Plan()
		if window.Field.Text() != w || batch.Field.Text() != b || pl.Steps == (compaction.StepWindow{}) {
			t.Errorf("window %s, batch %s, want %s, %s; a step history: %v", window.Field.Text(), batch.Field.Text(), w, b, pl.Steps)
		}
	}
	shown("10 steps", "4 steps")
	if q := s.Desk.Planning.Params(); !q.Sliding() {
		t.Error("it is no window over steps")
	}
	n, _ := show.ParseField("8")
	if err := window.Typed(n); err != nil {
		t.Fatal(err)
	}
	shown("8 steps", "4 steps")
	n, _ = show.ParseField("3")
	if err := batch.Typed(n); err != nil {
		t.Fatal(err)
	}
	shown("8 steps", "3 steps")
	q := s.Desk.Planning.Params()
	if w, _ := compaction.StepWindowOf(&q); w.Window != 8 || w.Batch != 3 || w.Adaptive {
		t.Errorf("it is the step history %+v", w)
	}
	s.settle()
	if d := s.Desk.DraftSet.Draft(); d == nil || !strings.HasPrefix(d.Text.Text, "Summary of steps 1-") {
		t.Errorf("the summary is %+v", d)
	}
	s.Desk.Undo()
	s.Desk.Undo()
	shown("10 steps", "4 steps")
	if q := s.Desk.Planning.Params(); !*model.ParamOf("tiers").Value(&q).(*bool) {
		t.Error("undone it is not adaptive again")
	}
}
