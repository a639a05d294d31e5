package preview

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
)

// connectors is the strip between both sides: at its left edge the fates of all
// rows as a map of the list, over its width a line from each row in sight to its
// place after the compaction.
//
//	left │▌ ╲      │ right
//	     │▌  ╲____ │
//	     │▌________│
type connectors struct {
	widget.BaseWidget
	links    []link
	fates    []mapPart
	from, to float64          // what is seen of the left side, 0–1
	onDrag   func(at float64) // 0–1 of the left side
	curves   []*canvas.Line
}

// link is one line: heights at both ends, in units of the canvas.
type link struct {
	left, right float32
	color       fyne.ThemeColorName
	lit         bool
}

// mapPart is a stretch of rows of one fate, in shares of the list.
type mapPart struct {
	from, to float64
	color    fyne.ThemeColorName
}

func newConnectors(onDrag func(at float64)) *connectors {
	c := &connectors{onDrag: onDrag}
	c.ExtendBaseWidget(c)
	return c
}

func (c *connectors) set(links []link, fates []mapPart, from, to float64) {
	c.links, c.fates, c.from, c.to = links, fates, from, to
	c.Refresh()
}

// mapWidth is that of the map, in units of the design.
const mapWidth = 8

// Dragged scrolls.
func (c *connectors) Dragged(e *fyne.DragEvent) { c.seek(e.Position) }

// DragEnd is Fyne's.
func (c *connectors) DragEnd() {}

// MouseDown scrolls to a place of the map.
func (c *connectors) MouseDown(e *desktop.MouseEvent) { c.seek(e.Position) }

// MouseUp is Fyne's.
func (c *connectors) MouseUp(*desktop.MouseEvent) {}

func (c *connectors) seek(at fyne.Position) {
	if h := c.Size().Height; h > 0 && c.onDrag != nil {
		c.onDrag(float64(fyne.Min(fyne.Max(at.Y/h, 0), 1)))
	}
}

// CreateRenderer implements fyne.Widget.
func (c *connectors) CreateRenderer() fyne.WidgetRenderer {
	r := &connectorsRenderer{c: c}
	r.draw()
	return r
}

type connectorsRenderer struct {
	c     *connectors
	parts []*canvas.Rectangle
	view  *canvas.Rectangle
	dots  []*canvas.Circle
	objs  []fyne.CanvasObject
}

func (r *connectorsRenderer) Destroy() {}

func (r *connectorsRenderer) MinSize() fyne.Size { return fyne.NewSize(kit.Px(40), kit.Px(40)) }

func (r *connectorsRenderer) Objects() []fyne.CanvasObject { return r.objs }

func (r *connectorsRenderer) Layout(fyne.Size) { r.draw() }

func (r *connectorsRenderer) Refresh() {
	r.draw()
	canvas.Refresh(r.c)
}

// draw places everything anew.
func (r *connectorsRenderer) draw() {
	c, s := r.c, r.c.Size()
	r.objs = r.objs[:0]
	if s.Height <= 0 {
		return
	}
	w := kit.Px(mapWidth)
	for i, f := range c.fates {
		if i == len(r.parts) {
			r.parts = append(r.parts, canvas.NewRectangle(color.Transparent))
		}
		p := r.parts[i]
		p.FillColor = kit.Color(f.color)
		p.Move(fyne.NewPos(0, float32(f.from)*s.Height))
		p.Resize(fyne.NewSize(w, fyne.Max(1, float32(f.to-f.from)*s.Height)))
		r.objs = append(r.objs, p)
	}
	if r.view == nil {
		r.view = canvas.NewRectangle(color.Transparent)
	}
	r.view.StrokeColor, r.view.StrokeWidth = kit.Color(kit.ColorText), 1
	r.view.Move(fyne.NewPos(0, float32(c.from)*s.Height))
	r.view.Resize(fyne.NewSize(w, fyne.Max(2, float32(c.to-c.from)*s.Height)))
	r.objs = append(r.objs, r.view)
	r.lines(s, w)
}

// lines draws the connections, the lit ones over the others.
func (r *connectorsRenderer) lines(s fyne.Size, w float32) {
	c, n, dots := r.c, 0, 0
	for _, lit := range []bool{false, true} {
		for _, k := range c.links {
			if k.lit != lit {
				continue
			}
			ink, width := kit.Color(k.color), float32(1)
			if lit {
				ink, width = kit.Color(kit.ColorAccent), 1.8
			}
			clampTo := func(y float32) float32 { return fyne.Min(fyne.Max(y, 1), s.Height-1) }
			left, right := clampTo(k.left), clampTo(k.right)
			in := (s.Width - w) / 6
			at := []fyne.Position{{X: w, Y: left}, {X: w + in, Y: left}, {X: s.Width - in, Y: right}, {X: s.Width, Y: right}}
			for i := range 3 {
				if n == len(c.curves) {
					c.curves = append(c.curves, canvas.NewLine(color.Transparent))
				}
				l := c.curves[n]
				l.StrokeColor, l.StrokeWidth, l.Position1, l.Position2 = ink, width, at[i], at[i+1]
				r.objs = append(r.objs, l)
				n++
			}
			if lit {
				dots = r.dot(dots, at[0])
				dots = r.dot(dots, at[3])
			}
		}
	}
}

// dot draws the end of a lit line.
func (r *connectorsRenderer) dot(i int, at fyne.Position) int {
	if i == len(r.dots) {
		r.dots = append(r.dots, canvas.NewCircle(color.Transparent))
	}
	d, size := r.dots[i], kit.Px(6)
	d.FillColor = kit.Color(kit.ColorAccent)
	d.Move(fyne.NewPos(at.X-size/2, at.Y-size/2))
	d.Resize(fyne.NewSize(size, size))
	r.objs = append(r.objs, d)
	return i + 1
}
