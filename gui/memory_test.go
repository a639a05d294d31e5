package gui

import (
	"testing"
	"time"
)

// hall is a collector whose memory and clock are the test's.
type hall struct {
	*collector
	now           time.Time
	memory, count uint64
	small, whole  int // collections that were asked for
	forgot        int // frames that the driver let go of
}

func newHall() *hall {
	h := &hall{collector: newCollector(nil), now: time.Now()}
	h.forget = func() { h.forgot++ }
	h.read = func() (uint64, uint64) { return h.memory, h.count }
	h.collect = func(giveBack bool) {
		h.count++
		if giveBack {
			h.whole++
		} else {
			h.small++
		}
	}
	return h
}

// frames draws n frames one after the other, each of which takes memory.
func (h *hall) frames(n int, bytes uint64) {
	for range n {
		h.look(h.now)
		h.memory += bytes
		h.now = h.now.Add(17 * time.Millisecond)
	}
}

// rests looks for input n times, and draws nothing.
func (h *hall) rests(n int) { h.frames(n, 1<<10) }

func TestGarbageIsCollectedBetweenFrames(t *testing.T) {
	h := newHall()
	h.frames(100, 300<<10)
	if h.small+h.whole != 0 {
		t.Errorf("%d collections while every look drew a frame", h.small+h.whole)
	}
	h.rests(3)
	if h.small != 1 || h.whole != 0 {
		t.Errorf("after the frames: %d collections and %d that give memory back, want 1 and 0", h.small, h.whole)
	}
	h.rests(100)
	if h.small != 1 {
		t.Errorf("at rest: %d collections, want the one", h.small)
	}
	h.frames(10, 300<<10)
	h.rests(3)
	if h.small != 1 {
		t.Error("collected again although little was taken")
	}
}

func TestGarbageOfWorkIsNotCollectedWhileItRuns(t *testing.T) {
	h := newHall()
	h.busy(true)
	h.memory += 100 << 20
	h.rests(100)
	if h.small+h.whole != 0 {
		t.Error("work under way was held up by a collection")
	}
}

func TestMemoryIsGivenBackWhenNoFrameIsDrawn(t *testing.T) {
	h := newHall()
	h.busy(true)
	h.memory += 100 << 20
	h.busy(false)
	h.frames(100, 300<<10) // 1.7 s, in which the list is scrolled
	if h.whole != 0 {
		t.Error("memory was given back while frames were drawn")
	}
	h.rests(60)
	if h.whole != 1 {
		t.Errorf("given back %d times at rest, want once", h.whole)
	}
	h.busy(true)
	h.memory += 1 << 20
	h.busy(false)
	h.rests(60)
	if h.whole != 1 {
		t.Error("given back again although little was taken")
	}
}

func TestTheLastFrameIsForgottenAtRest(t *testing.T) {
	h := newHall()
	h.frames(100, 300<<10)
	h.rests(60)
	if h.forgot != 0 {
		t.Error("forgotten a second after it was drawn")
	}
	h.rests(300)
	if h.forgot != 1 {
		t.Errorf("forgotten %d times at rest, want once", h.forgot)
	}
	h.busy(true)
	h.rests(300)
	if h.forgot != 1 {
		t.Error("forgotten while work may have it drawn anew")
	}
	h.busy(false)
	h.rests(200)
	h.frames(1, 20<<10) // nothing is new in it
	h.rests(200)
	if h.forgot != 2 {
		t.Errorf("another frame: forgotten %d times, want twice", h.forgot)
	}
}
