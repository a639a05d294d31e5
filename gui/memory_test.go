package gui

import (
	"testing"
	"testing/synctest"
	"time"
)

// Memory is given back once when work has ended for a while, and only if it took much.
func TestMemoryIsGivenBackAtRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var taken uint64
		given := 0
		busy := givesBack(func() uint64 { return taken }, func() { given++ })
		work := func(bytes uint64, rests time.Duration) {
			busy(true)
			taken += bytes
			time.Sleep(5 * time.Second)
			busy(false)
			time.Sleep(rests)
			synctest.Wait()
		}
		work(100<<20, restful/2)
		if work(1<<20, restful/2); given != 0 {
			t.Error("given back between two pieces of work")
		}
		if time.Sleep(restful); given != 1 {
			t.Errorf("given back %d times at rest, want once", given)
		}
		if work(1<<20, time.Minute); given != 1 {
			t.Error("given back again although little was taken")
		}
	})
}
