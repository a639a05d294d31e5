package gui

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/gui/graphics"
)

// Memory is given back when no work was under way and no frame was drawn for restful,
// if spent was taken since the last time: giving it back costs a whole collection.
const (
	restful = 700 * time.Millisecond
	spent   = 32 << 20
)

// still is how long no frame was drawn when the driver gives back what it holds of the last
// one: to ask for that again makes the next one 10 to 15 ms longer.
const still = 2 * time.Second

// Garbage of frames is collected when none was drawn for pause, which is from one look for
// input to the next, if there is litter of it. Between two looks less than frameTakes is taken
// when no frame is drawn.
const (
	pause      = 10 * time.Millisecond
	litter     = 12 << 20
	frameTakes = 64 << 10
	frameLeast = 8 << 10 // and more than this by a frame in which nothing is new
)

// collector has garbage collected when nobody waits for a frame. Left to itself a
// collection begins where memory is taken, which is within a frame, and makes that one
// late. The collector keeps as much memory as was once in use, too, and opening a
// history or starting uses far more than looking at it.
type collector struct {
	read    func() (taken, cycles uint64) // bytes ever asked for, and collections so far
	collect func(giveBack bool)
	forget  func() // has the driver let go of the last frame

	working bool
	rest    time.Time // since when no work was under way and no frame was drawn
	wanted  bool      // memory is to be given back
	given   uint64    // what had been taken when it was given back last,
	clean   uint64    // at the last collection,
	taken   uint64    // and at the last look
	cycles  uint64
	drawn   bool // a frame that the driver has not let go of
}

func newCollector(w fyne.Window) *collector {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	return &collector{
		read: func() (taken, cycles uint64) {
			metrics.Read(samples)
			return samples[0].Value.Uint64(), samples[1].Value.Uint64()
		},
		collect: func(giveBack bool) {
			if giveBack {
				go debug.FreeOSMemory()
			} else {
				go runtime.GC()
			}
		},
		forget: func() { graphics.Forget(w) },
	}
}

// busy is called when work began and when all of it ended.
func (c *collector) busy(on bool) {
	c.working, c.rest = on, time.Now()
	if taken, _ := c.read(); !on && taken-c.given > spent {
		c.wanted = true
	}
}

// look is called before each frame that might be drawn.
func (c *collector) look(now time.Time) {
	taken, cycles := c.read()
	took := taken - c.taken
	if c.working || took > frameTakes {
		c.rest = now
	}
	c.drawn = c.drawn || took > frameLeast
	c.taken = taken
	if cycles != c.cycles {
		c.cycles, c.clean = cycles, taken
	}
	switch rests := now.Sub(c.rest); {
	case c.wanted && rests >= restful:
		c.wanted, c.given, c.clean = false, taken, taken
		c.collect(true)
	case !c.working && taken-c.clean > litter && rests >= pause:
		c.clean = taken
		c.collect(false)
	case c.drawn && rests >= still:
		c.drawn = false
		c.forget()
	}
}
