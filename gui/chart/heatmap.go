package chart

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
)

// HeatState says what a cell of a heat map tells.
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

// HeatData is what a HeatMap shows. Cells stand row by row, the lowest row
// first. It is a value: a change is new HeatData.
type HeatData struct {
	Columns, Rows []string
	XName, YName  string
	Cells         []HeatCell
	Current       int // a cell with a frame and a dot; −1: none
	Shades        bool
}

// HeatMap is a grid of cells, each with a number and a shade, of which one can
// be chosen with the pointer or the arrow keys. Numbers are left out where they
// do not fit, and with Shades.
type HeatMap struct {
	widget.BaseWidget

	OnSelect func(cell int) // a person chose a cell
	OnOpen   func(cell int) // Enter, or a double click
	OnHover  func(cell int) // the pointer is over a cell; −1: over none

	data     HeatData
	selected int
	hovered  int
	focused  bool
	area     frame
	paint    painter
	raster   *canvas.Raster
	over     overlay
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
	h.raster = canvas.NewRaster(h.draw)
	h.raster.ScaleMode = canvas.ImageScalePixels
	h.ExtendBaseWidget(h)
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

// Select chooses a cell; −1 none. Nobody is told.
func (h *HeatMap) Select(cell int) {
	if cell != h.selected && cell < len(h.data.Cells) {
		h.selected = cell
		h.changed()
	}
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

// changed repaints frames and words; the shades are not drawn again.
func (h *HeatMap) changed() {
	if h.over.ready {
		h.place()
		h.over.refresh()
		canvas.Refresh(h)
	}
}

// measure finds the room of the cells: what the labels leave.
func (h *HeatMap) measure() {
	s := h.BaseWidget.Size()
	left := kit.Px(20)
	for _, r := range append([]string{h.data.YName}, h.data.Rows...) {
		left = fyne.Max(left, fyne.MeasureText(r, kit.FontPx(11), fyne.TextStyle{Bold: true}).Width)
	}
	l, b := float64(left+kit.Px(8)), float64(kit.Px(36))
	h.area = frame{l, 0, math.Max(1, float64(s.Width)-l), math.Max(1, float64(s.Height)-b)}
}

// box is where a cell lies.
func (h *HeatMap) box(cell int) frame {
	nx, ny := len(h.data.Columns), len(h.data.Rows)
	w, t := h.area.w/float64(nx), h.area.h/float64(ny)
	x, y := cell%nx, ny-1-cell/nx
	x0, y0 := math.Round(h.area.x+float64(x)*w), math.Round(h.area.y+float64(y)*t)
	x1, y1 := math.Round(h.area.x+float64(x+1)*w), math.Round(h.area.y+float64(y+1)*t)
	gap := math.Min(cellGap, math.Min(w, t)/4)
	return frame{x0, y0, math.Max(1, x1-x0-gap), math.Max(1, y1-y0-gap)}
}

// at is the cell at a place, −1 if there is none.
func (h *HeatMap) at(p fyne.Position) int {
	nx, ny := len(h.data.Columns), len(h.data.Rows)
	x, y := (float64(p.X)-h.area.x)/h.area.w, (float64(p.Y)-h.area.y)/h.area.h
	if len(h.data.Cells) == 0 || x < 0 || x >= 1 || y < 0 || y >= 1 {
		return -1
	}
	return (ny-1-int(y*float64(ny)))*nx + int(x*float64(nx))
}

// shade is the colour of a cell.
func (c *HeatCell) shade() color.RGBA {
	if c.State != HeatValue {
		return rgba(kit.ColorRaised)
	}
	return shadeOf(c.Shade)
}

// shadeOf is the colour of a strength from 0 to 1.
func shadeOf(v float64) color.RGBA {
	return blend(rgba(kit.ColorPanel), rgba(kit.ColorKept), .07+.88*math.Max(0, math.Min(1, v)))
}

// NewRamp is the scale of a HeatMap's shades, for its legend.
func NewRamp() fyne.CanvasObject {
	return canvas.NewRasterWithPixels(func(x, _, w, _ int) color.Color { return shadeOf(float64(x) / float64(max(1, w-1))) })
}

func blend(a, b color.RGBA, t float64) color.RGBA {
	mix := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + (float64(y)-float64(x))*t)) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// luminance is the relative luminance of WCAG 2, from 0 to 1.
func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= .04045 {
			return f / 12.92
		}
		return math.Pow((f+.055)/1.055, 2.4)
	}
	return .2126*linear(c.R) + .7152*linear(c.G) + .0722*linear(c.B)
}

