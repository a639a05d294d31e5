package chart

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"palimpsest/gui/kit"
)

// HeatState is whether a cell of a heat map has a value.
type HeatState uint8

// The states.
const (
	HeatValue      HeatState = iota // a value
	HeatWaiting                     // not measured
	HeatUnknown                     // measured, but nobody knows the value
	HeatImpossible                  // there is nothing to measure
)

// HeatCell is one cell.
type HeatCell struct {
	State HeatState
	Shade float64 // 0–1: how strong its colour is
	Text  string  // the value
	Note  string  // a second line, where there is room
	Flag  bool    // a corner in the colour of a warning
}

// HeatData is what a HeatMap shows: one map, or several of equal columns and rows
// beside each other. Cells come map by map, in a map row by row, the lowest row
// first. It is a value: a change is new HeatData.
type HeatData struct {
	Columns, Rows []string
	XName, YName  string
	Maps          []HeatTitle // none: one map without a title
	Cells         []HeatCell
	Current       int // a cell with a frame and a dot; −1: none
	Marks         []HeatMark
	Shades        bool
}

// HeatTitle is the head of one of several maps.
type HeatTitle struct{ Name, Note string }

// HeatMark is a cell with a thin frame and a badge.
type HeatMark struct {
	Cell  int
	Badge string
}

// HeatMap is a grid of cells, each with a number and a shade, of which one can
// be chosen with the pointer or the arrow keys. Numbers are left out where they
// do not fit, and with Shades.
type HeatMap struct {
	plot

	OnSelect func(cell int) // a person chose a cell
	OnOpen   func(cell int) // Enter, or a double click
	OnHover  func(cell int) // the pointer is over a cell; −1: over none

	data     HeatData
	selected int
	hovered  int
	focused  bool
	areas    []frame // of the maps
	single   bool    // one map at a time: the front one
	front    int
	tabs     []frame // of the titles, where one map is shown at a time
}

var (
	_ fyne.Focusable      = (*HeatMap)(nil)
	_ fyne.Tappable       = (*HeatMap)(nil)
	_ fyne.DoubleTappable = (*HeatMap)(nil)
	_ desktop.Hoverable   = (*HeatMap)(nil)
)

// cellGap is between two cells, in units of the canvas.
const cellGap = 2

// NewHeatMap makes an empty map.
func NewHeatMap() *HeatMap {
	h := &HeatMap{selected: -1, hovered: -1}
	h.data.Current = -1
	h.init(h)
	return h
}

// Set shows data; the chosen cell stays while there is one in its place.
func (h *HeatMap) Set(d HeatData) {
	fresh := len(d.Maps) != len(h.data.Maps)
	h.data = d
	if h.selected >= len(d.Cells) {
		h.selected = -1
	}
	if fresh {
		h.front = max(0, d.Current/h.each())
	}
	h.Refresh()
}

// Data is what is shown.
func (h *HeatMap) Data() HeatData { return h.data }

// Selected is the chosen cell, −1 if none.
func (h *HeatMap) Selected() int { return h.selected }

// Select chooses a cell; −1 none. No callback is called.
func (h *HeatMap) Select(cell int) {
	if cell != h.selected && cell < len(h.data.Cells) {
		if h.selected = cell; cell >= 0 && cell/h.each() != h.front {
			h.show(cell / h.each())
			return
		}
		h.replace()
	}
}

// show brings a map to the front.
func (h *HeatMap) show(k int) {
	if h.front = k; h.ready {
		h.Refresh()
	}
}

// seen reports whether a cell is in a map that is shown.
func (h *HeatMap) seen(cell int) bool {
	return cell >= 0 && cell < len(h.data.Cells) && (!h.single || cell/h.each() == h.front)
}

func (h *HeatMap) choose(cell int) {
	if cell < 0 || cell >= len(h.data.Cells) {
		return
	}
	h.Select(cell)
	if h.OnSelect != nil {
		h.OnSelect(cell)
	}
}

// The least width of a cell, beside which maps go below each other, and its least
// height, beside which one is shown at a time.
const leastCell, leastRow = 20, 16

// measure finds the room of the maps' cells: what the labels leave.
func (h *HeatMap) measure() {
	s := h.BaseWidget.Size()
	width := func(text string) float64 {
		return float64(fyne.MeasureText(text, kit.FontPx(11), fyne.TextStyle{Bold: true}).Width)
	}
	left := float64(kit.Px(20))
	for _, r := range h.data.Rows {
		left = math.Max(left, width(r))
	}
	first := math.Max(0, width(h.data.YName)-left) // the name of the rows is beside the first maps
	left += float64(kit.Px(8))
	n := max(1, len(h.data.Maps))
	across, gap := n, float64(kit.Px(10))
	share := func() float64 { return (float64(s.Width) - first) / float64(across) }
	for across > 1 && share() < left+gap+float64(kit.Px(leastCell))*float64(len(h.data.Columns)) {
		across--
	}
	down := (n + across - 1) / across
	across = (n + down - 1) / down // as many in each row
	t, b := 0.0, float64(kit.Px(36))
	if len(h.data.Maps) > 0 {
		t = float64(kit.Px(22))
	}
	if across == 1 {
		gap = 0
	}
	l, w, high := left+first, share(), float64(s.Height)/float64(down)
	h.areas = h.areas[:0]
	h.single = n > 1 && (high-t-b)/float64(max(1, len(h.data.Rows))) < float64(kit.Px(leastRow))
	if h.single {
		h.areas = append(h.areas, make([]frame, n)...)
		h.areas[h.front] = frame{l, t, math.Max(1, float64(s.Width)-l), math.Max(1, float64(s.Height)-t-b)}
		return
	}
	for i := range n {
		x, y := float64(i%across)*w+l, float64(i/across)*high+t
		h.areas = append(h.areas, frame{x, y, math.Max(1, w-left-gap), math.Max(1, high-t-b)})
	}
}

// each is how many cells a map has.
func (h *HeatMap) each() int { return max(1, len(h.data.Columns)*len(h.data.Rows)) }

// box is the rectangle of a cell.
func (h *HeatMap) box(cell int) frame {
	nx, ny := len(h.data.Columns), len(h.data.Rows)
	area := h.areas[min(cell/h.each(), len(h.areas)-1)]
	cell %= h.each()
	w, t := area.w/float64(nx), area.h/float64(ny)
	x, y := cell%nx, ny-1-cell/nx
	x0, y0 := math.Round(area.x+float64(x)*w), math.Round(area.y+float64(y)*t)
	x1, y1 := math.Round(area.x+float64(x+1)*w), math.Round(area.y+float64(y+1)*t)
	gap := math.Min(cellGap, math.Min(w, t)/4)
	return frame{x0, y0, math.Max(1, x1-x0-gap), math.Max(1, y1-y0-gap)}
}

// at is the cell at a place, −1 if there is none.
func (h *HeatMap) at(p fyne.Position) int {
	nx, ny := len(h.data.Columns), len(h.data.Rows)
	for i, a := range h.areas {
		x, y := (float64(p.X)-a.x)/a.w, (float64(p.Y)-a.y)/a.h
		if x >= 0 && x < 1 && y >= 0 && y < 1 && len(h.data.Cells) > 0 {
			return i*h.each() + (ny-1-int(y*float64(ny)))*nx + int(x*float64(nx))
		}
	}
	return -1
}
