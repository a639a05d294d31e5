package sched

import (
	"slices"
	"sync"
	"testing"
)

// What waits runs at once and in order, and none of it twice.
func TestABatchRunsAllThatWaits(t *testing.T) {
	var posted []func()
	b := NewBatch(func(f func()) { posted = append(posted, f) })
	var ran []int
	add := func(list ...int) {
		for _, n := range list {
			b.Dispatch(func() { ran = append(ran, n) })
		}
	}
	add(1, 2, 3)
	if len(posted) != 1 || len(ran) != 0 {
		t.Fatalf("%d turns asked for, %v ran", len(posted), ran)
	}
	posted[0]()
	add(4)
	add(5)
	if len(posted) != 2 || !slices.Equal(ran, []int{1, 2, 3}) {
		t.Fatalf("%d turns asked for, %v ran", len(posted), ran)
	}
	posted[1]()
	if !slices.Equal(ran, []int{1, 2, 3, 4, 5}) || len(posted) != 2 {
		t.Fatalf("%v ran in %d turns", ran, len(posted))
	}
}

// What a function dispatches waits for the next turn, which is asked for: a chain
// of them keeps no frame from being drawn.
func TestABatchEnds(t *testing.T) {
	var posted []func()
	ran := 0
	b := NewBatch(func(f func()) { posted = append(posted, f) })
	var again func()
	again = func() { ran++; b.Dispatch(again) }
	b.Dispatch(again)
	for turn := range 5 {
		posted[turn]()
	}
	if ran != 5 || len(posted) != 6 {
		t.Errorf("%d ran, %d turns asked for", ran, len(posted))
	}
}

// Nothing that any goroutine dispatches is lost.
func TestABatchLosesNothing(t *testing.T) {
	q := NewQueue()
	b := NewBatch(q.Dispatch)
	const routines, each = 8, 500
	ran, over := 0, make(chan struct{})
	var wg sync.WaitGroup
	for range routines {
		wg.Go(func() {
			for range each {
				b.Dispatch(func() { ran++ })
			}
		})
	}
	go func() { wg.Wait(); close(over) }()
	for alive := true; alive; {
		select {
		case <-over:
			alive = false
		case <-q.ready:
		}
		q.Drain()
	}
	q.Drain()
	if ran != routines*each {
		t.Errorf("%d of %d ran", ran, routines*each)
	}
}
