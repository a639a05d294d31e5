package chart

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"palimpsest/gui/kit"
)

// shade is the colour of a cell.
func (c *HeatCell) shade() color.RGBA {
	if c.State != HeatValue {
		return rgba(kit.ColorRaised)
	}
	return shadeOf(c.Shade)
}

// shadeOf is the colour of a strength from 0 to 1.
func shadeOf(v float64) color.RGBA {
	return color.RGBA(kit.Blend(rgba(kit.ColorPanel), rgba(kit.ColorKept), .07+.88*math.Max(0, math.Min(1, v))))
}

// NewRamp is the scale of a HeatMap's shades, for its legend.
func NewRamp() fyne.CanvasObject {
	return canvas.NewRasterWithPixels(func(x, _, w, _ int) color.Color { return shadeOf(float64(x) / float64(max(1, w-1))) })
}

// ink is near black or near white, whichever is easier to read on a ground.
func ink(ground color.RGBA) color.RGBA {
	dark, light := color.RGBA{0, 0, 0, 255}, color.RGBA{255, 255, 255, 255} // one of the two has 4.58 and more
	if kit.Contrast(dark, ground) > kit.Contrast(light, ground) {
		return dark
	}
	return light
}

// draw paints the shades.
func (h *HeatMap) draw(p *painter) {
	warn := rgba(kit.ColorWarning)
	for i := range h.data.Cells {
		c, b := &h.data.Cells[i], h.box(i)
		x0, y0, x1, y1 := p.i(b.x), p.i(b.y), p.i(b.x+b.w), p.i(b.y+b.h)
		alpha := 1.
		if h.data.Stale != "" {
			alpha = .25
		}
		p.rect(pixels(x0, y0, x1, y1), c.shade(), alpha)
		if c.Flag && c.State == HeatValue && alpha == 1 {
			for k, n := 0, p.i(math.Min(float64(kit.Px(11)), b.h/2)); k < n; k++ {
				p.rect(pixels(x0, y0+k, min(x1, x0+n-k), y0+k+1), warn, 1)
			}
		}
	}
}

// place lays labels, numbers and frames out.
func (h *HeatMap) place(o *overlay) {
	if len(h.data.Cells) == 0 {
		return
	}
	h.labels()
	if h.data.Stale != "" {
		h.over.sentence(h.data.Stale, h.area)
	} else if size := h.size(); size > 0 {
		notes := h.notesFit(size)
		for i := range h.data.Cells {
			h.numbers(i, size, notes)
		}
	}
	h.framed(h.data.Current, kit.ColorText, 2.5)
	h.dot(h.data.Current)
	h.framed(h.selected, kit.ColorAccent, 2.5)
	if h.focused {
		s, m := h.BaseWidget.Size(), kit.Px(5) // outside, off the words at the edge
		b := o.box(color.Transparent, fyne.NewPos(-m, -m), fyne.NewSize(s.Width+2*m, s.Height+2*m), 4)
		b.StrokeColor, b.StrokeWidth = kit.Color(kit.ColorAccent), 1
	}
}

// labels writes around the map: its rows and columns, and their names.
func (h *HeatMap) labels() {
	o, a, nx, gap := &h.over, h.area, len(h.data.Columns), float64(kit.Px(8))
	mark := func(i int, of int) (fyneColor, bool) {
		for _, cell := range []int{h.data.Current, h.selected} {
			if cell >= 0 && (of == 0 && cell%nx == i || of == 1 && cell/nx == i) {
				return kit.ColorText, true
			}
		}
		return kit.ColorMuted, false
	}
	every := stride(h.data.Rows, h.box(0).h, func(m fyne.Size) float64 { return float64(m.Height) - 2 })
	for i := 0; i < len(h.data.Rows); i += every {
		c, bold := mark(i, 1)
		l, b := o.text(h.data.Rows[i], c, 11, bold), h.box(i*nx)
		o.put(l, a.x-gap, b.y+(b.h-float64(l.MinSize().Height))/2, true)
	}
	every = stride(h.data.Columns, h.box(0).w, func(m fyne.Size) float64 { return float64(m.Width) + 6 })
	for i := 0; i < nx; i += every {
		c, bold := mark(i, 0)
		l, b := o.text(h.data.Columns[i], c, 11, bold), h.box(i)
		o.put(l, b.x+(b.w-float64(l.MinSize().Width))/2, a.y+a.h+2, false)
	}
	o.put(o.text(h.data.YName, kit.ColorFaint, 11, false), a.x-gap, a.y+a.h+2, true)
	o.put(o.text(h.data.XName, kit.ColorFaint, 11, false), a.x+a.w-cellGap, a.y+a.h+float64(kit.Px(18)), true)
}

