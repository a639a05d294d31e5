package sched

import (
	"context"
	"sync/atomic"
	"time"
)

// A hand rests when it has moved nothing for handRests. Work that has time waits for that
// no longer than handWaits at a place, so that it goes on, slowly, under a hand that never
// rests.
const (
	handRests = 100 * time.Millisecond
	handWaits = 50 * time.Millisecond
)

// Hand is that of a person who drags something and watches what comes of it: work that
// has time leaves the processors to that. Its methods may be called from any goroutine.
type Hand struct{ moved atomic.Int64 }

// Move says that the hand moves now.
func (h *Hand) Move() { h.moved.Store(time.Now().UnixNano()) }

// Wait returns at once while the hand rests, else when it does, when work has waited
// long enough, or when ctx is done.
func (h *Hand) Wait(ctx context.Context) {
	end := time.Now().Add(handWaits)
	for {
		now := time.Now()
		rest := time.Unix(0, h.moved.Load()).Add(handRests)
		if rest.After(end) {
			rest = end
		}
		if !rest.After(now) {
			return
		}
		select {
		case <-time.After(rest.Sub(now)):
		case <-ctx.Done():
			return
		}
	}
}