// ink is near black or near white, whichever is easier to read on a ground.
func ink(ground color.RGBA) color.RGBA {
	dark, light := color.RGBA{10, 14, 24, 255}, color.RGBA{250, 252, 255, 255}
	l := luminance(ground) + .05
	if l/(luminance(dark)+.05) > (luminance(light)+.05)/l {
		return dark
	}
	return light
}

// draw paints the shades.
func (h *HeatMap) draw(w, t int) image.Image {
	p := &h.paint
	p.size(w, t)
	units := h.BaseWidget.Size()
	if units.Width <= 0 || w == 0 || t == 0 {
		return p.img
	}
	p.scale = float64(w) / float64(units.Width)
	p.fill(rgba(kit.ColorPanel))
	warn := rgba(kit.ColorWarning)
	for i := range h.data.Cells {
		c, b := &h.data.Cells[i], h.box(i)
		x0, y0, x1, y1 := p.i(b.x), p.i(b.y), p.i(b.x+b.w), p.i(b.y+b.h)
		p.rect(x0, y0, x1, y1, c.shade(), 1)
		if c.Flag && c.State == HeatValue {
			for k, n := 0, p.i(math.Min(float64(kit.Px(11)), b.h/2)); k < n; k++ {
				p.rect(x0, y0+k, min(x1, x0+n-k), y0+k+1, warn, 1)
			}
		}
	}
	return p.img
}

// place lays labels, numbers and frames out.
func (h *HeatMap) place() {
	o := &h.over
	o.used, o.filled = 0, 0
	o.objs = append(o.objs[:0], h.raster)
	if len(h.data.Cells) == 0 {
		return
	}
	h.labels()
	if !h.data.Shades {
		for i := range h.data.Cells {
			h.numbers(i)
		}
	}
	h.framed(h.data.Current, kit.ColorText, true)
	h.framed(h.selected, kit.ColorAccent, false)
	if h.focused {
		s := h.BaseWidget.Size()
		b := o.box(color.Transparent, 0, 0, s.Width, s.Height, 4)
		b.StrokeColor, b.StrokeWidth = kit.Color(kit.ColorAccent), 1
	}
}

func (h *HeatMap) labels() {
	o, a, nx := &h.over, h.area, len(h.data.Columns)
	gap := float64(kit.Px(8))
	mark := func(i int, of int) (fyneColor, bool) {
		for _, cell := range []int{h.data.Current, h.selected} {
			if cell >= 0 && (of == 0 && cell%nx == i || of == 1 && cell/nx == i) {
				return kit.ColorText, true
			}
		}
		return kit.ColorMuted, false
	}
	last := math.Inf(1)
	for i, r := range h.data.Rows {
		c, bold := mark(i, 1)
		l, b := o.text(r, c, 11, bold), h.box(i*nx)
		t := float64(l.MinSize().Height)
		if y := b.y + (b.h-t)/2; y+t <= last {
			o.put(l, a.x-gap, y, true)
			last = y
		} else {
			o.used--
		}
	}
	end := math.Inf(-1)
	for i, r := range h.data.Columns {
		c, bold := mark(i, 0)
		l, b := o.text(r, c, 11, bold), h.box(i)
		w := float64(l.MinSize().Width)
		if x := b.x + (b.w-w)/2; x >= end+2 {
			o.put(l, x, a.y+a.h+2, false)
			end = x + w
		} else {
			o.used--
		}
	}
	y := a.y + a.h + float64(kit.Px(18))
	o.put(o.text(h.data.YName, kit.ColorFaint, 11, false), a.x-gap, a.y+a.h+2, true)
	o.put(o.text(h.data.XName, kit.ColorFaint, 11, false), a.x+a.w-cellGap, y, true)
}

// numbers writes into a cell what fits.
func (h *HeatMap) numbers(i int) {
	c, b, o := &h.data.Cells[i], h.box(i), &h.over
	text, size, col := c.Text, float32(14), color.Color(ink(c.shade()))
	switch c.State {
	case HeatWaiting:
		text, col = "·", kit.Color(kit.ColorFaint)
	case HeatUnknown:
		text, col = "?", kit.Color(kit.ColorMuted)
	case HeatImpossible:
		text, col = "×", kit.Color(kit.ColorFaint)
	}
	if b.w < float64(kit.Px(60)) {
		size = 12
	}
	l := o.text(text, kit.ColorText, size, c.State == HeatValue)
	m := l.MinSize()
	if float64(m.Width)+4 > b.w || float64(m.Height) > b.h+4 {
		o.used--
		return
	}
	l.Color = col
	y := b.y + (b.h-float64(m.Height))/2
	if c.Note != "" && c.State == HeatValue {
		n := o.text(c.Note, kit.ColorText, 11, false)
		z := n.MinSize()
		if both := float64(m.Height+z.Height) - 4; both <= b.h && float64(z.Width)+4 <= b.w {
			n.Color = col
			y = b.y + (b.h-both)/2
			o.put(n, b.x+(b.w-float64(z.Width))/2, y+float64(m.Height)-4, false)
		} else {
			o.used--
		}
	}
	o.put(l, b.x+(b.w-float64(m.Width))/2, y, false)
}

