// Package sched runs the background work of the window.
//
// There is one scheduler. Work is started under a key that names what its
// result is for ("plan", "detail"). Of the requests under one key only the
// newest counts: starting one cancels the one before it, and the result of an
// older one is thrown away even if it comes later. So a slider may start work
// on every move. [Follow] is for work that is watched on the way.
//
// Work runs on a goroutine of its own and must touch nothing of the window. Its
// result, and its progress, reach the window through the dispatcher given to
// [New], which runs a function on the goroutine that owns the window; there,
// and nowhere else, it is checked that the work is still the newest of its key,
// and apply is called. A panic in
// the work becomes an error with the stack in it (see [Panic]).
//
// [Scheduler.Idle] and [Scheduler.Wait] make the state observable, so that
// tests wait for it and never sleep. Work that was cancelled still counts as
// running until it has returned.
package sched

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// progressEvery is the least time between two reports of progress.
const progressEvery = time.Second / 20

// Progress is how far work has come.
type Progress struct {
	Done, Total int64  // Total of 0: unknown
	Text        string // what it is doing
}

// Panic is the error of work that panicked.
type Panic struct {
	Value any
	Stack string
}

func (p *Panic) Error() string { return fmt.Sprintf("internal error: %v", p.Value) }

// Details is the whole story, for people who report it.
func (p *Panic) Details() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Scheduler runs work. Its methods may be called from any goroutine.
type Scheduler struct {
	dispatch func(func())
	ctx      context.Context
	stop     context.CancelFunc

	mu      sync.Mutex
	jobs    map[string]*job // the newest under each key, until its result is applied
	running int             // goroutines and results on their way
	idle    chan struct{}   // closed while nothing is running
	closed  bool

	onProgress func(key string, p Progress)
	onBusy     func(busy bool)
}

type job struct {
	cancel   context.CancelFunc
	followed bool   // see Follow
	after    func() // starts the newest request that came since; nil: none
	// the newest progress that was not shown yet
	pmu     sync.Mutex
	next    Progress
	pending bool
	last    time.Time
	timer   *time.Timer
	over    bool
}

// New makes a scheduler. dispatch runs a function on the goroutine of the
// window, later or at once, in the order of the calls.
func New(dispatch func(func())) *Scheduler {
	s := &Scheduler{dispatch: dispatch, jobs: map[string]*job{}, idle: make(chan struct{})}
	s.ctx, s.stop = context.WithCancel(context.Background())
	close(s.idle)
	return s
}

// OnProgress sets what is called with progress, on the goroutine of the window. Set
// it before the first Run.
func (s *Scheduler) OnProgress(f func(key string, p Progress)) { s.onProgress = f }

// OnBusy sets what is called, on the goroutine of the window, when work began and
// when all of it ended. Set it before the first Run.
func (s *Scheduler) OnBusy(f func(busy bool)) { s.onBusy = f }

// Run starts work under a key and cancels what ran under it. apply is called on
// the goroutine of the window with the result, unless newer work was started
// under the key, the key was cancelled or the scheduler closed. The work is
// expected to return soon after its context is done. After Close, Run does
// nothing.
func Run[T any](s *Scheduler, key string, work func(ctx context.Context, progress func(Progress)) (T, error), apply func(T, error)) {
	run(s, key, false, work, apply)
}

func run[T any](s *Scheduler, key string, followed bool, work func(context.Context, func(Progress)) (T, error), apply func(T, error)) {
	ctx, j := s.start(key, followed)
	if j == nil {
		return
	}
	go func() {
		v, err := guard(func() (T, error) {
			return work(ctx, func(p Progress) { s.progress(key, j, p) })
		})
		j.finish()
		s.dispatch(func() {
			defer s.ended()
			if s.take(key, j) {
				apply(v, err)
				s.goOn(key, j)
			}
		})
	}()
}

// Do is Run for work without a value.
func Do(s *Scheduler, key string, work func(ctx context.Context, progress func(Progress)) error, apply func(error)) {
	Run(s, key, func(ctx context.Context, p func(Progress)) (struct{}, error) {
		return struct{}{}, work(ctx, p)
	}, func(_ struct{}, err error) { apply(err) })
}

// guard turns a panic into an error.
func guard[T any](f func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Panic{Value: p, Stack: string(debug.Stack())}
		}
	}()
	return f()
}

// start makes a job the newest of its key; nil if the scheduler is closed.
func (s *Scheduler) start(key string, followed bool) (context.Context, *job) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, nil
	}
	if old := s.jobs[key]; old != nil {
		old.cancel()
	}
	ctx, cancel := context.WithCancel(s.ctx)
	j := &job{cancel: cancel, followed: followed}
	s.jobs[key] = j
	s.running++
	first := s.running == 1
	if first {
		s.idle = make(chan struct{})
	}
	s.mu.Unlock()
	if first && s.onBusy != nil {
		s.dispatch(func() { s.onBusy(true) })
	}
	return ctx, j
}

// take reports whether the job is still the newest of its key, and forgets it,
// or lets goOn do that.
func (s *Scheduler) take(key string, j *job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	j.cancel()
	if s.jobs[key] != j {
		return false
	}
	if !j.followed {
		delete(s.jobs, key)
	}
	return !s.closed
}

// ended is called on the goroutine of the window.
func (s *Scheduler) ended() {
	s.mu.Lock()
	s.running--
	last := s.running == 0
	if last {
		close(s.idle)
	}
	s.mu.Unlock()
	if last && s.onBusy != nil {
		s.onBusy(false)
	}
}

// progress shows the newest progress of a job, not more often than
// progressEvery; what comes sooner replaces what still waits.
func (s *Scheduler) progress(key string, j *job, p Progress) {
	if s.onProgress == nil {
		return
	}
	j.pmu.Lock()
	if j.over {
		j.pmu.Unlock()
		return
	}
	j.next = p
	if j.pending {
		j.pmu.Unlock()
		return
	}
	j.pending = true
	wait := progressEvery - time.Since(j.last)
	if wait > 0 {
		j.timer = time.AfterFunc(wait, func() { s.show(key, j) })
	}
	j.pmu.Unlock()
	if wait <= 0 {
		s.show(key, j)
	}
}

func (s *Scheduler) show(key string, j *job) {
	s.dispatch(func() {
		j.pmu.Lock()
		p, over := j.next, j.over
		j.pending, j.last = false, time.Now()
		j.pmu.Unlock()
		s.mu.Lock()
		current := s.jobs[key] == j && !s.closed
		s.mu.Unlock()
		if current && !over {
			s.onProgress(key, p)
		}
	})
}

// finish stops reports of progress: a result must not be followed by them.
func (j *job) finish() {
	j.pmu.Lock()
	defer j.pmu.Unlock()
	j.over = true
	if j.timer != nil {
		j.timer.Stop()
	}
}

// Cancel cancels the work of keys; its results are not applied.
func (s *Scheduler) Cancel(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		if j := s.jobs[key]; j != nil {
			j.cancel()
			delete(s.jobs, key)
		}
	}
}

// Running reports whether work of a key is under way or waits to be applied.
func (s *Scheduler) Running(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.jobs[key] != nil
}

// Idle reports whether no work is under way and no result waits to be applied.
func (s *Scheduler) Idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running == 0
}

// Wait waits until the scheduler is idle. It must not be called on the
// goroutine of the window, which has to apply the results.
func (s *Scheduler) Wait(ctx context.Context) error {
	s.mu.Lock()
	idle := s.idle
	s.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close cancels everything. No result is applied any more. It may be called
// again, and does not wait: see Wait.
func (s *Scheduler) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.stop()
	clear(s.jobs)
}
