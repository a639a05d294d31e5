package chart

import (
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
)

// tag places the words of the current dot where they cover the fewest dots and
// steps: beside, above or below it, on a plate, so that what may still pass
// behind does not cross the letters.
func (c *Scatter) tag() {
	d := c.data.Current
	if d == nil || c.data.CurrentTag == "" {
		return
	}
	l := c.over.text(c.data.CurrentTag, kit.ColorText, 11, true)
	m := l.MinSize()
	r := c.tagFrame(m)
	c.over.box(plate(), fyne.NewPos(float32(r.x), float32(r.y)), fyne.NewSize(float32(r.w), float32(r.h)), 2)
	c.over.put(l, r.x+float64(kit.Px(3)), r.y, false)
}

// tagFrame is the place of the tag: the first of the places around its dot that
// is in the plane and covers the least.
func (c *Scatter) tagFrame(text fyne.Size) frame {
	x, y := c.at(*c.data.Current)
	w, h := float64(text.Width+2*kit.Px(3)), float64(text.Height)
	gap := float64(kit.Px(currentSize + 4))
	a := c.area
	best, least := frame{}, math.Inf(1)
	for _, p := range [][2]float64{
		{x + gap, y - h/2}, {x - gap - w, y - h/2}, // beside
		{x + gap, y + 2}, {x + gap, y - h - 2}, {x - gap - w, y - h - 2}, {x - gap - w, y + 2},
		{x - w/2, y - gap - h}, {x - w/2, y + gap}, // above, below
		{x + gap, y - 3*h}, {x - gap - w, y - 3*h}, {x + gap, y + 2*h}, {x - gap - w, y + 2*h}, // further off
	} {
		r := frame{p[0], p[1], w, h}
		if r.x < a.x || r.x+r.w > a.x+a.w || r.y < a.y || r.y+r.h > a.y+a.h {
			continue
		}
		if n := c.covers(r); n < least {
			best, least = r, n
		}
	}
	if math.IsInf(least, 1) { // a plane smaller than its tag
		return frame{math.Max(a.x, a.x+a.w-w), a.y, w, h}
	}
	return best
}

// covers weighs what is under a frame: each dot, a best one more, and the steps
// between the best ones.
func (c *Scatter) covers(r frame) float64 {
	n := 0.0
	for _, d := range c.data.Dots {
		if x, y := c.at(d); r.near(x, y, dotSize) {
			n++
		}
	}
	for _, d := range c.data.Front {
		if x, y := c.at(d); r.near(x, y, frontSize) {
			n++
		}
	}
	for _, s := range c.edge() {
		if r.x < s.to.X && s.from.X < r.x+r.w && r.y < s.to.Y && s.from.Y < r.y+r.h {
			n += .5
		}
	}
	return n
}

// near reports whether a disc touches a frame.
func (r frame) near(x, y, radius float64) bool {
	return x > r.x-radius && x < r.x+r.w+radius && y > r.y-radius && y < r.y+r.h+radius
}
