package chart

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
)

// LaneData is what a [Lane] shows: one curve from nothing to a top.
type LaneData struct {
	From, To float64 // of the common axis of all lanes
	Top      float64 // value at the upper edge
	Trigger  float64 // drawn as a dashed line; 0: none
	Dotted   bool    // the curve is measured by nothing the lane is drawn to
	Color    fyne.ThemeColorName
	Points   []Point // in order
	Marks    []float64
	Ins      []float64 // where it was called, or called another
	Outs     []float64 // where a result came back
}

// Lane is a small chart without words: how a value went in the time that
// several lanes share. It answers to nothing.
type Lane struct {
	widget.BaseWidget
	data   LaneData
	paint  painter
	raster *canvas.Raster
}

// NewLane makes an empty lane.
func NewLane() *Lane {
	l := &Lane{}
	l.raster = canvas.NewRaster(l.draw)
	l.raster.ScaleMode = canvas.ImageScalePixels
	l.ExtendBaseWidget(l)
	return l
}

// Set shows data.
func (l *Lane) Set(d LaneData) {
	l.data = d
	l.Refresh()
}

// CreateRenderer is Fyne's.
func (l *Lane) CreateRenderer() fyne.WidgetRenderer { return &drawnRenderer{l} }

func (l *Lane) layout(s fyne.Size)           { l.raster.Resize(s) }
func (l *Lane) refresh()                     { canvas.Refresh(l.raster) }
func (l *Lane) objects() []fyne.CanvasObject { return []fyne.CanvasObject{l.raster} }

// MinSize is Fyne's; it is that of a line of a list.
func (l *Lane) MinSize() fyne.Size { return fyne.NewSize(kit.Px(100), kit.Px(24)) }

func (l *Lane) draw(w, h int) image.Image {
	p, d := &l.paint, &l.data
	p.size(w, h)
	units := l.BaseWidget.Size()
	if units.Width <= 0 || units.Height <= 0 || w == 0 || h == 0 {
		return p.img
	}
	p.scale = float64(w) / float64(units.Width)
	p.fill(rgba(kit.ColorBackground))
	const above = 10 // room for the marks
	top, bottom := above*p.scale, float64(h)-p.scale
	x := func(v float64) float64 {
		if d.To <= d.From {
			return float64(w) / 2
		}
		return (v-d.From)/(d.To-d.From)*(float64(w)-8*p.scale) + 4*p.scale
	}
	y := func(v float64) float64 {
		if d.Top <= 0 {
			return bottom
		}
		return math.Max(top, bottom-v/d.Top*(bottom-top))
	}
	if d.Trigger > 0 && d.Trigger <= d.Top {
		p.hline(0, w, y(d.Trigger)/p.scale, rgba(kit.ColorAccent), .8, 4)
	}
	p.path = p.path[:0]
	for _, q := range d.Points {
		if finite(q.X) && finite(q.Y) {
			p.path = append(p.path, Point{x(q.X), y(q.Y)})
		}
	}
	c := rgba(d.Color)
	for i := 1; i < len(p.path); i++ { // what lies below the curve
		a, b := p.path[i-1], p.path[i]
		for at := int(a.X); at < int(b.X); at++ {
			share := 0.0
			if b.X > a.X {
				share = math.Max(0, (float64(at)-a.X)/(b.X-a.X))
			}
			p.rect(at, int(lerp(a, b, share).Y), at+1, int(bottom), c, .16)
		}
	}
	p.begin()
	r := lineWidth / 2 * p.scale
	if len(p.path) == 1 {
		p.stroke(p.path[0], p.path[0], 2*r, 0, w, 0, h)
	}
	for i := 1; i < len(p.path); i++ {
		if !d.Dotted || i%2 == 1 {
			p.stroke(p.path[i-1], p.path[i], r, 0, w, 0, h)
		}
	}
	p.lay(c, 0, w)
	for _, at := range d.Marks {
		p.vline(x(at)/p.scale, int(top), int(bottom), rgba(kit.ColorMuted), .7, 3)
		p.diamond(x(at), 5*p.scale, markSize*p.scale, rgba(kit.ColorMuted))
	}
	for _, at := range d.Ins {
		p.flipped(x(at), 2*p.scale, triangleSize*p.scale*.8, rgba(kit.ColorSummarised))
	}
	for _, at := range d.Outs {
		p.triangle(x(at), 9*p.scale, triangleSize*p.scale*.8, rgba(kit.ColorKept))
	}
	return p.img
}
