package chart

import (
	"image"
	"image/color"
	"math"
	"sort"

	"golang.org/x/image/vector"

	"palimpsest/gui/kit"
)

// lineWidth is that of the curves, in units of the canvas.
const lineWidth = 1.6

// The diamond of a mark: how far above the curves, and half its height.
const (
	markRise  = 6
	markSize  = 4.2
	firedSize = 3.4
)

// triangleSize is the height of a simulated mark.
const triangleSize = 8

// painter draws into a picture that is used again for every frame. It allocates only when
// the size grows.
type painter struct {
	img    *image.RGBA
	scale  float64         // pixels a unit
	top    float64         // value at the upper edge
	area   image.Rectangle // that curves are drawn in, in pixels
	path   []Point         // the present curve in pixels, reduced
	raster vector.Rasterizer
}

// pen is what a straight line is drawn with.
type pen struct {
	color color.RGBA
	alpha float64
	dash  float64 // length of its dashes in units, 0 for none
}

// begin takes over the size of the picture and clears it; units is the width of the
// widget. It returns false where there is nothing to draw on.
func (p *painter) begin(w, h int, units float32) bool {
	if p.img == nil || p.img.Rect.Dx() != w || p.img.Rect.Dy() != h {
		p.img = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	if units <= 0 || w == 0 || h == 0 {
		return false
	}
	p.scale, p.area = float64(w)/float64(units), p.img.Rect
	p.fill(rgba(kit.ColorPanel))
	return true
}

// draw paints the curves.
func (t *Timeline) draw(p *painter) {
	f := t.area
	x0, x1 := p.i(f.x), p.i(f.x+f.w)
	y0, y1 := p.i(f.y), p.i(f.y+f.h)
	p.area = pixels(x0, y0, x1, y1)
	for _, b := range t.data.Bands {
		p.rect(pixels(max(x0, p.i(t.px(b.From))), y0, min(x1, p.i(t.px(b.To))), y1), rgba(b.Color), .13)
	}
	if t.data.empty() {
		return
	}
	p.ground(t, f)
	for _, dotted := range []bool{true, false} { // recorded curves are on top
		for _, s := range t.data.Series {
			if s.Dotted == dotted {
				p.reduce(t, s.Points)
				p.curve(s.Dotted, rgba(s.Color))
			}
		}
	}
	for _, m := range t.data.Marks {
		if m.X >= t.from && m.X <= t.to && m.Simulated {
			p.triangle(t.px(m.X)*p.scale, (f.y+f.h)*p.scale, triangleSize*p.scale, rgba(m.Color))
			if m.Value > 0 {
				p.diamond(t.px(m.X)*p.scale, t.py(min(m.Value, p.top))*p.scale, firedSize*p.scale, rgba(m.Color))
			}
		}
	}
}

// ground draws what is below the curves: grid, fixed part, marks and levels.
func (p *painter) ground(t *Timeline, f frame) {
	x0, x1, y0, y1 := p.area.Min.X, p.area.Max.X, p.area.Min.Y, p.area.Max.Y
	grid := pen{rgba(kit.ColorLine), 1, 0}
	for _, v := range t.rungs(f) {
		if v > 0 {
			p.hline(x0, x1, t.py(v), grid)
		}
	}
	for k, b := range t.data.Base {
		if from, to := t.baseSpan(k); b.Y > 0 && to > from {
			p.rect(pixels(p.i(t.px(from)), p.i(t.py(b.Y)), p.i(t.px(to)), y1), grid.color, .9)
		}
	}
	p.hline(x0, x1, f.y+f.h, grid)
	for _, m := range t.data.Marks {
		if m.X >= t.from && m.X <= t.to && !m.Simulated {
			p.vline(t.px(m.X), y0, y1, pen{rgba(kit.ColorMuted), .55, 3})
			p.diamond(t.px(m.X)*p.scale, (f.y-markRise)*p.scale, markSize*p.scale, rgba(kit.ColorMuted))
		}
	}
	for _, l := range t.data.Levels {
		if l.Value <= p.top {
			ink := pen{rgba(l.Color), 1, 0}
			if l.Dashed {
				ink.dash = 5
			}
			p.hline(x0, x1, t.py(l.Value), ink)
		}
	}
}

// pixels is the rectangle between two corners; empty if they are the wrong way round.
func pixels(x0, y0, x1, y1 int) image.Rectangle {
	return image.Rectangle{Min: image.Pt(x0, y0), Max: image.Pt(x1, y1)}
}

// i is a coordinate of the widget in whole pixels.
func (p *painter) i(v float64) int { return int(math.Round(v * p.scale)) }

func rgba(name fyneColor) color.RGBA { return color.RGBAModel.Convert(kit.Color(name)).(color.RGBA) }

func (p *painter) fill(c color.RGBA) {
	b := p.img.Pix
	if len(b) < 4 {
		return
	}
	b[0], b[1], b[2], b[3] = c.R, c.G, c.B, 255
	for n := 4; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

// mix lays a colour over a pixel; a is from 0 to 255.
func (p *painter) mix(o int, c color.RGBA, a uint32) {
	b := p.img.Pix[o : o+4 : o+4]
	if a == 255 {
		b[0], b[1], b[2] = c.R, c.G, c.B
		return
	}
	n := 255 - a
	b[0] = uint8((uint32(b[0])*n + uint32(c.R)*a + 127) / 255)
	b[1] = uint8((uint32(b[1])*n + uint32(c.G)*a + 127) / 255)
	b[2] = uint8((uint32(b[2])*n + uint32(c.B)*a + 127) / 255)
}

func (p *painter) rect(r image.Rectangle, c color.RGBA, a float64) {
	w, alpha := p.img.Rect.Dx(), uint32(a*255)
	r = r.Intersect(p.img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p.mix(4*(y*w+x), c, alpha)
		}
	}
}

// hline draws a line one unit thick at a height of the widget.
func (p *painter) hline(x0, x1 int, y float64, ink pen) {
	th := max(1, int(math.Round(p.scale)))
	row := int(y*p.scale) - th/2
	d := max(1, int(ink.dash*p.scale))
	for x := x0; x < x1; x++ {
		if ink.dash == 0 || (x-x0)/d%2 == 0 {
			p.rect(pixels(x, row, x+1, row+th), ink.color, ink.alpha)
		}
	}
}

func (p *painter) vline(x float64, y0, y1 int, ink pen) {
	th := max(1, int(math.Round(p.scale)))
	col := int(x*p.scale) - th/2
	d := max(1, int(ink.dash*p.scale))
	for y := y0; y < y1; y++ {
		if ink.dash == 0 || (y-y0)/d%2 == 0 {
			p.rect(pixels(col, y, col+th, y+1), ink.color, ink.alpha)
		}
	}
}

// shape lays a colour over the pixels of a rectangle; cover is how much of the pixel
// around a point belongs to it, which makes its edges smooth.
func (p *painter) shape(r image.Rectangle, c color.RGBA, cover func(x, y float64) float64) {
	w := p.img.Rect.Dx()
	r = r.Intersect(p.img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if a := math.Min(1, cover(float64(x)+.5, float64(y)+.5)); a > 0 {
				p.mix(4*(y*w+x), c, uint32(a*255))
			}
		}
	}
}

