package store

import (
	"bytes"
	"slices"
	"testing"
)

// What deleting and importing would do is reported, and neither is done.
func TestEffectsAreToldFirst(t *testing.T) {
	s := openTemp(t)
	content := lines(3, 5000)
	a := save(t, s, sampleRecord(), content)
	b := sampleRecord()
	b.Base = a.ID
	b = save(t, s, b, content)
	alone := save(t, s, sampleRecord(), lines(4, 5000))

	e, err := s.DeleteEffect(t.Context(), a.ID)
	if err != nil || !slices.Equal(e.Standing, []string{b.ID}) {
		t.Errorf("%+v, %v", e, err)
	}
	both, err := s.DeleteEffect(t.Context(), a.ID, b.ID)
	if err != nil || len(both.Standing) != 0 || both.Freed <= e.Freed {
		t.Errorf("both: %+v, %v; one: %+v", both, err, e)
	}
	if ids, err := s.IDs(t.Context(), Filter{Limit: -1, Ascending: true}); err != nil || !slices.Equal(ids, []string{a.ID, b.ID, alone.ID}) {
		t.Errorf("%v, %v", ids, err)
	}
	if ids, err := s.IDs(t.Context(), Filter{Offset: 1, Limit: 1}); err != nil || !slices.Equal(ids, []string{b.ID}) {
		t.Errorf("%v, %v", ids, err)
	}

	var out bytes.Buffer
	if _, err := s.Export(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	freed, err := s.Delete(t.Context(), a.ID, b.ID)
	if err != nil || freed != both.Freed {
		t.Errorf("freed %d, told %d, %v", freed, both.Freed, err)
	}
	would, err := s.WouldImport(t.Context(), bytes.NewReader(out.Bytes()))
	if err != nil || would.Records != 2 || would.Known != 1 {
		t.Errorf("%+v, %v", would, err)
	}
	if n, err := s.CountRecords(t.Context(), Filter{}); err != nil || n != 1 {
		t.Errorf("%d records after looking, %v", n, err)
	}
	if got, err := s.Import(t.Context(), bytes.NewReader(out.Bytes())); err != nil || got.Records != would.Records || got.Known != would.Known {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := s.WouldImport(t.Context(), bytes.NewReader(out.Bytes()[:out.Len()/2])); err == nil {
		t.Error("half an export is none")
	}
}
