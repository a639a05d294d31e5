package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// What lies behind everything costs most where graphics are computed: a frame
// repaints the whole window, and a round rectangle computes the distance to its
// edge for every pixel within it. So the window is cleared to the colour of
// panes, which is free (see theme.go), a pane draws its edges alone, and what
// is between panes is painted in the colour of the background: it is little.

// ground is the frame of a pane: lines, and round corners with the background
// behind them. Its inside is what the window was cleared to.
type ground struct {
	behind, strips [2]*canvas.Rectangle // at the top and at the bottom
	middle         [2]*canvas.Rectangle // takes the inner corners of the strips away
	edges          [4]*canvas.Rectangle // top, bottom, left, right
	radius         float32
}

func newGround(radius float32) *ground {
	g := &ground{radius: radius}
	for i := range g.strips {
		g.behind[i], g.strips[i], g.middle[i] = box(0), box(radius), box(0)
	}
	for i := range g.edges {
		g.edges[i] = box(0)
	}
	return g
}

// objects are its parts, in the order in which they are drawn.
func (g *ground) objects() (out []fyne.CanvasObject) {
	for i := range g.strips {
		out = append(out, g.behind[i], g.strips[i], g.middle[i])
	}
	for _, e := range g.edges {
		out = append(out, e)
	}
	return out
}

// look takes over the colours of the theme.
func (g *ground) look() {
	for i := range g.strips {
		paint(g.behind[i], Color(ColorBackground), nil)
		paint(g.strips[i], Color(ColorPanel), Color(ColorLine))
		paint(g.middle[i], Color(ColorPanel), nil)
	}
	for _, e := range g.edges {
		paint(e, Color(ColorLine), nil)
	}
}

func (g *ground) resize(s fyne.Size) {
	half := fyne.Min(g.radius, s.Height/2)
	strip := 2 * half
	for i, y := range [2]float32{0, s.Height - strip} {
		inner := y + float32(1-i)*(half+1) - 1 // the edge and the corners of the strip that are not the pane's
		put(g.behind[i], 0, y+float32(i)*half, s.Width, half)
		put(g.strips[i], 0, y, s.Width, strip)
		put(g.middle[i], 0, inner, s.Width, half+1)
	}
	w, h := fyne.Max(0, s.Width-strip), fyne.Max(0, s.Height-strip)
	put(g.edges[0], half, 0, w, 1)
	put(g.edges[1], half, s.Height-1, w, 1)
	put(g.edges[2], 0, half, 1, h)
	put(g.edges[3], s.Width-1, half, 1, h)
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
	l := &panesLayout{rowLayout{gap: splitGap, down: true}, len(panes)}
	objs := slices.Clone(panes)
	for range panes {
		objs = append(objs, NewFill(ColorBackground, 0))
	}
	return container.New(l, objs...)
}

// panesLayout places n panes, and behind each of them what follows them in the
// list: the gap below it.
type panesLayout struct {
	row rowLayout
	n   int
}

func (l *panesLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return l.row.MinSize(o[:l.n]) }

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

// OnBackground puts the colour of the background behind an object.
func OnBackground(o fyne.CanvasObject) *fyne.Container {
	return container.NewStack(NewFill(ColorBackground, 0), o)
}
