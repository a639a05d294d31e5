package gui

import (
	"testing"

	"palimpsest/gui/show"
	"palimpsest/model"
)

// What to do on a failure and how long to wait are parameters like any other:
// shown, changed, undone, set back.
func TestFailureIsAParameter(t *testing.T) {
	s := newStage(t)
	p := params(s)
	wait := rowOf(t, p, "Back-off")
	if wait.Field.Text() != "5 msg" {
		t.Errorf("the default back-off is shown as %q", wait.Field.Text())
	}
	n, _ := show.ParseField("12")
	if err := wait.Typed(n); err != nil {
		t.Fatal(err)
	}
	s.Desk.Planning.Set(func(q *model.Policy) { q.OnFailure = model.ExtractInstead })
	s.settle()
	if q := s.Desk.Planning.Params(); q.BackOff != 12 || wait.Field.Text() != "12 msg" || !s.Desk.Planning.Modified() {
		t.Errorf("%+v, shown as %q", q, wait.Field.Text())
	}
	wait.Reset.Tapped(nil)
	s.Desk.Undo()
	s.Desk.Undo()
	s.settle()
	if q := s.Desk.Planning.Params(); q.BackOff != 12 || q.OnFailure != model.KeepEverything {
		t.Errorf("undone to %+v", q)
	}
}
