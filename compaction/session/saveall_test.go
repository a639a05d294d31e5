package session

import (
	"errors"
	"reflect"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/store"
)

// Of records that are stored together all are, or none; what is not stored is on no stack.
func TestRecordsStoredTogether(t *testing.T) {
	s, st, _ := longRun(t)
	p := s.Policy()
	d, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
	if err != nil || d.Plan.Outcome != compaction.WouldApply {
		t.Fatal(d, err)
	}
	made, err := s.Records.Applied(d)
	if err != nil {
		t.Fatal(err)
	}
	refused, err := s.Records.Noted(d, p, model.Refused, "for the test")
	if err != nil {
		t.Fatal(err)
	}
	twice := *made.Record
	if err := SaveAll(t.Context(), refused, made, Unsaved{Record: &twice, of: s.Records}); !errors.Is(err, store.ErrExists) {
		t.Fatal(err)
	}
	if list, err := st.Records(t.Context(), store.Filter{Limit: 9}); err != nil || len(list) != 0 || len(s.Stack()) != 0 || made.Record.ID != "" {
		t.Fatalf("%d records and a stack of %d after a save that failed, %v", len(list), len(s.Stack()), err)
	}
	if err := SaveAll(t.Context(), refused, made); err != nil {
		t.Fatal(err)
	}
	if refused.Record.ID != "R-0001" || made.Record.ID != "R-0002" || len(s.Stack()) != 1 || s.Stack()[0] != made.Record {
		t.Error(refused.Record.ID, made.Record.ID, s.Stack())
	}
}

// What survives is noted in a draft, and the index is not kept until the draft is applied.
func TestATallyNeedsNoIndex(t *testing.T) {
	s, _, _ := longRun(t)
	d, err := s.Draft(t.Context(), s.Policy(), compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Insight.Facts(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	want, err := s.Records.Applied(d)
	if err != nil || len(want.Record.Facts) == 0 {
		t.Fatal(want, err)
	}
	if err := s.Insight.Tally(t.Context(), d); err != nil || s.Insight.KnownFacts() != nil {
		t.Fatal(err, s.Insight.KnownFacts())
	}
	got, err := s.Records.Applied(d)
	if err != nil || !reflect.DeepEqual(got.Record.Facts, want.Record.Facts) || got.Record.FactsBy != want.Record.FactsBy {
		t.Errorf("%+v, want %+v; %v", got.Record.Facts, want.Record.Facts, err)
	}
}