// around is the pixels that may be within r of a point.
func around(cx, cy, r float64) image.Rectangle {
	return pixels(int(cx-r-1), int(cy-r-1), int(cx+r+1)+1, int(cy+r+1)+1)
}

// diamond fills a square on its corner.
func (p *painter) diamond(cx, cy, r float64, c color.RGBA) {
	p.shape(around(cx, cy, r), c, func(x, y float64) float64 {
		return .5 - (math.Abs(x-cx)+math.Abs(y-cy)-r)*math.Sqrt2/2
	})
}

// dot fills a circle.
func (p *painter) dot(cx, cy, r float64, c color.RGBA) {
	p.shape(around(cx, cy, r), c, func(x, y float64) float64 { return .5 - math.Hypot(x-cx, y-cy) + r })
}

// slope is half the width of a triangle for each pixel of its height.
const slope = .62

// triangle fills a triangle with its base on a line.
func (p *painter) triangle(cx, foot, h float64, c color.RGBA) {
	half := h*slope + 1
	p.shape(pixels(int(cx-half), int(foot-h), int(cx+half)+1, int(foot)), c, func(x, y float64) float64 {
		return (y-foot+h)*slope + .5 - math.Abs(x-cx)
	})
}

// flipped fills a triangle that hangs from a line.
func (p *painter) flipped(cx, top, h float64, c color.RGBA) {
	half := h*slope + 1
	p.shape(pixels(int(cx-half), int(top), int(cx+half)+1, int(top+h)), c, func(x, y float64) float64 {
		return (top+h-y)*slope + .5 - math.Abs(x-cx)
	})
}

// curve draws the path with smooth edges.
func (p *painter) curve(dotted bool, c color.RGBA) {
	if len(p.path) == 0 || p.area.Empty() {
		return
	}
	p.raster.Reset(p.area.Dx(), p.area.Dy())
	r := lineWidth / 2 * p.scale
	if len(p.path) == 1 {
		at := p.path[0]
		p.stroke(Point{at.X - 2*r, at.Y}, Point{at.X + 2*r, at.Y}, 2*r)
	}
	phase, reach := 0.0, r+1
	from := Point{float64(p.area.Min.X) - reach, float64(p.area.Min.Y) - reach}
	to := Point{float64(p.area.Max.X) + reach, float64(p.area.Max.Y) + reach}
	for i := 1; i < len(p.path); i++ {
		// What is outside is left out: a value far above the frame must not
		// cost as many dots as it is far.
		a, b, ok := clip(p.path[i-1], p.path[i], from, to)
		if !ok {
			continue
		}
		if dotted {
			phase = p.dots(a, b, r, phase)
		} else {
			p.stroke(a, b, r)
		}
	}
	p.raster.Draw(p.img, p.area, image.NewUniform(c), image.Point{})
}

