package chart

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
)

// Dot is one point of a Scatter.
type Dot struct {
	X, Y float64
	ID   int // what OnSelect gets
}

// ScatterData is what a Scatter shows. It is a value: a change is new
// ScatterData.
type ScatterData struct {
	Dots         []Dot
	Front        []Dot // the best trade-offs, ordered by X; joined by steps
	Current      *Dot  // drawn large, with a line down to the axis
	CurrentTag   string
	XName, YName string
	XMore, YMore bool   // more is better
	Unknown      string // shown in the middle when there are no dots
}

// Scatter is a plane of dots, of which one can be chosen: two values of each of
// many things, the best trade-offs joined by steps.
type Scatter struct {
	plot

	OnSelect func(id int) // a person chose a dot
	FormatX  func(float64) string
	FormatY  func(float64) string

	data     ScatterData
	selected *Dot
	xlo, xhi float64
	ylo, yhi float64
	area     frame
}

var _ fyne.Tappable = (*Scatter)(nil)

// The radii of dots, in units of the canvas.
const (
	dotSize     = 3.2
	frontSize   = 4.6
	currentSize = 6
	reachDots   = 14 // how near a click has to be
)

// NewScatter makes an empty plane.
func NewScatter() *Scatter {
	c := &Scatter{FormatX: plain, FormatY: plain}
	c.init(c)
	return c
}

// Set shows data; nothing is chosen any more.
func (c *Scatter) Set(d ScatterData) {
	c.data, c.selected = d, nil
	c.Refresh()
}

// Data is what is shown.
func (c *Scatter) Data() ScatterData { return c.data }

// Select marks the dot with an ID, or none if there is none. OnSelect is not called.
func (c *Scatter) Select(id int) {
	c.selected = nil
	for i := range c.data.Dots {
		if c.data.Dots[i].ID == id {
			c.selected = &c.data.Dots[i]
		}
	}
	c.Refresh()
}

// measure finds the room of the dots and the range of their values.
func (c *Scatter) measure() {
	s := c.BaseWidget.Size()
	l, t, r, b := float64(kit.Px(54)), float64(kit.Px(20)), float64(kit.Px(16)), float64(kit.Px(38))
	c.area = frame{l, t, math.Max(1, float64(s.Width)-l-r), math.Max(1, float64(s.Height)-t-b)}
	c.xlo, c.xhi = c.span(func(d Dot) float64 { return d.X })
	c.ylo, c.yhi = c.span(func(d Dot) float64 { return d.Y })
}

