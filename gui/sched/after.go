package sched

import "time"

// After calls f on the goroutine of the window when a time has passed, unless
// the scheduler was closed by then. The function it returns calls that off, and
// belongs to the goroutine of the window as well. Waiting is no work: it leaves
// the scheduler idle.
func (s *Scheduler) After(d time.Duration, f func()) (stop func()) {
	off := false
	t := time.AfterFunc(d, func() {
		s.dispatch(func() {
			s.mu.Lock()
			closed := s.closed
			s.mu.Unlock()
			if !off && !closed {
				f()
			}
		})
	})
	return func() { off = true; t.Stop() }
}
