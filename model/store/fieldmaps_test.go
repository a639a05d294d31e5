package store

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

func TestFieldMapsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "maps.db")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	must(s.SetSetting(ctx, "provider", 1)) // another setting is none
	must(s.SaveFieldMap(ctx, FieldMap{"support log", "messages=$.log,role=who,text=body"}))
	must(s.SaveFieldMap(ctx, FieldMap{"客服", "messages=$,role=r,text=t"}))
	must(s.SaveFieldMap(ctx, FieldMap{"support log", "messages=$.all,role=who,text=body"}))
	must(s.Close())
	if s, err = Open(path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := []FieldMap{{"support log", "messages=$.all,role=who,text=body"}, {"客服", "messages=$,role=r,text=t"}}
	if got, err := s.FieldMaps(ctx); err != nil || !slices.Equal(got, want) {
		t.Fatalf("%v, %v", got, err)
	}
	if m, err := s.FieldMap(ctx, "客服"); err != nil || m != want[1] {
		t.Errorf("%v, %v", m, err)
	}
	if _, err := s.FieldMap(ctx, "provider"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	must(s.DeleteFieldMap(ctx, "客服"))
	if err := s.DeleteFieldMap(ctx, "客服"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if err := s.SaveFieldMap(ctx, FieldMap{Name: " "}); err == nil {
		t.Error("a map without a name was saved")
	}
	if got, err := s.FieldMaps(ctx); err != nil || !slices.Equal(got, want[:1]) {
		t.Fatalf("%v, %v", got, err)
	}
}
