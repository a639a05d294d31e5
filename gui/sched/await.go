package sched

import "time"

// Await waits until the work that runs under a key has returned and its result
// is on its way to the window, no longer than limit. When nothing runs it
// returns at once. It may be called on the goroutine of the window, with a limit
// that nobody sees; the result is applied there afterwards.
func (s *Scheduler) Await(key string, limit time.Duration) {
	s.mu.Lock()
	j := s.jobs[key]
	s.mu.Unlock()
	if j == nil {
		return
	}
	over := time.NewTimer(limit)
	defer over.Stop()
	select {
	case <-j.returned:
	case <-over.C:
	}
}
