package chart

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"palimpsest/gui/kit"
)

// Point is one value of a series.
type Point struct{ X, Y float64 }

// Series is a curve. Points are ordered by X and must not be written to after
// they were handed over; several points may share an X (a drop).
type Series struct {
	Points []Point
	Color  fyne.ThemeColorName
	Dotted bool // simulated; a solid curve is recorded
	Name   string
}

// Level is a horizontal line at a value. Of one that is above the axis nothing
// is drawn, but for one that can be dragged: its tag is at the upper edge,
// with an arrow, and can be pulled down from there.
type Level struct {
	ID     string
	Value  float64
	Label  string
	Color  fyne.ThemeColorName
	Dashed bool
	Tag    bool // the label is in a filled tag on the line, at its left end
	Drag   bool // can be dragged, which calls OnDragLevel
}

// Band is a shaded range of x.
type Band struct {
	ID       string
	From, To float64
	Color    fyne.ThemeColorName
	Drag     bool // its left edge can be dragged, which calls OnDragBand
}

// Mark is a place on the x axis: a vertical line with a diamond and a label at
// its top, or, when it is simulated, a triangle on the axis.
type Mark struct {
	X         float64
	Label     string
	Simulated bool
	Color     fyne.ThemeColorName // of a simulated one
	// Value is the height of a dot at X: what would have been, had nothing been done
	// there. 0: none.
	Value float64
}

// Data is what a Timeline shows. It is a value: a change is new Data.
type Data struct {
	Series  []Series
	Levels  []Level
	Bands   []Band
	Marks   []Mark
	Ticks   []float64 // places that are marked at the foot
	Base    []Base    // the filled band at the bottom, in order; empty: none
	XMin    float64
	XMax    float64
	YMax    float64 // 0: from the data
	Unknown string  // shown in the middle when there is no series
}

// Base is the height of the band at the bottom from X on, until the next one.
type Base struct {
	X, Y float64
	Tag  string // written at its right end where there is room
}

// MostOf is the greatest height of a band.
func MostOf(band []Base) (most float64) {
	for _, b := range band {
		most = max(most, b.Y)
	}
	return most
}

// Timeline draws curves over a common x axis: solid and dotted lines, limits,
// marks, a shared cursor. A click selects an x, dragging zooms, the wheel zooms
// at the pointer, a double click shows everything again. It knows nothing of
// what its numbers mean; the functions given to it put them into words.
type Timeline struct {
	plot

	OnSelect    func(x float64)                               // click, or the arrow keys
	OnDragLevel func(id string, value float64, released bool) // a Level with Drag is moved
	OnDragBand  func(id string, from float64, released bool)  // the edge of a Band with Drag is moved
	OnMark      func(m Mark)                                  // click on the diamond or triangle of a mark, once its place was selected
	OnMenu      func(x float64, at fyne.Position)             // the other button, at a place of the window
	OnView      func(from, to float64)                        // the visible range changed by a person
	OnHover     func(x float64, inside bool)                  // for a cursor shared with other charts
	FormatX     func(float64) string
	FormatY     func(float64) string
	Hover       func(x float64) []string // the words at the pointer, one line each; nil shows none, no lines the place alone

	// Snap is where the pointer comes to rest: the x nearest to it that has a value.
	// What is shown at the pointer and what a click selects are of the same x. nil:
	// the nearest whole number.
	Snap func(x float64) float64

	data      Data
	cursor    float64
	hasCursor bool
	from, to  float64 // the visible range of x
	hoverX    float64
	hovering  bool
	focused   bool
	drag      dragState
	last      fyne.Position
	area      frame
}

var (
	_ fyne.Focusable      = (*Timeline)(nil)
	_ fyne.Draggable      = (*Timeline)(nil)
	_ fyne.Scrollable     = (*Timeline)(nil)
	_ fyne.DoubleTappable = (*Timeline)(nil)
	_ desktop.Mouseable   = (*Timeline)(nil)
	_ desktop.Hoverable   = (*Timeline)(nil)
	_ desktop.Cursorable  = (*Timeline)(nil)
)

// empty reports whether there is nothing that axes would measure.
func (d *Data) empty() bool { return len(d.Series) == 0 && len(d.Levels) == 0 }

