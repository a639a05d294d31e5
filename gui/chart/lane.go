package chart

import (
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
)

// LaneData is the content of a [Lane]: one curve from 0 to Top or bars, its marks, and
// its parts of the arrows across the lanes.
type LaneData struct {
	Scale   LaneScale
	Top     float64 // value at the upper edge
	Trigger float64 // drawn as a dashed line along the curve; 0: none
	Dotted  bool    // the curve is measured by nothing the lane is drawn to
	Chosen  bool
	Color   fyne.ThemeColorName // of the area below the curve
	Points  []Point             // in order
	Bars    []Point             // what happened at a moment and how large it was; in place of a curve
	Marks   []LaneMark
	Arrows  []LaneArrow
}

// LaneMark is a moment on a lane, with words behind it.
type LaneMark struct {
	X     float64
	Label string
	Color fyne.ThemeColorName // of the words
}

// LaneArrow is one lane's part of an arrow between two lanes, of which the upper
// one is the caller's.
type LaneArrow struct {
	X     float64
	Back  bool // a result on its way up; else a call on its way down
	Part  ArrowPart
	Label string // shown in the lane of the agent that was called
}

// ArrowPart is what of an arrow a lane shows.
type ArrowPart int

// The parts of an arrow.
const (
	ArrowThrough ArrowPart = iota // it passes the lane
	ArrowCaller                   // the end in the lane of who called
	ArrowCalled                   // the end in the lane of who was called
)

// The room in a lane, in units of the canvas.
const (
	laneGap  = 2  // above and below it, where it is parted from its neighbours
	laneRoof = 18 // above the curve, for marks and words; it grows with the text
)

func roof() float64 { return float64(kit.Px(laneRoof)) }

// Lane is a small chart: how a value went in the time that several lanes share.
// Lanes below each other show arrows across them. It answers to
// nothing.
type Lane struct {
	plot
	data LaneData
}

// NewLane makes an empty lane.
func NewLane() *Lane {
	l := &Lane{}
	l.init(l)
	return l
}

// Set shows data.
func (l *Lane) Set(d LaneData) {
	l.data = d
	l.Refresh()
}

// MinSize implements fyne.Widget; it is that of a line of a list.
func (l *Lane) MinSize() fyne.Size { return fyne.NewSize(kit.Px(100), kit.Px(24)) }

func (l *Lane) measure() {}

func (l *Lane) draw(p *painter) {
	d, w, h := &l.data, p.img.Rect.Dx(), p.img.Rect.Dy()
	around, ground := kit.ColorPanel, kit.ColorBackground
	if d.Chosen {
		around, ground = kit.ColorSelection, kit.ColorSelection
	}
	p.fill(rgba(around))
	gap := int(laneGap * p.scale)
	in := pixels(0, gap, w, h-gap)
	p.rect(in, rgba(ground), 1)
	if d.Chosen {
		p.rect(in, rgba(kit.ColorBackground), .35)
	}
	top, bottom := float64(gap)+roof()*p.scale, float64(h-gap)-p.scale
	x := func(v float64) float64 { return d.Scale.at(v, float64(w), p.scale) }
	for _, t := range d.Scale.Ticks() {
		p.vline(x(t)/p.scale, gap, h-gap, pen{rgba(kit.ColorLine), .6, 0})
	}
	l.curve(x, top, bottom)
	l.bars(x, top, bottom)
	for _, m := range d.Marks {
		p.vline(x(m.X)/p.scale, int(top), int(bottom), pen{rgba(kit.ColorMuted), .7, 3})
		p.diamond(x(m.X), float64(gap)+roof()*p.scale/2, markSize*p.scale, rgba(kit.ColorMuted))
	}
	for _, a := range d.Arrows {
		l.arrow(a, x(a.X), float64(gap), float64(h))
	}
}

// curve draws the trigger, the curve and the area below it.
func (l *Lane) curve(x func(float64) float64, top, bottom float64) {
	p, d := &l.paint, &l.data
	y := func(v float64) float64 {
		if d.Top <= 0 {
			return bottom
		}
		return math.Max(top, bottom-v/d.Top*(bottom-top))
	}
	p.path = p.path[:0]
	for _, q := range d.Points {
		if finite(q.X) && finite(q.Y) {
			p.path = append(p.path, Point{x(q.X), y(q.Y)})
		}
	}
	if len(p.path) == 0 {
		return
	}
	if d.Trigger > 0 && d.Trigger <= d.Top {
		const least = 24 // of the dashed line, that a short life shows its trigger, too
		from, to := int(p.path[0].X), int(p.path[len(p.path)-1].X)
		if short := int(least*p.scale) - (to - from); short > 0 {
			from, to = max(0, from-short/2), min(p.img.Rect.Dx(), to+short/2)
		}
		p.hline(from, to, y(d.Trigger)/p.scale, pen{rgba(kit.ColorAccent), .9, 4})
	}
	c := rgba(d.Color)
	for i := 1; i < len(p.path); i++ {
		a, b := p.path[i-1], p.path[i]
		for at := int(a.X); at < int(b.X); at++ {
			share := 0.0
			if b.X > a.X {
				share = math.Max(0, (float64(at)-a.X)/(b.X-a.X))
			}
			p.rect(pixels(at, int(lerp(a, b, share).Y), at+1, int(bottom)), c, .2)
		}
	}
	ink := rgba(kit.ColorText)
	if d.Dotted {
		ink = c
	}
	p.curve(d.Dotted, ink)
}

// bars draws each bar from the foot of the lane; the smallest can be seen, too.
func (l *Lane) bars(x func(float64) float64, top, bottom float64) {
	const wide, least = 3, 2 // in units of the canvas
	p, d := &l.paint, &l.data
	for _, q := range d.Bars {
		if !finite(q.X) || !finite(q.Y) || d.Top <= 0 {
			continue
		}
		high := math.Max(least*p.scale, math.Min(1, q.Y/d.Top)*(bottom-top))
		at := x(q.X)
		p.rect(pixels(int(at-wide*p.scale/2), int(bottom-high), int(at+wide*p.scale/2), int(bottom)), rgba(d.Color), 1)
	}
}

// arrow draws the lane's part of an arrow at a column.
func (l *Lane) arrow(a LaneArrow, x, gap, h float64) {
	p := &l.paint
	c := rgba(kit.ColorAdded)
	if a.Back {
		c = rgba(kit.ColorKept)
	}
	const dot = 2.6
	size := triangleSize * .8 * p.scale
	from, to := 0.0, h
	switch a.Part {
	case ArrowCaller:
		from = h - gap - roof()/2*p.scale
		if a.Back {
			p.triangle(x, from+size/2, size, c)
		} else {
			p.dot(x, from, dot*p.scale, c)
		}
	case ArrowCalled:
		to = gap + roof()/2*p.scale
		if a.Back {
			p.dot(x, to, dot*p.scale, c)
		} else {
			p.flipped(x, to-size/2, size, c)
		}
	}
	p.vline(x/p.scale, int(from), int(to), pen{c, .9, 0})
}
