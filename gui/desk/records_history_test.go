package desk

import (
	"testing"

	"palimpsest/model"
)

// A record that is aside is of the open history and applied, but nothing of it is in
// the stack: neither what the session is built on, nor what was switched off, nor another's record.
func TestARecordThatNothingIsBuiltOn(t *testing.T) {
	w := nestedWindow(t)
	for _, r := range w.Session().Stack() {
		if !w.SameHistory(r) || !w.BuiltOn(r) || w.Aside(r) {
			t.Errorf("%s: same history %v, built on %v, aside %v", r.ID, w.SameHistory(r), w.BuiltOn(r), w.Aside(r))
		}
	}
	beside := *w.Session().Stack()[0]
	beside.UID = "imported"
	for _, x := range []struct {
		name   string
		change func(r *model.Record)
		aside  bool
	}{
		{"imported beside others", func(*model.Record) {}, true},
		{"made by a verb", func(r *model.Record) { r.Verb = true }, true},
		{"switched off", func(r *model.Record) { r.Off = true }, false},
		{"refused", func(r *model.Record) { r.Outcome = model.Refused }, false},
		{"a restore", func(r *model.Record) { r.Cause = model.CauseRestore }, false},
		{"of another file", func(r *model.Record) { r.SourceSHA, r.Path = "other", "/other" }, false},
		{"of another agent", func(r *model.Record) { r.Thread++ }, false},
	} {
		r := beside
		x.change(&r)
		if got := w.Aside(&r); got != x.aside {
			t.Errorf("%s: aside %v", x.name, got)
		}
	}
	w.Remove(w.Current())
	w.settle()
	if w.Aside(&beside) || w.BuiltOn(&beside) {
		t.Error("without an open history it is told where a record stands")
	}
}
