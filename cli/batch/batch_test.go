package batch

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"palimpsest/model"
)

// Results come in the order of the files however long each takes, and no more run at a time
// than were asked for.
func TestResultsComeInOrder(t *testing.T) {
	const n, workers = 50, 4
	var atOnce, most atomic.Int32
	var started sync.WaitGroup
	started.Add(workers)
	var first atomic.Int32
	var got []int
	Run(n, workers, func(i int) int {
		if now := atOnce.Add(1); now > most.Load() {
			most.Store(now)
		}
		defer atOnce.Add(-1)
		if first.Add(1) <= workers { // the first ones wait for each other: so many do run together
			started.Done()
			started.Wait()
		}
		return i * i
	}, func(i, r int) {
		if r != i*i {
			t.Errorf("of %d: %d", i, r)
		}
		got = append(got, i)
	})
	if !slices.IsSorted(got) || len(got) != n {
		t.Errorf("%v", got)
	}
	Run(0, 3, func(int) bool { return true }, func(int, bool) { t.Error("of nothing") })
	if m := most.Load(); m > workers {
		t.Errorf("%d at once", m)
	}
}

func TestProgress(t *testing.T) {
	at := time.Unix(0, 0)
	clock := func() time.Time { return at }
	var bar, lines, quick bytes.Buffer
	b, l, q := NewProgress(&bar, 60, 10, clock), NewProgress(&lines, 0, 10, clock), NewProgress(&quick, 60, 10, clock)
	var others bytes.Buffer
	each := NewProgress(&others, 60, 0, clock).Of("replays")
	at = at.Add(time.Second)
	if each(3, 81); !strings.Contains(others.String(), "3 of 81 replays, 1 s") {
		t.Errorf("other things than files: %q", others.String())
	}
	at = time.Unix(0, 0)
	for range 10 {
		q.Done(false)
	}
	if quick.Len() != 0 {
		t.Errorf("shown for nothing: %q", quick.String())
	}
	for i := range 9 {
		at = at.Add(4 * time.Second)
		b.Done(i == 2)
		l.Done(i == 2)
	}
	b.Clear()
	if got := bar.String(); !strings.Contains(got, "[####") || !strings.Contains(got, "9 of 10 files, 1 not done, 36 s") || !strings.HasSuffix(got, " \r") {
		t.Errorf("bar %q", got)
	}
	for _, part := range strings.Split(bar.String(), "\r") {
		if len(part) >= 60 {
			t.Errorf("wider than the terminal: %q", part)
		}
	}
	if got := lines.String(); got != "3 of 10 files, 1 not done, 12 s\n6 of 10 files, 1 not done, 24 s\n9 of 10 files, 1 not done, 36 s\n" {
		t.Errorf("lines %q", got)
	}
}

// logOf notes in memory, and asks for the end after some notes.
type logOf struct {
	Log
	notes []model.BatchRun
	stop  int
}

func (l *logOf) BeginBatch(context.Context, model.BatchRun) error { return nil }

func (l *logOf) NoteBatch(_ context.Context, r model.BatchRun) (bool, error) {
	l.notes = append(l.notes, r)
	return len(l.notes) >= l.stop, nil
}

// Whoever asks for the end of a batch ends its context, with a cause of its own.
func TestReportIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &logOf{stop: 3}
		r, ctx := NewReport(t.Context(), log, model.BatchRun{Total: 4})
		r.Done("applied")
		r.Failed("/bad", "why")
		<-ctx.Done()
		if !errors.Is(context.Cause(ctx), ErrStopped) {
			t.Error(context.Cause(ctx))
		}
		r.End()
		last := log.notes[len(log.notes)-1]
		if took := last.Changed.Sub(last.Began); took != 3*noteEvery || last.Ended.IsZero() || last.Finished() != 2 || last.Left() != 2 {
			t.Errorf("after %v: %+v", took, last)
		}
	})
}
