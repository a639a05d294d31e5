package chart

import (
	"fyne.io/fyne/v2"

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
	plot
	data SparkData
}

// NewSpark makes an empty one.
func NewSpark() *Spark {
	s := &Spark{}
	s.init(s)
	return s
}

// Set shows data.
func (s *Spark) Set(d SparkData) {
	s.data = d
	s.Refresh()
}

// MinSize implements fyne.Widget.
func (s *Spark) MinSize() fyne.Size { return fyne.NewSize(kit.Px(40), kit.Px(16)) }

func (s *Spark) measure()       {}
func (s *Spark) place(*overlay) {}

func (s *Spark) draw(p *painter) {
	d, w, h := &s.data, p.img.Rect.Dx(), p.img.Rect.Dy()
	if d.To <= 0 || d.Top <= 0 {
		return
	}
	high := float64(h) - 2*p.scale
	at := func(q Point) Point {
		return Point{q.X / d.To * float64(w), p.scale + high*(1-q.Y/d.Top)}
	}
	if d.Line > 0 {
		p.hline(0, w, at(Point{Y: d.Line}).Y/p.scale, pen{rgba(kit.ColorAccent), .8, 3})
	}
	p.path = p.path[:0]
	for _, q := range d.Points {
		p.path = append(p.path, at(q))
	}
	p.curve(false, rgba(d.Color))
}
