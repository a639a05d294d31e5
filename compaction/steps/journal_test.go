package steps

import (
	"context"
	"encoding/json"
	"testing"

	"palimpsest/model"
)

// events is a journal in memory, of one history.
type events []model.Event

func (j *events) Events(_ context.Context, _ string, after int64) ([]model.Event, error) {
	return (*j)[after:], nil
}

func (j *events) Append(_ context.Context, _ string, _ int64, e model.Entry) ([]model.Event, error) {
	*j = append(*j, e.Events...)
	return nil, nil
}

// A step costs the journal the step; only a pass, which changes the rest, a snapshot.
func TestTheJournalGetsASnapshotAfterAPassOnly(t *testing.T) {
	var j events
	h, err := Open(t.Context(), "run", FixedSettings(3, 2, 0), Env{Clock: tick(), Journal: &j})
	if err != nil {
		t.Fatal(err)
	}
	addAll(t, h, 1, 8, done)
	for i, e := range j {
		var in entryJSON
		if err := json.Unmarshal([]byte(e.Items), &in); err != nil {
			t.Fatal(err)
		}
		pass := i == 0 || i+1 > 3 && i%2 == 1 // the first says with what settings
		if (in.Snapshot != nil) != pass || len(in.Steps) != 1 {
			t.Errorf("event %d has %d steps and a snapshot: %v", i+1, len(in.Steps), in.Snapshot != nil)
		}
	}
	back, err := Open(t.Context(), "run", DefaultSettings(), Env{Clock: tick(), Journal: &j})
	if err != nil || back.Text() != h.Text() || back.Stats() != h.Stats() {
		t.Errorf("%v: %+v, want %+v", err, back.Stats(), h.Stats())
	}
}

// The last no steps of a history that has some are no text, and not a first execution.
func TestNoStepsOfSomeAreNoText(t *testing.T) {
	h := newSteps(t, FixedSettings(3, 2, 0))
	addAll(t, h, 1, 2, done)
	if text := h.Last(0); text != "" {
		t.Errorf("%q", text)
	}
}
