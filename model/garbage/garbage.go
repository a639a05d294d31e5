// Package garbage decides when garbage is collected, where the usual pace does not fit. What
// is asked for holds until it is taken back; of several the strictest does.
package garbage

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// asked counts who asks for another pace than the usual one.
var asked struct {
	sync.Mutex
	sparing, none int
	usual         int // while anybody asks
}

// sparingPercent is how much garbage [Sparing] allows, as a share of what is in use.
const sparingPercent = 20

// Sparing has garbage collected before it is a fifth of what is in use, until done is
// called: by default it may become as much again.
func Sparing() (done func()) { return ask(&asked.sparing) }

// None has no garbage collected until done is called. It is for a moment in which much is
// made and nothing of it is garbage: a collection would read memory that was not
// written yet, which the system then has to find twice.
func None() (done func()) { return ask(&asked.none) }

func ask(n *int) (done func()) {
	change := func(by int) {
		asked.Lock()
		defer asked.Unlock()
		if asked.sparing+asked.none == 0 {
			asked.usual = debug.SetGCPercent(-1)
		}
		*n += by
		debug.SetGCPercent(percent(asked.usual, asked.sparing, asked.none))
	}
	change(1)
	return sync.OnceFunc(func() { change(-1) })
}

// percent is how much garbage there may be, as a share of what is in use; -1: no matter.
func percent(usual, sparing, none int) int {
	switch {
	case none > 0 || usual < 0:
		return -1
	case sparing > 0:
		return min(usual, sparingPercent)
	}
	return usual
}

// setUsual changes the usual pace and returns the one before.
func setUsual(next int) (before int) {
	asked.Lock()
	defer asked.Unlock()
	if asked.sparing+asked.none == 0 {
		return debug.SetGCPercent(next)
	}
	before, asked.usual = asked.usual, next
	debug.SetGCPercent(percent(next, asked.sparing, asked.none))
	return before
}

// Late puts off the first collection of garbage until there are some 30 MB of it, as a verb
// on a small file never has: it saved a tenth of the time of a small verb. After it garbage
// is collected the sooner the more is in use: by default there may be as much of it as is
// in use, which with a large file is another file.
func Late() {
	usual := setUsual(800)
	inUse := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var collected func(*[16]byte)
	collected = func(*[16]byte) {
		metrics.Read(inUse)
		setUsual(beside(usual, inUse[0].Value.Uint64()))
		runtime.SetFinalizer(new([16]byte), collected)
	}
	runtime.SetFinalizer(new([16]byte), collected)
}

// beside is how much garbage there may be beside what is in use, as a share of it.
func beside(usual int, inUse uint64) int {
	const room, least = 40 << 20, 20
	return min(usual, max(least, int(100*room/max(inUse, 1))))
}
