package store

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"palimpsest/model"
)

// A running session is found by its ID and by where it goes on; what a person wants of
// it stays while its calls are noted.
func TestLiveSessions(t *testing.T) {
	s := openAt(t, t.TempDir()+"/live.db")
	ctx := t.Context()
	now := time.Now()
	a := model.LiveSession{ID: "aa11", Source: model.LiveGateway, Path: "/a", Chain: []byte{1, 2}, Answer: "msg_1", Changed: now, Used: 5, API: "chat"}
	if err := s.PutLive(ctx, a); err != nil {
		t.Fatal(err)
	}
	if err := s.SetLive(ctx, "aa11", true, model.CompactNext); err != nil {
		t.Fatal(err)
	}
	a.Chain, a.Answer, a.Used = []byte{3}, "msg_2", 6
	if err := s.PutLive(ctx, a); err != nil {
		t.Fatal(err)
	}
	got, err := s.LiveSession(ctx, "aa")
	if err != nil || got.Used != 6 || !got.Paused || got.Wish != model.CompactNext || !got.Changed.Equal(now.Truncate(time.Microsecond)) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, at, err := s.LiveByChain(ctx, []byte{9}, []byte{3}, []byte{1, 2}); err != nil || got.ID != "aa11" || at != 1 {
		t.Errorf("%+v at %d, %v", got, at, err)
	}
	if _, _, err := s.LiveByChain(ctx, []byte{1, 2}); !errors.Is(err, ErrNotFound) {
		t.Errorf("where it no longer goes on: %v", err)
	}
	if got, err := s.LiveByAnswer(ctx, "msg_2"); err != nil || got.ID != "aa11" {
		t.Errorf("%+v, %v", got, err)
	}
	if err := s.Granted(ctx, "aa11", model.RestoreNext); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.LiveSession(ctx, "aa11"); got.Wish != model.CompactNext {
		t.Error("another wish was taken back")
	}
	if err := s.Granted(ctx, "aa11", model.CompactNext); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.LiveSession(ctx, "aa11"); got.Wish != "" || !got.Paused {
		t.Errorf("%+v", got)
	}
	if err := s.SetLive(ctx, "none", true, ""); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	for i := range LiveCap + 5 {
		x := model.LiveSession{ID: fmt.Sprintf("b%04d", i), Changed: now.Add(time.Duration(i+1) * time.Second)}
		if err := s.PutLive(ctx, x); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Live(ctx, time.Time{})
	if err != nil || len(list) != LiveCap || list[0].ID != fmt.Sprintf("b%04d", LiveCap+4) {
		t.Errorf("%d, %v", len(list), err)
	}
	if _, err := s.LiveSession(ctx, "b"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a beginning that many have: %v", err)
	}
}

// Of two overlays for the same messages the first is in force for ever, until it is
// switched off.
func TestOverlays(t *testing.T) {
	s := openAt(t, t.TempDir()+"/live.db")
	ctx := t.Context()
	first := Overlay{Chain: [32]byte{1}, Root: [32]byte{7}, Record: "R-0001", Body: []byte{0, 1, 255}}
	second := first
	second.Body = []byte("other")
	for _, o := range []Overlay{first, second} {
		got, err := s.AddOverlay(ctx, o)
		if err != nil || string(got.Body) != string(first.Body) {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	list, err := s.Overlays(ctx, [32]byte{7})
	if err != nil || len(list) != 1 || list[0].Chain != first.Chain || string(list[0].Body) != string(first.Body) || list[0].Record != "R-0001" {
		t.Fatalf("%+v, %v", list, err)
	}
	if list, err := s.Overlays(ctx, [32]byte{8}); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if err := s.DropOverlays(ctx, first.Chain); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Overlays(ctx, [32]byte{7}); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if got, err := s.AddOverlay(ctx, second); err != nil || string(got.Body) != "other" {
		t.Errorf("%+v, %v", got, err)
	}
}