// stroke adds the line from a to b to the curve: r wide to each side, and a little beyond its
// ends, so that it meets the next one.
func (p *painter) stroke(a, b Point, r float64) {
	const beyond = .3 // of r; more of it would make a curve of many short lines heavier
	n := math.Hypot(b.X-a.X, b.Y-a.Y)
	if n == 0 {
		return
	}
	along := Point{(b.X - a.X) / n * r, (b.Y - a.Y) / n * r}
	corner := func(at Point, ahead, aside float64) (x, y float32) {
		return float32(at.X + ahead*along.X - aside*along.Y - float64(p.area.Min.X)),
			float32(at.Y + ahead*along.Y + aside*along.X - float64(p.area.Min.Y))
	}
	p.raster.MoveTo(corner(a, -beyond, 1))
	p.raster.LineTo(corner(b, beyond, 1))
	p.raster.LineTo(corner(b, beyond, -1))
	p.raster.LineTo(corner(a, -beyond, -1))
	p.raster.ClosePath()
}

// dots strokes a part of a dotted curve. phase is how far the present period of
// dot and gap has come; the phase of the next part is given back.
func (p *painter) dots(a, b Point, r, phase float64) float64 {
	dot, period := 2.6*p.scale, 5.2*p.scale
	n := math.Hypot(b.X-a.X, b.Y-a.Y)
	if n == 0 {
		return phase
	}
	for at := -phase; at < n; at += period {
		if from, to := math.Max(at, 0), math.Min(at+dot, n); from < to {
			p.stroke(lerp(a, b, from/n), lerp(a, b, to/n), r)
		}
	}
	return math.Mod(phase+n, period)
}

func lerp(a, b Point, t float64) Point {
	return Point{a.X + (b.X-a.X)*t, a.Y + (b.Y-a.Y)*t}
}

// clip cuts a segment to the rectangle between two corners; false if nothing is
// left.
func clip(a, b, low, high Point) (Point, Point, bool) {
	from, to := 0.0, 1.0
	dx, dy := b.X-a.X, b.Y-a.Y
	for _, e := range [4][2]float64{{-dx, a.X - low.X}, {dx, high.X - a.X}, {-dy, a.Y - low.Y}, {dy, high.Y - a.Y}} {
		switch {
		case e[0] == 0 && e[1] < 0:
			return a, b, false
		case e[0] < 0:
			from = math.Max(from, e[1]/e[0])
		case e[0] > 0:
			to = math.Min(to, e[1]/e[0])
		}
	}
	if from > to {
		return a, b, false
	}
	return lerp(a, b, from), lerp(a, b, to), true
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// reduce puts the visible part of a series, in pixels, into path: of the points
// in one column of pixels only the first, the lowest, the highest and the last.
// What is drawn is the same.
func (p *painter) reduce(t *Timeline, pts []Point) {
	p.path = p.path[:0]
	from := sort.Search(len(pts), func(i int) bool { return pts[i].X >= t.from })
	to := sort.Search(len(pts), func(i int) bool { return pts[i].X > t.to })
	from, to = max(0, from-1), min(len(pts), to+1) // one beyond each edge
	f := t.area
	kx, ky := 0.0, f.h/p.top*p.scale
	if t.to > t.from {
		kx = f.w / (t.to - t.from) * p.scale
	}
	left, bottom := f.x*p.scale, (f.y+f.h)*p.scale
	pos := func(i int) Point { return Point{left + (pts[i].X-t.from)*kx, bottom - pts[i].Y*ky} }
	for i := from; i < to; {
		first := pos(i)
		if !finite(first.Y) {
			i++
			continue
		}
		col := math.Floor(first.X)
		lo, hi, last := first, first, first
		loAt, hiAt, j := i, i, i+1
		for ; j < to; j++ {
			q := pos(j)
			if math.Floor(q.X) != col || !finite(q.Y) {
				break
			}
			if q.Y < lo.Y {
				lo, loAt = q, j
			}
			if q.Y > hi.Y {
				hi, hiAt = q, j
			}
			last = q
		}
		p.path = append(p.path, first)
		if j-i > 3 {
			if loAt > hiAt {
				lo, hi = hi, lo
			}
			p.path = append(p.path, lo, hi, last)
		} else {
			for k := i + 1; k < j; k++ {
				p.path = append(p.path, pos(k))
			}
		}
		i = j
	}
}
