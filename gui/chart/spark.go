package chart

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
)

// SparkData is what a [Spark] shows.
type SparkData struct {
	Points []Point // in order
	To     float64 // X at the right edge
	Top    float64 // Y at the upper edge
	Line   float64 // drawn dashed across; 0: none
	Color  fyne.ThemeColorName
}

// Spark is a curve as small as a word: no axis, no words.
type Spark struct {
	widget.BaseWidget
	data   SparkData
	paint  painter
	raster *canvas.Raster
}

// NewSpark makes an empty one.
func NewSpark() *Spark {
	s := &Spark{}
	s.raster = canvas.NewRaster(s.draw)
	s.raster.ScaleMode = canvas.ImageScalePixels
	s.ExtendBaseWidget(s)
	return s
}

// Set shows data.
func (s *Spark) Set(d SparkData) {
	s.data = d
	s.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (s *Spark) CreateRenderer() fyne.WidgetRenderer { return &drawnRenderer{d: s} }

// MinSize implements fyne.Widget.
func (s *Spark) MinSize() fyne.Size { return fyne.NewSize(kit.Px(40), kit.Px(16)) }

func (s *Spark) layout(size fyne.Size)        { s.raster.Resize(size) }
func (s *Spark) objects() []fyne.CanvasObject { return []fyne.CanvasObject{s.raster} }

func (s *Spark) refresh() {
	canvas.Refresh(s.raster)
	canvas.Refresh(s)
}

func (s *Spark) draw(w, h int) image.Image {
	p, d := &s.paint, &s.data
	p.size(w, h)
	units := s.BaseWidget.Size()
	if units.Width <= 0 || units.Height <= 0 || w == 0 || h == 0 {
		return p.img
	}
	p.scale, p.area = float64(w)/float64(units.Width), p.img.Rect
	p.fill(rgba(kit.ColorPanel))
	if d.To <= 0 || d.Top <= 0 {
		return p.img
	}
	high := float64(h) - 2*p.scale
	at := func(q Point) Point {
		return Point{q.X / d.To * float64(w), p.scale + high*(1-q.Y/d.Top)}
	}
	if d.Line > 0 {
		p.hline(0, w, at(Point{Y: d.Line}).Y/p.scale, pen{rgba(kit.ColorAccent), .8, 3})
	}
	p.begin()
	for i := 1; i < len(d.Points); i++ {
		p.stroke(at(d.Points[i-1]), at(d.Points[i]), .6*p.scale)
	}
	p.lay(rgba(d.Color))
	return p.img
}
