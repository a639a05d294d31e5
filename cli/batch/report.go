package batch

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"palimpsest/model"
)

// Log keeps how far batches are, for windows and other programs to see.
type Log interface {
	Batches(ctx context.Context) ([]model.BatchRun, error)
	BeginBatch(ctx context.Context, r model.BatchRun) error
	// NoteBatch reports whether somebody asked for the end of the run.
	NoteBatch(ctx context.Context, r model.BatchRun) (stop bool, err error)
}

// noteEvery is how often is noted how far a batch is.
const noteEvery = time.Second

// ErrStopped is the cause for which the context of a batch ends whose end somebody asked for.
var ErrStopped = errors.New("somebody asked for the end of this batch")

// Report notes how far the run of a batch is, each second, until End. Its methods may be
// called by any goroutine.
type Report struct {
	mu   sync.Mutex
	run  model.BatchRun
	log  Log
	stop context.CancelCauseFunc // the work
	end  context.CancelFunc      // the notes
	over sync.WaitGroup
}

// NewReport begins to note a run. The context it returns ends with [ErrStopped] when
// somebody asks for that. A log that can't be written keeps no file from being done.
func NewReport(ctx context.Context, log Log, run model.BatchRun) (*Report, context.Context) {
	run.Began = time.Now().UTC()
	run.Note(run.Began)
	r := &Report{run: run, log: log}
	ctx, stop := context.WithCancelCause(ctx)
	noting, end := context.WithCancel(context.WithoutCancel(ctx))
	r.stop, r.end = stop, end
	if log.BeginBatch(noting, run) != nil {
		return r, ctx
	}
	r.over.Go(func() {
		every(noting, noteEvery, func() {
			if asked, err := log.NoteBatch(noting, r.now()); err == nil && asked {
				stop(ErrStopped)
			}
		})
	})
	return r, ctx
}

// every calls f now and then until the context ends.
func every(ctx context.Context, d time.Duration, f func()) {
	tick := time.NewTicker(d)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f()
		}
	}
}

// now is the run as it is.
func (r *Report) now() model.BatchRun {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.Note(time.Now().UTC())
	run := r.run
	run.Done, run.Failures, run.Course = maps.Clone(run.Done), slices.Clone(run.Failures), slices.Clone(run.Course)
	return run
}

// Done counts a file by its outcome.
func (r *Report) Done(outcome string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run.Done == nil {
		r.run.Done = map[string]int{}
	}
	r.run.Done[outcome]++
}

// Failed counts a file that could not be done.
func (r *Report) Failed(path, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.Fail(path, why)
}

// End notes that nobody works on it any more.
func (r *Report) End() {
	r.end()
	r.over.Wait()
	r.stop(nil)
	run := r.now()
	run.Ended = run.Changed
	// Whoever looks sees after a while that nobody works on it.
	_, _ = r.log.NoteBatch(context.Background(), run)
}

// Follow notes how far the batches of a queue are, each second until the context ends and
// once more when it is stopped. Of a batch whose end somebody asked for it takes out what waits.
func Follow(ctx context.Context, q Queue, log Log) (stop func()) {
	return Every(ctx, noteEvery, func(ctx context.Context) { noteQueue(ctx, q, log) })
}

// Every calls f now and then, beside the caller, until it is stopped or the context ends, and
// once more at the end.
func Every(ctx context.Context, d time.Duration, f func(context.Context)) (stop func()) {
	going, end := context.WithCancel(ctx)
	var over sync.WaitGroup
	over.Go(func() {
		every(going, d, func() { f(going) })
		f(context.WithoutCancel(ctx))
	})
	return func() {
		end()
		over.Wait()
	}
}

// noteQueue notes each batch once. What can't be read or written now is tried again with
// the next note.
func noteQueue(ctx context.Context, q Queue, log Log) {
	by, err := q.ByBatch(ctx)
	if err != nil {
		return
	}
	list, err := log.Batches(ctx)
	if err != nil {
		return
	}
	for _, run := range list {
		c, there := by[run.ID]
		if !there || !run.Queued || c.Left() == 0 && !run.Ended.IsZero() {
			continue
		}
		if c.Failed != run.Failed {
			if run.Failures, err = q.Failures(ctx, run.ID, model.BatchFailures); err != nil {
				continue
			}
		}
		run.Total, run.Running, run.Done, run.Failed, run.Ended = c.All(), c.Running, c.Done, c.Failed, time.Time{}
		run.Note(time.Now().UTC())
		if c.Left() == 0 {
			run.Ended = run.Changed
		}
		if stop, err := log.NoteBatch(ctx, run); err == nil && stop && c.Waiting > 0 {
			_ = q.Drop(ctx, run.ID)
		}
	}
}
