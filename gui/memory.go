package gui

import (
	"runtime/debug"
	"runtime/metrics"
	"time"

	"fyne.io/fyne/v2"
)

// restful is how long no work must have been under way before memory is given
// back, and spent how much must have been taken since the last time: giving it
// back costs a whole collection.
const (
	restful = 700 * time.Millisecond
	spent   = 32 << 20
)

// giveBack gives memory back to the system when the window rests: the garbage
// collector keeps as much as was once in use, and opening a history or starting
// uses far more than looking at it.
type giveBack struct {
	timer *time.Timer
	given uint64 // bytes that had been taken when it was given back last
}

// busy is called when work began and when all of it ended.
func (g *giveBack) busy(on bool) {
	if g.timer != nil {
		g.timer.Stop()
		g.timer = nil
	}
	if now := takenBytes(); !on && now-g.given > spent {
		g.timer = time.AfterFunc(restful, func() {
			debug.FreeOSMemory()
			fyne.Do(func() { g.given = now })
		})
	}
}

// takenBytes is how much memory the program ever asked for.
func takenBytes() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
