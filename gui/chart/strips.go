package chart

import (
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
)

// StripsData is what Strips shows. It is a value: a change is new StripsData.
type StripsData struct {
	Heads  []string   // of the figures behind each row
	Rows   []StripRow // the first is what the others are weighed against
	Format func(float64) string
	None   string // shown where there is no row
}

// StripRow is a dot for each of several things, and a box from quartile to quartile
// with the median.
type StripRow struct {
	Name                   string
	Dots                   []Dot // by X; of equal ones the later is drawn over the others
	Worst                  int   // ID of the dot that stands out
	Quarter, Median, Upper float64
	Figures                []string // as many as heads
}

// Strips is rows of dots on one scale, of which one can be opened.
type Strips struct {
	plot

	OnOpen func(row, id int) // a person clicked a dot

	data   StripsData
	lo, hi float64
	area   frame
}

var _ fyne.Tappable = (*Strips)(nil)

// The measures of Strips, in units of the design.
const (
	stripName   = 78
	stripFigure = 66
	stripHead   = 20
	stripFoot   = 20
	stripDot    = 2.8
)

// NewStrips makes an empty one.
func NewStrips() *Strips {
	s := &Strips{}
	s.init(s)
	return s
}

// Set shows data.
func (s *Strips) Set(d StripsData) {
	s.data = d
	s.Refresh()
}

// Data is what is shown.
func (s *Strips) Data() StripsData { return s.data }

func (s *Strips) measure() {
	size := s.BaseWidget.Size()
	l, r := float64(kit.Px(stripName)), float64(kit.Px(stripFigure))*float64(len(s.data.Heads))
	t, b := float64(kit.Px(stripHead)), float64(kit.Px(stripFoot))
	s.area = frame{l, t, math.Max(1, float64(size.Width)-l-r-float64(kit.Px(10))), math.Max(1, float64(size.Height)-t-b)}
	s.lo, s.hi = math.Inf(1), math.Inf(-1)
	for _, row := range s.data.Rows {
		for _, d := range row.Dots {
			s.lo, s.hi = math.Min(s.lo, d.X), math.Max(s.hi, d.X)
		}
	}
	if s.lo >= s.hi {
		s.lo, s.hi = s.lo-.5, s.lo+.5
	}
	margin := (s.hi - s.lo) * .04
	s.lo, s.hi = s.lo-margin, s.hi+margin
}

func (s *Strips) x(v float64) float64 { return s.area.x + (v-s.lo)/(s.hi-s.lo)*s.area.w }

// pitch is the height of a row.
func (s *Strips) pitch() float64 {
	return math.Min(s.area.h/math.Max(1, float64(len(s.data.Rows))), float64(kit.Px(52)))
}

// place of a dot: those of a row lie on five lines, so that few cover each other.
func (s *Strips) at(row, k int) (x, y float64) {
	h := s.pitch()
	return s.x(s.data.Rows[row].Dots[k].X), s.area.y + h*(float64(row)+.5) + float64(k%5-2)*math.Min(4, h/9)
}

// leastBox is how few dots have a box: quarters of fewer say nothing.
const leastBox = 8

func (s *Strips) draw(p *painter) {
	if len(s.data.Rows) == 0 {
		return
	}
	foot := s.area.y + s.pitch()*float64(len(s.data.Rows))
	for _, v := range worded(ticks(s.lo, s.hi, yTicks), s.data.Format) {
		p.vline(s.x(v), p.i(s.area.y), p.i(foot), pen{rgba(kit.ColorLine), 1, 0})
	}
	for i, row := range s.data.Rows {
		y, half := s.area.y+s.pitch()*(float64(i)+.5), s.pitch()*.28
		ink := pen{rgba(kit.ColorAccent), 1, 0}
		if i == 0 {
			ink.color = rgba(kit.ColorText) // the others are weighed against it
		}
		if len(row.Dots) >= leastBox {
			for _, v := range []float64{row.Quarter, row.Upper} {
				p.vline(s.x(v), p.i(y-half), p.i(y+half), ink)
			}
			for _, edge := range []float64{y - half, y + half} {
				p.hline(p.i(s.x(row.Quarter)), p.i(s.x(row.Upper))+1, edge, ink)
			}
		}
		p.rect(pixels(p.i(s.x(row.Median)-1), p.i(y-half), p.i(s.x(row.Median)+1), p.i(y+half)), ink.color, ink.alpha)
		for k, d := range row.Dots {
			c := rgba(kit.ColorMuted)
			if d.ID == row.Worst {
				c = rgba(kit.ColorDropped)
			}
			x, at := s.at(i, k)
			p.disc(x, at, stripDot, c)
		}
	}
}

func (s *Strips) place(o *overlay) {
	a, size := s.area, s.Size()
	if len(s.data.Rows) == 0 {
		o.sentence(s.data.None, frame{w: float64(size.Width), h: float64(size.Height)})
		return
	}
	column := func(k int) float64 { // right edge
		return float64(size.Width) - float64(kit.Px(stripFigure))*float64(len(s.data.Heads)-1-k) - float64(kit.Px(8))
	}
	for k, head := range s.data.Heads {
		o.put(o.text(head, kit.ColorMuted, 11, false), column(k), 2, true)
	}
	for i, row := range s.data.Rows {
		y := a.y + s.pitch()*(float64(i)+.5)
		l := o.text(row.Name, kit.ColorText, 12, i == 0)
		half := float64(l.MinSize().Height) / 2
		o.put(l, float64(kit.Px(10)), y-half, false)
		for k, f := range row.Figures {
			c := kit.ColorText
			if k == 1 {
				c = kit.ColorDropped
			}
			o.put(o.text(f, c, 12, k == 0), column(k), y-half, true)
		}
	}
	foot := a.y + s.pitch()*float64(len(s.data.Rows))
	for _, v := range apart(ticks(s.lo, s.hi, yTicks), s.data.Format) {
		l := o.text(s.data.Format(v), kit.ColorMuted, 11, false)
		o.put(l, s.x(v)-float64(l.MinSize().Width)/2, foot+2, false)
	}
}

// Tapped opens the dot next to the pointer.
func (s *Strips) Tapped(e *fyne.PointEvent) {
	row, id, near := -1, 0, float64(kit.Px(reachDots))
	for i, r := range s.data.Rows {
		for k, d := range r.Dots {
			x, y := s.at(i, k)
			if dist := math.Hypot(x-float64(e.Position.X), y-float64(e.Position.Y)); dist < near {
				row, id, near = i, d.ID, dist
			}
		}
	}
	if row >= 0 && s.OnOpen != nil {
		s.OnOpen(row, id)
	}
}

// MinSize implements fyne.Widget.
func (s *Strips) MinSize() fyne.Size { return fyne.NewSize(kit.Px(260), kit.Px(80)) }