// stride is which labels are shown, every so many, so that none touches the
// next in cells of a length.
func stride(labels []string, length float64, need func(fyne.Size) float64) int {
	most := 0.0
	for _, s := range labels {
		most = math.Max(most, need(fyne.MeasureText(s, kit.FontPx(11), fyne.TextStyle{Bold: true})))
	}
	return max(1, int(math.Ceil(most/(length+cellGap))))
}

// notesFit reports whether the second lines of all cells fit: some with and some
// without would look as if they differed.
func (h *HeatMap) notesFit(size float32) bool {
	size = kit.FontPx(size)
	for i := range h.data.Cells {
		c, b := &h.data.Cells[i], h.box(i)
		if c.Note == "" || c.State != HeatValue {
			continue
		}
		l := fyne.MeasureText(c.Text, size, fyne.TextStyle{Bold: true})
		n := fyne.MeasureText(c.Note, kit.FontPx(11), fyne.TextStyle{})
		if float64(l.Height+n.Height)-4 > b.h || float64(n.Width)+4 > b.w {
			return false
		}
	}
	return true
}

// least has the least width and height of the cells: rounding makes some a little
// larger, and either all have numbers of one size or none.
func (h *HeatMap) least() frame {
	least := frame{w: math.Inf(1), h: math.Inf(1)}
	for i := range h.data.Cells {
		b := h.box(i)
		least.w, least.h = math.Min(least.w, b.w), math.Min(least.h, b.h)
	}
	return least
}

// size is the largest in which the numbers of all cells fit: one without its number would
// look as if it had none. 0: there is no such.
func (h *HeatMap) size() float32 {
	least, longest := h.least(), ""
	for i := range h.data.Cells {
		if c := &h.data.Cells[i]; c.State == HeatValue && len(c.Text) > len(longest) {
			longest = c.Text
		}
	}
	for _, size := range []float32{14, 12, 11, 10} {
		m := fyne.MeasureText(longest, kit.FontPx(size), fyne.TextStyle{Bold: true})
		if size == 14 && least.w < float64(kit.Px(60)) {
			continue
		}
		if float64(m.Width)+2 <= least.w && float64(m.Height) <= least.h+4 {
			return size
		}
	}
	return 0
}

// numbers writes into a cell what fits, with its second line if those of all do.
func (h *HeatMap) numbers(i int, size float32, notes bool) {
	c, b, o := &h.data.Cells[i], h.box(i), &h.over
	text, col := c.Text, color.Color(ink(c.shade()))
	switch c.State {
	case HeatWaiting:
		text, col = "·", kit.Color(kit.ColorFaint)
	case HeatUnknown:
		text, col = "?", kit.Color(kit.ColorMuted)
	case HeatImpossible:
		text, col = "×", kit.Color(kit.ColorFaint)
	}
	l := o.text(text, kit.ColorText, size, c.State == HeatValue)
	m := l.MinSize()
	l.Color = col
	y := b.y + (b.h-float64(m.Height))/2
	if notes && c.Note != "" && c.State == HeatValue {
		n := o.text(c.Note, kit.ColorText, 11, false)
		n.Color = col
		z := n.MinSize()
		y = b.y + (b.h-float64(m.Height+z.Height)+4)/2
		o.put(n, b.x+(b.w-float64(z.Width))/2, y+float64(m.Height)-4, false)
	}
	o.put(l, b.x+(b.w-float64(m.Width))/2, y, false)
}

// framed draws a frame around a cell.
func (h *HeatMap) framed(cell int, c fyneColor, width float32) {
	if !h.has(cell) {
		return
	}
	b := h.box(cell)
	r := h.over.box(color.Transparent, fyne.NewPos(float32(b.x)-1, float32(b.y)-1), fyne.NewSize(float32(b.w)+2, float32(b.h)+2), 0)
	r.StrokeColor, r.StrokeWidth = kit.Color(c), width
}

// dot is the sign of the present settings in a cell's corner.
func (h *HeatMap) dot(cell int) {
	if !h.has(cell) {
		return
	}
	b, d := h.box(cell), kit.Px(7)
	if b.w > float64(4*d) && b.h > float64(5*d) {
		h.over.box(kit.Color(kit.ColorText), fyne.NewPos(float32(b.x+b.w)-d-kit.Px(4), float32(b.y)+kit.Px(4)), fyne.NewSize(d, d), d/2)
	}
}