// NewTimeline makes an empty chart.
func NewTimeline() *Timeline {
	t := &Timeline{FormatX: plain, FormatY: plain, to: 1}
	t.init(t)
	return t
}

// Set shows data. The visible range is kept if it is still in the data and
// the data's range did not change.
func (t *Timeline) Set(d Data) {
	if d.XMin != t.data.XMin || d.XMax != t.data.XMax {
		t.from, t.to = d.XMin, d.XMax
	}
	t.data = d
	t.Refresh()
}

// Data is what is shown.
func (t *Timeline) Data() Data { return t.data }

// SetCursor places the shared cursor.
func (t *Timeline) SetCursor(x float64) {
	if t.hasCursor && t.cursor == x {
		return
	}
	t.cursor, t.hasCursor = x, true
	t.replace()
}

// ClearCursor takes the cursor away.
func (t *Timeline) ClearCursor() { t.hasCursor = false; t.replace() }

// View is the visible range of x.
func (t *Timeline) View() (from, to float64) { return t.from, t.to }

// SetView shows a range of x; it is kept inside the data. No callback is called.
func (t *Timeline) SetView(from, to float64) {
	lo, hi := t.data.XMin, t.data.XMax
	least := math.Max((hi-lo)/5000, 1e-9)
	if to-from < least {
		m := (from + to) / 2
		from, to = m-least/2, m+least/2
	}
	if to-from >= hi-lo {
		from, to = lo, hi
	}
	if from < lo {
		from, to = lo, lo+to-from
	}
	if to > hi {
		from, to = hi-(to-from), hi
	}
	if from != t.from || to != t.to {
		t.from, t.to = from, to
		t.Refresh()
	}
}

func (t *Timeline) userView(from, to float64) {
	f0, t0 := t.from, t.to
	t.SetView(from, to)
	if (f0 != t.from || t0 != t.to) && t.OnView != nil {
		t.OnView(t.from, t.to)
	}
}

// frame is where the curves are drawn, in the widget's units.
type frame struct{ x, y, w, h float64 }

// measure takes over size, text scale and data before anything is placed.
func (t *Timeline) measure() {
	s := t.BaseWidget.Size()
	l, top, r, b := float64(kit.Px(48)), float64(kit.Px(15)), float64(kit.Px(12)), float64(kit.Px(24))
	t.area = frame{l, top, math.Max(1, float64(s.Width)-l-r), math.Max(1, float64(s.Height)-top-b)}
	t.paint.top = t.top()
}

// top is the value at the upper edge. It stays while a level is moved: else the
// hand would move the axis that says what it means.
func (t *Timeline) top() float64 {
	if t.drag.kind == dragLevel {
		return t.paint.top
	}
	if t.data.YMax > 0 {
		return t.data.YMax
	}
	top := MostOf(t.data.Base)
	for _, l := range t.data.Levels {
		top = max(top, l.Value)
	}
	for _, s := range t.data.Series {
		for _, p := range s.Points {
			top = max(top, p.Y)
		}
	}
	if top <= 0 || math.IsInf(top, 0) || math.IsNaN(top) {
		return 1
	}
	return top * 1.06
}

// baseSpan is the part of the k-th height of the band that is in view; from = to: none.
func (t *Timeline) baseSpan(k int) (from, to float64) {
	from, to = math.Max(t.from, t.data.Base[k].X), t.to
	if k+1 < len(t.data.Base) {
		to = math.Min(to, t.data.Base[k+1].X)
	}
	return from, math.Max(from, to)
}

func (t *Timeline) px(x float64) float64 {
	f := t.area
	if t.to <= t.from {
		return f.x
	}
	return f.x + (x-t.from)/(t.to-t.from)*f.w
}

func (t *Timeline) py(y float64) float64 {
	f := t.area
	return f.y + f.h*(1-y/t.paint.top)
}

func (t *Timeline) valueX(px float32) float64 {
	f := t.area
	return t.from + math.Max(0, math.Min(1, (float64(px)-f.x)/f.w))*(t.to-t.from)
}

func (t *Timeline) valueY(py float32) float64 {
	f := t.area
	return math.Max(0, math.Min(1, 1-(float64(py)-f.y)/f.h)) * t.paint.top
}

func plain(v float64) string { return trimNumber(v) }
