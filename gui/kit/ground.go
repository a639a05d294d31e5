package kit

import (
	"image"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// What is behind everything costs most where graphics are computed: a frame
// repaints the whole window, and a round rectangle computes the distance to its
// edge for every pixel within it. So the window is cleared to the colour of
// panes, which is free (see theme.go), a pane draws its edges and corners alone,
// and what is between panes is painted in the colour of the background: it is
// little.

// ground is the frame of a pane: lines, and round corners with the background
// behind them. Its inside is what the window was cleared to.
type ground struct {
	edges   [4]*canvas.Rectangle // top, bottom, left, right
	corners [4]*canvas.Raster    // at the top and the bottom of the left side, then of the right one
	radius  float32
}

func newGround(radius float32) *ground {
	g := &ground{radius: radius}
	for i := range g.edges {
		g.edges[i] = box(0)
		g.corners[i] = canvas.NewRaster(func(w, h int) image.Image { return g.corner(w, h, i >= 2, i%2 == 1) })
		g.corners[i].ScaleMode = canvas.ImageScalePixels
	}
	return g
}

// corner draws a quarter of a round frame: the background outside, a line, the
// pane inside.
func (g *ground) corner(w, h int, right, bottom bool) image.Image {
	im := image.NewRGBA(image.Rect(0, 0, w, h))
	r := float64(w)
	line := math.Max(1, math.Round(r/float64(g.radius))) // as thick as the edges
	for y := range h {
		for x := range w {
			from := math.Hypot(r-float64(x)-.5, float64(h)-float64(y)-.5) // the middle of the arc
			c := blend(Color(ColorPanel), Color(ColorLine), beyond(from-(r-line)))
			c = blend(c, Color(ColorBackground), beyond(from-r))
			u, v := x, y
			if right {
				u = w - 1 - x
			}
			if bottom {
				v = h - 1 - y
			}
			im.Set(u, v, c)
		}
	}
	return im
}

// beyond is the share of a pixel that is beyond an edge when its middle is
// so far behind it.
func beyond(behind float64) float64 { return math.Max(0, math.Min(1, behind+.5)) }

// objects are its parts, in the order in which they are drawn.
func (g *ground) objects() (out []fyne.CanvasObject) {
	for i := range g.edges {
		out = append(out, g.edges[i], g.corners[i])
	}
	return out
}

// look takes over the colours of the theme.
func (g *ground) look() {
	for _, e := range g.edges {
		tint(e, Color(ColorLine))
	}
	for _, c := range g.corners {
		canvas.Refresh(c)
	}
}

func (g *ground) resize(s fyne.Size) {
	r := fyne.Min(g.radius, s.Height/2)
	w, h := fyne.Max(0, s.Width-2*r), fyne.Max(0, s.Height-2*r)
	put(g.edges[0], r, 0, w, 1)
	put(g.edges[1], r, s.Height-1, w, 1)
	put(g.edges[2], 0, r, 1, h)
	put(g.edges[3], s.Width-1, r, 1, h)
	for i, at := range [4]fyne.Position{{}, {Y: s.Height - r}, {X: s.Width - r}, {X: s.Width - r, Y: s.Height - r}} {
		put(g.corners[i], at.X, at.Y, r, r)
	}
}

// Margin puts empty room in the colour of the background around an object: top,
// right, bottom, left, in units of the design.
func Margin(top, right, bottom, left float32, o fyne.CanvasObject) *fyne.Container {
	strip := func() fyne.CanvasObject { return NewFill(ColorBackground, 0) }
	return container.New(&marginLayout{padLayout{top, right, bottom, left}}, o, strip(), strip(), strip(), strip())
}

// marginLayout places an object and the four strips around it.
type marginLayout struct{ pad padLayout }

func (m *marginLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return m.pad.MinSize(o) }

func (m *marginLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	m.pad.Layout(o, s)
	top, right, bottom, left := Px(m.pad.top), Px(m.pad.right), Px(m.pad.bottom), Px(m.pad.left)
	h := s.Height - top - bottom
	put(o[1], 0, 0, s.Width, top)
	put(o[2], 0, s.Height-bottom, s.Width, bottom)
	put(o[3], 0, top, left, h)
	put(o[4], s.Width-right, top, right, h)
}

// Panes is a Column of panes, with the gaps between them in the colour of the
// background.
func Panes(panes ...fyne.CanvasObject) *fyne.Container {
	l := &panesLayout{flowLayout{rowLayout{gap: splitGap, down: true}}, len(panes)}
	objs := slices.Clone(panes)
	for range panes {
		objs = append(objs, NewFill(ColorBackground, 0))
	}
	return container.New(l, objs...)
}

// panesLayout places n panes, and behind each of them what follows them in the
// list: the gap below it.
type panesLayout struct {
	row flowLayout // a strip of controls may go on in a second line
	n   int
}

func (l *panesLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	along, across, _ := l.row.least(o[:l.n])
	if l.row.grown() {
		l.Layout(o, l.row.room)
	}
	return l.row.size(along, across)
}

func (l *panesLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	l.row.Layout(o[:l.n], s)
	for i, pane := range o[:l.n] {
		gap := o[l.n+i]
		y := pane.Position().Y + pane.Size().Height
		if !pane.Visible() || y >= s.Height {
			gap.Resize(fyne.Size{})
			continue
		}
		put(gap, 0, y, s.Width, Px(splitGap))
	}
}
