package model

import (
	"testing"
	"time"
)

// The rate of a batch is that of its last notes: what was found done at first, all at
// once, has no part in it after a while.
func TestBatchRate(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	b := BatchRun{Total: 1000, Done: map[string]int{"already": 500}}
	b.Note(at)
	if _, known := b.Rate(); known {
		t.Error("a rate of one note")
	}
	for range 100 {
		at = at.Add(time.Second)
		b.Done["applied"] += 4
		b.Note(at)
	}
	b.Note(at.Add(time.Millisecond)) // another worker, at the same time
	if rate, known := b.Rate(); !known || rate != 4 {
		t.Errorf("rate %v", rate)
	}
	if left, known := b.Remaining(); !known || left != 25*time.Second || b.Left() != 100 || b.Share() != .9 {
		t.Errorf("%v left, %d files, %v", left, b.Left(), b.Share())
	}
	if !b.Works(at.Add(BatchSilent)) || b.Works(at.Add(BatchSilent+time.Second)) {
		t.Error("who works on it")
	}
	b.Ended = at
	if b.Works(at) || !b.Shown(at.Add(LiveFor)) || b.Shown(at.Add(LiveFor+time.Second)) {
		t.Error("when it has ended")
	}
}
