package store

import (
	"fmt"
	"testing"
	"time"

	"palimpsest/model"
)

// How far a batch is is noted over the note before; the wish to end it stays until a run of
// the same ID begins anew, and the oldest runs are forgotten.
func TestBatches(t *testing.T) {
	s := openAt(t, t.TempDir()+"/batches.db")
	ctx, now := t.Context(), time.Now().UTC()
	run := model.BatchRun{ID: "a", Title: "many", Began: now, Total: 3, Done: map[string]int{"applied": 1}}
	run.Note(now)
	if err := s.BeginBatch(ctx, run); err != nil {
		t.Fatal(err)
	}
	run.Fail("/x", "why")
	if stop, err := s.NoteBatch(ctx, run); err != nil || stop {
		t.Fatal(stop, err)
	}
	if err := s.StopBatch(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if stop, err := s.NoteBatch(ctx, run); err != nil || !stop {
		t.Errorf("the wish is not heard: %v", err)
	}
	list, err := s.Batches(ctx)
	if err != nil || len(list) != 1 || !list[0].Stopping || list[0].Finished() != 2 || list[0].Left() != 1 || list[0].Failures[0].Path != "/x" {
		t.Errorf("%+v, %v", list, err)
	}
	if err := s.BeginBatch(ctx, run); err != nil {
		t.Fatal(err)
	}
	if stop, err := s.NoteBatch(ctx, run); err != nil || stop {
		t.Error("a run that begins anew is ended at once")
	}
	for i := range BatchCap + 3 {
		r := model.BatchRun{ID: fmt.Sprint("b", i), Began: now.Add(time.Duration(i+1) * time.Second)}
		if err := s.BeginBatch(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	list, err = s.Batches(ctx)
	if err != nil || len(list) != BatchCap || list[0].ID != fmt.Sprint("b", BatchCap+2) {
		t.Errorf("%d runs, %v", len(list), err)
	}
	var value string
	if ok, err := s.Setting(ctx, stopPrefix+"a", &value); ok || err != nil {
		t.Error("the wish outlives its run")
	}
}
