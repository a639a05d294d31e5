package chart

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
)

// drawn is a chart: a picture with words over it. It is measured before it is drawn and
// before the words are placed.
type drawn interface {
	fyne.Widget
	measure()
	draw(p *painter)
	place(o *overlay)
}

// plot is what all charts consist of.
type plot struct {
	widget.BaseWidget
	of     drawn
	paint  painter
	raster *canvas.Raster
	over   overlay
	ready  bool // it is shown
	stale  kit.Stale
}

func (p *plot) init(of drawn) {
	p.of = of
	p.raster = canvas.NewRaster(p.picture)
	p.raster.ScaleMode = canvas.ImageScalePixels
	p.ExtendBaseWidget(of)
}

// picture is drawn when what is shown or its size changes.
func (p *plot) picture(w, h int) image.Image {
	if p.paint.begin(w, h, p.Size().Width) {
		p.of.draw(&p.paint)
	}
	return p.paint.img
}

// replace places the words again; the picture stays.
func (p *plot) replace() {
	if p.ready {
		p.over.begin(p.raster)
		p.of.place(&p.over)
		p.over.refresh()
		canvas.Refresh(p.of)
	}
}

// CreateRenderer implements fyne.Widget.
func (p *plot) CreateRenderer() fyne.WidgetRenderer {
	p.ready = true
	p.over.begin(p.raster)
	r := &kit.Parts{Place: p.lay, Least: func() fyne.Size { return fyne.NewSize(kit.Px(200), kit.Px(84)) }, Again: p.again}
	r.List = func() []fyne.CanvasObject {
		if p.stale.Due() {
			p.again()
		}
		return p.over.objs
	}
	if s := p.Size(); !s.IsZero() { // it was hidden for long, and the toolkit does not lay it out again
		p.lay(s)
	}
	return r
}

// lay draws the plot into a room.
func (p *plot) lay(s fyne.Size) {
	p.raster.Resize(s)
	p.of.measure()
	p.over.begin(p.raster)
	p.of.place(&p.over)
}

// again draws it after a change.
func (p *plot) again() {
	p.of.measure()
	canvas.Refresh(p.raster)
	p.replace()
}

// along writes the numbers of a level axis with their tops at a height, between two places
// and each at least a gap from the one before; at says where a value lies.
func (o *overlay) along(axis levelAxis, values []float64, at func(float64) float64) {
	const gap = 8
	end := math.Inf(-1)
	for _, v := range values {
		l := o.text(axis.format(v), kit.ColorFaint, 11, false)
		w := float64(l.MinSize().Width)
		x := math.Max(axis.from, math.Min(axis.to-w, at(v)-w/2))
		if x < end+gap {
			o.used-- // the text goes back
			continue
		}
		end = x + w
		o.put(l, x, axis.top, false)
	}
}

// levelAxis is where the numbers of an axis are written.
type levelAxis struct {
	format        func(float64) string
	from, to, top float64
}

// sentence writes words in the middle of a frame, where there is nothing to draw.
func (o *overlay) sentence(text string, f frame) {
	l := o.text(text, kit.ColorMuted, 13, false)
	m := l.MinSize()
	o.put(l, f.x+(f.w-float64(m.Width))/2, f.y+(f.h-float64(m.Height))/2, false)
}
