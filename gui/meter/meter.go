// Package meter measures what a person at the window waits for: how long it
// takes from the start to the first frame, and from an input to the frame that
// shows what it led to. It is for measurements alone: it works when the
// environment variable PALIMPSEST_METER names a file, and writes to it a line
// each:
//
//	frame UNIX-NANOSECONDS              the first frame was drawn
//	place NAME X Y WIDTH HEIGHT         where an object is, in pixels
//	shown MESSAGES                      a history's rows are shown
//	input MILLISECONDS                  from an input to the frame that shows it
//	made MILLISECONDS                   of it, until what the frame shows was made
//	still MILLISECONDS                  the same frame once more, of which nothing changed
//
// A file of that name with .still behind it asks for a number of still frames.
package meter

import (
	"fmt"
	"image"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/frame"
	"palimpsest/gui/sched"
)

// Variable is the environment variable that names the file.
const Variable = "PALIMPSEST_METER"

// Meter writes what it measures. All its methods belong to the UI goroutine; a
// nil Meter does nothing.
type Meter struct {
	out   io.Writer
	after *sched.Batch   // what runs when a frame is on the screen
	dot   *canvas.Raster // a transparent dot: it is made while a frame is drawn
	began bool           // the first frame was drawn
	input []input        // what was done and has no result yet, the latest last
	due   time.Time      // of the input whose result the next frame shows; zero: none
	made  time.Time      // when that was ready
	still int            // frames that are to be drawn again
	again time.Time      // when the present one was asked for; zero: none is
	list  []placed
}

// placed is an object whose place is reported.
type placed struct {
	name string
	what fyne.CanvasObject
	line string // that reported it last
}

// input is something a person did.
type input struct {
	of any
	at time.Time
}

// New gives the meter that the environment asks for; nil if it asks for none.
func New() *Meter {
	path := os.Getenv(Variable)
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, "meter:", err)
		return nil
	}
	m := &Meter{out: f, after: sched.NewBatch(fyne.Do)}
	frame.Before(m.after.Run) // the next frame must not come before what is said of this one
	m.dot = canvas.NewRaster(m.frame)
	m.dot.Resize(fyne.NewSize(1, 1))
	go m.watch(path + ".still")
	return m
}

// watch waits for the file that asks for still frames.
func (m *Meter) watch(path string) {
	for range time.Tick(100 * time.Millisecond) {
		text, err := os.ReadFile(path)
		n, _ := strconv.Atoi(string(text))
		if err == nil && n > 0 && os.Remove(path) == nil {
			fyne.Do(func() { m.still = n; m.drawAgain() })
		}
	}
}

// drawAgain has the same frame drawn once more.
func (m *Meter) drawAgain() {
	m.again = time.Now()
	m.dot.Refresh()
}

// Over puts the meter over the content of a window.
func (m *Meter) Over(content fyne.CanvasObject) fyne.CanvasObject {
	if m == nil {
		return content
	}
	return container.NewStack(content, container.NewWithoutLayout(m.dot))
}

// Input says that a person did something whose result will be seen later: what
// of reports it.
func (m *Meter) Input(of any) {
	if m != nil {
		m.input = append(m.input, input{of, time.Now()})
	}
}

// Result says that the next frame shows what an input led to. Inputs before it
// whose results were passed over count no longer.
func (m *Meter) Result(of any) {
	if m == nil {
		return
	}
	m.dot.Refresh()
	for i, in := range slices.Backward(m.input) {
		if !reflect.DeepEqual(in.of, of) {
			continue
		}
		if m.due.IsZero() { // else a frame is late, and the older input has waited longer
			m.due = in.at
		}
		m.made = time.Now()
		m.input = slices.Delete(m.input, 0, i+1)
		return
	}
}

// Shown says that so many messages can be looked at.
func (m *Meter) Shown(messages int) {
	if m != nil {
		fmt.Fprintln(m.out, "shown", messages)
	}
}

// Place has it report where an object is in the window, after the next frame that
// is not measured, and again when that has changed: before a frame is drawn, things
// may still be laid out.
func (m *Meter) Place(name string, o fyne.CanvasObject) {
	if m == nil {
		return
	}
	m.list = slices.DeleteFunc(m.list, func(p placed) bool { return p.name == name })
	m.list = append(m.list, placed{name: name, what: o})
}

func (m *Meter) reportPlaces() {
	for i := range m.list {
		p := &m.list[i]
		at, size := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.what), p.what.Size()
		scale := float32(1)
		if c := fyne.CurrentApp().Driver().CanvasForObject(p.what); c != nil {
			scale = c.Scale()
		}
		line := fmt.Sprintf("place %s %.0f %.0f %.0f %.0f", p.name, at.X*scale, at.Y*scale, size.Width*scale, size.Height*scale)
		if line != p.line {
			p.line = line
			fmt.Fprintln(m.out, line)
		}
	}
}

// frame is called while a frame is drawn; what it queues runs when the frame is
// on the screen.
func (m *Meter) frame(w, h int) image.Image {
	m.after.Dispatch(m.drawn)
	return image.NewNRGBA(image.Rect(0, 0, w, h))
}

func (m *Meter) drawn() {
	now := time.Now()
	if !m.began {
		m.began = true
		fmt.Fprintln(m.out, "frame", now.UnixNano())
	}
	measured := !m.due.IsZero()
	if measured {
		fmt.Fprintf(m.out, "input %.2f\nmade %.2f\n", milliseconds(now.Sub(m.due)), milliseconds(m.made.Sub(m.due)))
		m.due = time.Time{}
	}
	if m.again.IsZero() {
		if !measured { // looking for places takes a part of a millisecond of the next frame
			m.reportPlaces()
		}
		return
	}
	fmt.Fprintf(m.out, "still %.2f\n", milliseconds(now.Sub(m.again)))
	m.again = time.Time{}
	if m.still--; m.still > 0 {
		m.drawAgain()
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
