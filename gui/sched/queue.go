package sched

import "sync"

// Queue is a dispatcher for tests and for programs without a window: functions
// wait until the goroutine that owns it runs them.
type Queue struct {
	mu    sync.Mutex
	list  []func()
	ready chan struct{}
}

// NewQueue makes an empty queue.
func NewQueue() *Queue { return &Queue{ready: make(chan struct{}, 1)} }

// Dispatch puts a function at the end of the queue; hand it to New.
func (q *Queue) Dispatch(f func()) {
	q.mu.Lock()
	q.list = append(q.list, f)
	q.mu.Unlock()
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// Drain runs what waits, and what that adds, and returns how many ran.
func (q *Queue) Drain() int {
	n := 0
	for {
		q.mu.Lock()
		list := q.list
		q.list = nil
		q.mu.Unlock()
		if len(list) == 0 {
			return n
		}
		for _, f := range list {
			f()
			n++
		}
	}
}

// DrainUntilIdle runs functions until the scheduler is idle and nothing waits.
func (q *Queue) DrainUntilIdle(s *Scheduler) {
	for {
		q.Drain()
		s.mu.Lock()
		idle := s.idle
		s.mu.Unlock()
		select {
		case <-idle:
			if q.Drain() == 0 {
				return
			}
		case <-q.ready:
		}
	}
}
