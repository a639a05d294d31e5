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

// HeatData is what a HeatMap shows. Cells come row by row, the lowest row first. It is a
// value: a change is new HeatData.
type HeatData struct {
	Columns, Rows []string
	XName, YName  string
	Cells         []HeatCell
	Current       int    // a cell with a frame and a dot; −1: none
	Stale         string // what stands over a map that is out of date, which is faint
}

// HeatMap is a grid of cells, each with a number and a shade, of which one can
// be chosen with the pointer or the arrow keys. Numbers are left out where they
// do not fit.
type HeatMap struct {
	plot

	OnSelect func(cell int) // a person chose a cell
	OnOpen   func(cell int) // Enter, or a double click
	OnHover  func(cell int) // the pointer is over a cell; −1: over none

	data     HeatData
	selected int
	hovered  int
	focused  bool
	area     frame // of the cells
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
	h.data = d
	if h.selected >= len(d.Cells) {
		h.selected = -1
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
		h.selected = cell
		h.replace()
	}
}

// has reports whether there is such a cell.
func (h *HeatMap) has(cell int) bool { return cell >= 0 && cell < len(h.data.Cells) }

func (h *HeatMap) choose(cell int) {
	if !h.has(cell) {
		return
	}
	h.Select(cell)
	if h.OnSelect != nil {
		h.OnSelect(cell)
	}
}

// measure finds the room of the cells: what the labels leave.
func (h *HeatMap) measure() {
	s := h.BaseWidget.Size()
	width := func(text string) float64 {
		return float64(fyne.MeasureText(text, kit.FontPx(11), fyne.TextStyle{Bold: true}).Width)
	}
	left := math.Max(float64(kit.Px(20)), width(h.data.YName)) // the name of the rows is below theirs
	for _, r := range h.data.Rows {
		left = math.Max(left, width(r))
	}
	left += float64(kit.Px(8))
	h.area = frame{left, 0, math.Max(1, float64(s.Width)-left), math.Max(1, float64(s.Height)-float64(kit.Px(36)))}
}

// box is the rectangle of a cell.
func (h *HeatMap) box(cell int) frame {
	nx, ny := len(h.data.Columns), len(h.data.Rows)
	area := h.area
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
	x, y := (float64(p.X)-h.area.x)/h.area.w, (float64(p.Y)-h.area.y)/h.area.h
	if x < 0 || x >= 1 || y < 0 || y >= 1 || len(h.data.Cells) == 0 {
		return -1
	}
	return (ny-1-int(y*float64(ny)))*nx + int(x*float64(nx))
}