// span is the range of a value over all dots, with a margin.
func (c *Scatter) span(value func(Dot) float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	see := func(v float64) {
		if finite(v) {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	for _, d := range c.data.Dots {
		see(value(d))
	}
	if c.data.Current != nil {
		see(value(*c.data.Current))
	}
	if lo > hi {
		return 0, 1
	}
	margin := (hi - lo) * .06
	if margin == 0 {
		margin = math.Max(math.Abs(hi)*.1, .5)
	}
	return lo - margin, hi + margin
}

func (c *Scatter) at(d Dot) (x, y float64) {
	return c.area.x + (d.X-c.xlo)/(c.xhi-c.xlo)*c.area.w, c.area.y + (1-(d.Y-c.ylo)/(c.yhi-c.ylo))*c.area.h
}

// draw paints grid, steps and dots.
func (c *Scatter) draw(p *painter) {
	if len(c.data.Dots) == 0 {
		return
	}
	panel := rgba(kit.ColorPanel)
	x0, x1 := p.i(c.area.x), p.i(c.area.x+c.area.w)
	for _, v := range worded(ticks(c.ylo, c.yhi, yTicks+1), c.FormatY) {
		_, y := c.at(Dot{Y: v})
		p.hline(x0, x1, y, pen{rgba(kit.ColorLine), 1, 0})
	}
	p.hline(x0, x1, c.area.y+c.area.h, pen{rgba(kit.ColorLine), 1, 0})
	c.steps()
	for _, d := range c.data.Dots {
		x, y := c.at(d)
		p.disc(x, y, dotSize, rgba(kit.ColorFaint))
	}
	for _, d := range c.data.Front {
		x, y := c.at(d)
		p.disc(x, y, frontSize, rgba(kit.ColorKept))
		p.disc(x, y, frontSize-1.6, panel)
	}
	if d := c.data.Current; d != nil {
		x, y := c.at(*d)
		p.vline(x, p.i(y), p.i(c.area.y+c.area.h), pen{rgba(kit.ColorMuted), .8, 2})
		p.disc(x, y, currentSize, rgba(kit.ColorText))
	}
	if c.selected != nil {
		x, y := c.at(*c.selected)
		p.disc(x, y, currentSize+2, rgba(kit.ColorAccent))
		p.disc(x, y, currentSize, panel)
		p.disc(x, y, dotSize, rgba(kit.ColorAccent))
	}
}

// steps joins the best trade-offs along the edge of what they beat.
func (c *Scatter) steps() {
	p, col := &c.paint, rgba(kit.ColorKept)
	for _, s := range c.edge() {
		if s.from.Y == s.to.Y {
			p.hline(p.i(s.from.X), p.i(s.to.X), s.from.Y, pen{col, 1, 0})
		} else {
			p.vline(s.from.X, p.i(s.from.Y), p.i(s.to.Y), pen{col, 1, 0})
		}
	}
}

// stroke is a level or upright line in the widget's units, from the smaller
// end to the larger.
type stroke struct{ from, to Point }

// edge is the lines between neighbouring best trade-offs, over a corner that is
// no better than either.
func (c *Scatter) edge() (out []stroke) {
	worse := func(a, b float64, more bool) float64 {
		if more {
			return math.Min(a, b)
		}
		return math.Max(a, b)
	}
	for i := 1; i < len(c.data.Front); i++ {
		a, b := c.data.Front[i-1], c.data.Front[i]
		cx, cy := c.at(Dot{X: worse(a.X, b.X, c.data.XMore), Y: worse(a.Y, b.Y, c.data.YMore)})
		for _, d := range []Dot{a, b} {
			x, y := c.at(d)
			if x != cx {
				out = append(out, stroke{Point{math.Min(x, cx), cy}, Point{math.Max(x, cx), cy}})
			}
			if y != cy {
				out = append(out, stroke{Point{cx, math.Min(y, cy)}, Point{cx, math.Max(y, cy)}})
			}
		}
	}
	return out
}

// disc fills a circle with smooth edges; the measures are the widget's.
func (p *painter) disc(x, y, r float64, c color.RGBA) {
	p.dot(x*p.scale, y*p.scale, r*p.scale, c)
}

// place lays the words out.
func (c *Scatter) place(o *overlay) {
	a := c.area
	if len(c.data.Dots) == 0 {
		o.sentence(c.data.Unknown, a)
		return
	}
	for _, v := range apart(ticks(c.ylo, c.yhi, yTicks+1), c.FormatY) {
		l := o.text(c.FormatY(v), kit.ColorFaint, 11, false)
		_, y := c.at(Dot{Y: v})
		o.put(l, a.x-float64(kit.Px(7)), y-float64(l.MinSize().Height)/2, true)
	}
	o.along(levelAxis{c.FormatX, 0, a.x + a.w + float64(kit.Px(16)), a.y + a.h + float64(kit.Px(4))},
		apart(ticks(c.xlo, c.xhi, xTicks), c.FormatX), func(v float64) float64 { x, _ := c.at(Dot{X: v}); return x })
	o.put(o.text(c.data.YName, kit.ColorMuted, 11, false), a.x, 0, false)
	o.put(o.text(c.data.XName, kit.ColorMuted, 11, false), a.x+a.w, a.y+a.h+float64(kit.Px(20)), true)
	c.tag()
}

// Tapped chooses the dot next to the pointer.
func (c *Scatter) Tapped(e *fyne.PointEvent) {
	best, near := -1, math.Inf(1)
	for i, d := range c.data.Dots {
		x, y := c.at(d)
		if r := math.Hypot(x-float64(e.Position.X), y-float64(e.Position.Y)); r < near {
			best, near = i, r
		}
	}
	if best < 0 || near > float64(kit.Px(reachDots)) {
		return
	}
	id := c.data.Dots[best].ID
	c.Select(id)
	if c.OnSelect != nil {
		c.OnSelect(id)
	}
}
