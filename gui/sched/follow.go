package sched

import "context"

// Follow is Run for work whose results a person watches while asking for more,
// as while a slider is dragged. What runs under the key is not cancelled: it
// ends and is applied, and of what was asked for meanwhile only the newest runs
// next. With Run nothing would be seen while requests come faster than results.
//
// Run under the same key, and Cancel, end it as they end any work.
func Follow[T any](s *Scheduler, key string, work func(ctx context.Context, progress func(Progress)) (T, error), apply func(T, error)) {
	if s.queue(key, func() { Follow(s, key, work, apply) }) {
		return
	}
	run(s, key, true, work, apply)
}

// goOn starts what was asked for while work was followed, or while its result
// was applied, and forgets the work.
func (s *Scheduler) goOn(key string, j *job) {
	s.mu.Lock()
	next := j.after
	if s.jobs[key] != j || s.closed {
		next = nil
	} else if j.followed {
		delete(s.jobs, key)
	}
	s.mu.Unlock()
	if next != nil {
		next()
	}
}

// queue makes a request the next under a key, if work that is followed runs
// under it.
func (s *Scheduler) queue(key string, next func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.jobs[key]
	if j == nil || !j.followed || s.closed {
		return false
	}
	j.after = next
	return true
}
