package sched

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestWorkWaitsForTheHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h Hand
		waited := func(ctx context.Context) time.Duration {
			from := time.Now()
			h.Wait(ctx)
			return time.Since(from)
		}
		if d := waited(t.Context()); d != 0 {
			t.Errorf("waited %v for a hand that never moved", d)
		}
		h.Move()
		if d := waited(t.Context()); d != handWaits {
			t.Errorf("waited %v for a hand that moves, want %v", d, handWaits)
		}
		time.Sleep(handRests - handWaits - 10*time.Millisecond)
		if d := waited(t.Context()); d != 10*time.Millisecond {
			t.Errorf("waited %v for a hand that rests in 10 ms", d)
		}
		if d := waited(t.Context()); d != 0 {
			t.Errorf("waited %v for a hand that rests", d)
		}
		h.Move()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if d := waited(ctx); d != 0 {
			t.Errorf("waited %v although the work was cancelled", d)
		}
	})
}
