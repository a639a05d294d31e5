package desk

import (
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// A record is in force while the open session is built on it, and stored otherwise,
// whosever it is.
func TestStateOfRecords(t *testing.T) {
	w := nestedWindow(t)
	for _, r := range w.Session().Stack() {
		if !w.RecordView.SameHistory(r) || w.RecordView.RecordState(r) != model.InForce {
			t.Errorf("%s: same history %v, %s", r.ID, w.RecordView.SameHistory(r), w.RecordView.RecordState(r))
		}
	}
	beside := *w.Session().Stack()[0]
	beside.UID = "imported"
	for _, x := range []struct {
		name   string
		change func(r *model.Record)
		state  model.State
	}{
		{"imported beside others", func(*model.Record) {}, model.Stored},
		{"made by a verb", func(r *model.Record) { r.Verb = true }, model.Stored},
		{"switched off", func(r *model.Record) { r.Off = true }, model.SwitchedOff},
		{"written to a file", func(r *model.Record) { r.Output = "/out" }, model.Stored},
		{"written back", func(r *model.Record) { r.Output = session.ConversationName("talk") }, model.WrittenBack},
		{"refused", func(r *model.Record) { r.Outcome = model.Refused }, model.StateRefused},
		{"failed", func(r *model.Record) { r.Outcome = model.Failed }, model.StateFailed},
		{"cancelled", func(r *model.Record) { r.Outcome = model.Cancelled }, model.StateCancelled},
		{"a restore", func(r *model.Record) { r.Cause = model.CauseRestore }, model.StateRestored},
		{"found", func(r *model.Record) { r.Cause = model.CauseFound }, model.StateFound},
		{"of another file", func(r *model.Record) { r.SourceSHA, r.Path = "other", "/other" }, model.Stored},
		{"of another agent", func(r *model.Record) { r.Thread++ }, model.Stored},
	} {
		r := beside
		x.change(&r)
		if got := w.RecordView.RecordState(&r); got != x.state {
			t.Errorf("%s: %s", x.name, got)
		}
	}
	w.Remove(w.Current())
	w.settle()
	if got := w.RecordView.RecordState(w.RecordList.RecordAt(0)); got != model.Stored || w.RecordView.BuiltOn(&beside) {
		t.Errorf("%s while its history is closed", got)
	}
}
