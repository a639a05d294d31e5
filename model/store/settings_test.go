package store

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"palimpsest/model"
)

func TestPresets(t *testing.T) {
	s := openTemp(t)
	ctx := t.Context()
	when := time.Date(2025, 1, 2, 3, 4, 5, 6000, time.UTC)
	a := Preset{Name: "Ünïcode 名", Policy: sampleRecord().Policy, Time: when}
	b := Preset{Name: "B'; --", Policy: model.Policy{Strategy: model.Drop}, Time: when}
	for _, p := range []Preset{a, b} {
		if err := s.SavePreset(ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.Presets(ctx); err != nil || !reflect.DeepEqual(list, []Preset{b, a}) {
		t.Errorf("%+v, %v", list, err)
	}
	a.Policy.Window = 7
	if err := s.SavePreset(ctx, a); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Preset(ctx, a.Name); err != nil || !reflect.DeepEqual(got, a) {
		t.Errorf("%+v, %v", got, err)
	}
	if err := s.DeletePreset(ctx, b.Name); err != nil {
		t.Fatal(err)
	}
	expect(t, s.DeletePreset(ctx, b.Name), ErrNotFound)
	_, err := s.Preset(ctx, b.Name)
	expect(t, err, ErrNotFound)
	if list, err := s.Presets(ctx); err != nil || len(list) != 1 || list[0].Name != a.Name || !reflect.DeepEqual(list[0].Policy, a.Policy) {
		t.Errorf("%+v, %v", list, err)
	}
	for _, err := range []error{s.SavePreset(ctx, Preset{Name: " "}), s.SavePreset(ctx, Preset{Name: "n", Policy: model.Policy{Triggers: []model.Clause{{Share: nanShare()}}}})} {
		if err == nil {
			t.Error("a preset that makes no sense was stored")
		}
	}
	if err := s.SavePreset(ctx, Preset{Name: "now"}); err != nil {
		t.Fatal(err)
	}
	if p, err := s.Preset(ctx, "now"); err != nil || p.Time.Year() < 2024 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestSettings(t *testing.T) {
	s := openTemp(t)
	ctx := t.Context()
	type layout struct {
		Split []float64
		Lang  string
	}
	got := layout{Lang: "unset"}
	if ok, err := s.Setting(ctx, "layout", &got); ok || err != nil || got.Lang != "unset" {
		t.Errorf("%v, %v, %+v", ok, err, got)
	}
	for _, want := range []layout{{[]float64{0.2, 0.8}, "中文"}, {nil, ""}} {
		if err := s.SetSetting(ctx, "layout", want); err != nil {
			t.Fatal(err)
		}
		got = layout{}
		if ok, err := s.Setting(ctx, "layout", &got); !ok || err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, %v, %+v", ok, err, got)
		}
	}
	var n int
	if ok, err := s.Setting(ctx, "layout", &n); ok || err == nil {
		t.Errorf("a layout was read as a number: %v, %v", ok, err)
	}
	if err := s.SetSetting(ctx, "f", func() {}); err == nil {
		t.Error("a function was stored")
	}
}

func TestRecents(t *testing.T) {
	s := openTemp(t)
	ctx := t.Context()
	start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	add := func(i, minute int) {
		t.Helper()
		r := Recent{Path: fmt.Sprintf("/h/%d.jsonl", i), Format: model.FormatCodex, Title: fmt.Sprint("run ", i), Opened: start.Add(time.Duration(minute) * time.Minute)}
		if err := s.AddRecent(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	for i := range RecentCap {
		add(i, i)
	}
	add(1, 1000) // opened again: first
	for i := range 5 {
		add(RecentCap+i, RecentCap+i)
	}
	list, err := s.Recents(ctx)
	if err != nil || len(list) != RecentCap {
		t.Fatalf("%d files, %v", len(list), err)
	}
	want := Recent{"/h/1.jsonl", model.FormatCodex, "run 1", start.Add(1000 * time.Minute)}
	if list[0] != want {
		t.Errorf("%+v", list[0])
	}
	if last := list[len(list)-1]; last.Path != "/h/6.jsonl" {
		t.Errorf("the oldest that is kept is %+v", last)
	}
	if err := s.AddRecent(ctx, Recent{Path: "/h/now"}); err != nil {
		t.Fatal(err)
	}
	list, err = s.Recents(ctx)
	if err != nil || len(list) != RecentCap || list[0].Path != "/h/now" {
		t.Errorf("%d files, %v: %+v", len(list), err, list[0])
	}
}

// An error says its cause and the one below it.
func TestErrorsUnwrap(t *testing.T) {
	e := &Error{Op: "save the record", Kind: ErrFull, Path: "/h/p.db", Err: errBroken}
	if !errors.Is(e, ErrFull) || !errors.Is(e, errBroken) || errors.Is(e, ErrLocked) {
		t.Error("causes are lost")
	}
	want := "can't save the record: the disk is full (/h/p.db). Free some space and try again; nothing was half-written."
	if e.Error() != want {
		t.Errorf("%q", e.Error())
	}
}
