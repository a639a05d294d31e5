package sched

import (
	"testing"
	"time"
)

// A result that was waited for can be applied at once; what runs too long, and
// what does not run, holds nobody up.
func TestAwait(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	got := 0
	Follow(s, "k", value(7), func(n int, _ error) { got = n })
	s.Await("k", time.Hour)
	if q.Drain(); got != 7 {
		t.Errorf("the result is %d", got)
	}
	s.Await("k", time.Hour) // nothing runs

	release := make(chan struct{})
	Run(s, "k", blocked(8, release), func(n int, _ error) { got = n })
	s.Await("k", 0)
	if q.Drain(); got != 7 {
		t.Errorf("the result is %d before there is one", got)
	}
	close(release)
	s.Await("k", time.Hour)
	if q.Drain(); got != 8 {
		t.Errorf("the result is %d", got)
	}
}