// framed draws the frame of a cell, and the dot of the current one.
func (h *HeatMap) framed(cell int, c fyneColor, dot bool) {
	if cell < 0 || cell >= len(h.data.Cells) {
		return
	}
	b, o := h.box(cell), &h.over
	r := o.box(color.Transparent, float32(b.x)-1, float32(b.y)-1, float32(b.w)+2, float32(b.h)+2, 0)
	r.StrokeColor, r.StrokeWidth = kit.Color(c), 2.5
	if d := kit.Px(7); dot && b.w > float64(4*d) && b.h > float64(2*d) {
		o.box(kit.Color(c), float32(b.x+b.w)-d-kit.Px(4), float32(b.y)+kit.Px(4), d, d, d/2)
	}
}

// Tapped chooses the cell.
func (h *HeatMap) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(h); c != nil {
		c.Focus(h)
	}
	h.choose(h.at(e.Position))
}

// DoubleTapped opens the cell.
func (h *HeatMap) DoubleTapped(e *fyne.PointEvent) {
	if cell := h.at(e.Position); cell >= 0 {
		h.choose(cell)
		h.open()
	}
}

func (h *HeatMap) open() {
	if h.OnOpen != nil && h.selected >= 0 {
		h.OnOpen(h.selected)
	}
}

// MouseIn is Fyne's.
func (h *HeatMap) MouseIn(e *desktop.MouseEvent) { h.MouseMoved(e) }

// MouseMoved tells which cell the pointer is over.
func (h *HeatMap) MouseMoved(e *desktop.MouseEvent) { h.hover(h.at(e.Position)) }

// MouseOut is Fyne's.
func (h *HeatMap) MouseOut() { h.hover(-1) }

func (h *HeatMap) hover(cell int) {
	if cell == h.hovered {
		return
	}
	if h.hovered = cell; h.OnHover != nil {
		h.OnHover(cell)
	}
}

// FocusGained is Fyne's.
func (h *HeatMap) FocusGained() { h.focused = true; h.changed() }

// FocusLost is Fyne's.
func (h *HeatMap) FocusLost() { h.focused = false; h.changed() }

// TypedRune hands single letters on to the window's shortcuts.
func (h *HeatMap) TypedRune(r rune) { kit.PassRune(h, r) }

// TypedKey moves the choice.
func (h *HeatMap) TypedKey(e *fyne.KeyEvent) {
	nx, ny := len(h.data.Columns), len(h.data.Rows)
	if nx*ny == 0 {
		kit.PassKey(h, e)
		return
	}
	at := h.selected
	if at < 0 {
		at = max(0, h.data.Current)
	}
	x, y := at%nx, at/nx
	switch e.Name {
	case fyne.KeyLeft:
		x--
	case fyne.KeyRight:
		x++
	case fyne.KeyUp:
		y++
	case fyne.KeyDown:
		y--
	case fyne.KeyHome:
		x = 0
	case fyne.KeyEnd:
		x = nx - 1
	case fyne.KeyReturn, fyne.KeyEnter:
		h.open()
		return
	default:
		kit.PassKey(h, e)
		return
	}
	h.choose(max(0, min(ny-1, y))*nx + max(0, min(nx-1, x)))
}

// CreateRenderer is Fyne's.
func (h *HeatMap) CreateRenderer() fyne.WidgetRenderer {
	h.over.init()
	return &drawnRenderer{h}
}

func (h *HeatMap) layout(s fyne.Size) { h.raster.Resize(s); h.measure(); h.place() }

func (h *HeatMap) refresh() {
	h.measure()
	h.place()
	canvas.Refresh(h.raster)
	h.over.refresh()
}

func (h *HeatMap) objects() []fyne.CanvasObject {
	if len(h.over.objs) == 0 {
		return []fyne.CanvasObject{h.raster}
	}
	return h.over.objs
}

// drawn is a chart of a raster with words over it.
type drawn interface {
	layout(fyne.Size)
	refresh()
	objects() []fyne.CanvasObject
}

type drawnRenderer struct{ d drawn }

func (r *drawnRenderer) Layout(s fyne.Size)           { r.d.layout(s) }
func (r *drawnRenderer) MinSize() fyne.Size           { return fyne.NewSize(kit.Px(200), kit.Px(120)) }
func (r *drawnRenderer) Refresh()                     { r.d.refresh() }
func (r *drawnRenderer) Objects() []fyne.CanvasObject { return r.d.objects() }
func (r *drawnRenderer) Destroy()                     {}
