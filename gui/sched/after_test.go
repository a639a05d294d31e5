package sched

import "testing"

// What waits for a time is run by the dispatcher, by no goroutine of its own;
// once it was called off, or the scheduler closed, not even if its time had come.
func TestAfterIsDispatched(t *testing.T) {
	came := make(chan func())
	s := New(func(f func()) { came <- f })
	ran := 0
	s.After(0, func() { ran++ })
	f := <-came
	if ran != 0 || !s.Idle() {
		t.Fatalf("ran %d times before it was dispatched, idle %v", ran, s.Idle())
	}
	f()
	if ran != 1 {
		t.Fatalf("ran %d times", ran)
	}
	stop := s.After(0, func() { ran++ })
	f = <-came
	stop()
	f()
	s.After(0, func() { ran++ })
	f = <-came
	s.Close()
	f()
	if ran != 1 {
		t.Errorf("ran %d times, though it was called off", ran)
	}
}
