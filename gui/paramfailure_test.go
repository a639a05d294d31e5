package gui

import (
	"testing"

	"palimpsest/model"
)

// What to do on a failure and how long to wait are parameters like any other:
// shown, changed, undone, set back.
func TestFailureIsAParameter(t *testing.T) {
	s := newStage(t)
	p := params(s)
	wait := rowOf(t, p, "Back-off")
	if wait.field.Text() != "5 msg" {
		t.Errorf("the default back-off is shown as %q", wait.field.Text())
	}
	n, _ := parseField("12")
	if err := wait.typed(n); err != nil {
		t.Fatal(err)
	}
	s.d.Set(func(q *model.Policy) { q.OnFailure = model.ExtractInstead })
	s.settle()
	if q := s.d.Params(); q.BackOff != 12 || wait.field.Text() != "12 msg" || !s.d.Modified() {
		t.Errorf("%+v, shown as %q", q, wait.field.Text())
	}
	wait.reset.Tapped(nil)
	s.d.Undo()
	s.d.Undo()
	s.settle()
	if q := s.d.Params(); q.BackOff != 12 || q.OnFailure != model.KeepEverything {
		t.Errorf("undone to %+v", q)
	}
}
