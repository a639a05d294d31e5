package kit

import (
	"image/color"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// Color is the present value of a named colour, in the theme and the variant
// (dark or light) in use.
func Color(name fyne.ThemeColorName) color.Color { return theme.Color(name) }

// Px scales a length of the design, which is drawn for text of 13 units, to the
// text size in use, and rounds it to whole units so that one-pixel lines stay
// sharp.
func Px(v float32) float32 {
	return float32(math.Round(float64(v * Scale())))
}

// Scale is the text size in use relative to the design's 13 units.
func Scale() float32 { return theme.Size(theme.SizeNameText) / baseText }

// renderer joins the parts of a widget that are functions of that widget, so
// that each widget is one type and not two.
type renderer struct {
	of     fyne.Widget
	objs   []fyne.CanvasObject
	look   func() // takes over words and colours before they are laid out; nil: nothing to do
	layout func(fyne.Size)
	min    func() fyne.Size
	// refresh replaces what a refresh does otherwise: look, layout, repaint all.
	refresh func()
	stale   Stale
	laid    bool                // it was laid out
	again   []fyne.CanvasObject // drawn a second time over objs: see [Bolder]
}

// Layout implements fyne.WidgetRenderer.
func (r *renderer) Layout(s fyne.Size) {
	r.laid = true
	r.stale.begin()
	if r.look != nil {
		r.look()
	}
	r.layout(s)
	r.again = bolder(r.objs)
}

// Refresh implements fyne.WidgetRenderer.
func (r *renderer) Refresh() {
	if r.refresh != nil {
		r.refresh()
		r.again = bolder(r.objs)
		return
	}
	r.Layout(r.of.Size())
	canvas.Refresh(r.of)
}

// MinSize implements fyne.WidgetRenderer.
func (r *renderer) MinSize() fyne.Size { return r.min() }

// Objects implements fyne.WidgetRenderer. It is asked before every frame in
// which the widget is drawn. The toolkit destroys the renderers of what was hidden for a
// minute, and makes new ones when it is shown. They are not laid out then, because the
// widget has its size already.
func (r *renderer) Objects() []fyne.CanvasObject {
	useFaces()
	due := r.stale.Due()
	if !r.laid {
		r.Layout(r.of.Size())
		due = true
	}
	if due {
		r.Refresh()
		restyle(r.objs)
	}
	if len(r.again) == 0 {
		return r.objs
	}
	return slices.Concat(r.objs, r.again)
}

// restyle repaints the toolkit's own widgets among the parts of one of ours, which
// do not know of [Stale].
func restyle(objs []fyne.CanvasObject) {
	for _, o := range objs {
		switch x := o.(type) {
		case *fyne.Container:
			restyle(x.Objects)
		case *container.Scroll:
			x.Refresh()
			restyle([]fyne.CanvasObject{x.Content})
		case *bareEntry:
			x.Refresh()
		}
	}
}

// Destroy implements fyne.WidgetRenderer.
func (r *renderer) Destroy() {}

// Parts is the renderer of a widget that places and repaints its parts by functions of its
// own; those that are nil do nothing.
type Parts struct {
	Place func(room fyne.Size)
	Least func() fyne.Size
	Again func() // after a change
	List  func() []fyne.CanvasObject
}

// Layout implements fyne.WidgetRenderer.
func (p *Parts) Layout(s fyne.Size) {
	if p.Place != nil {
		p.Place(s)
	}
}

// MinSize implements fyne.WidgetRenderer.
func (p *Parts) MinSize() (s fyne.Size) {
	if p.Least != nil {
		s = p.Least()
	}
	return s
}

// Refresh implements fyne.WidgetRenderer.
func (p *Parts) Refresh() {
	if p.Again != nil {
		p.Again()
	}
}

// Objects implements fyne.WidgetRenderer.
func (p *Parts) Objects() []fyne.CanvasObject { return p.List() }

// Destroy implements fyne.WidgetRenderer.
func (p *Parts) Destroy() {}

// put places an object.
func put(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}

// mid places an object at its own height in the vertical middle of a band.
func mid(o fyne.CanvasObject, x, y, w, h float32) {
	m := o.MinSize().Height
	put(o, x, y+(h-m)/2, w, m)
}

// box is a rectangle whose colours the widget sets when it is refreshed.
func box(radius float32) *canvas.Rectangle {
	r := canvas.NewRectangle(color.Transparent)
	r.CornerRadius = radius
	return r
}

// paint sets fill and border of a rectangle; a nil border has no line.
func paint(r *canvas.Rectangle, fill, stroke color.Color) {
	r.FillColor = fill
	r.StrokeColor, r.StrokeWidth = color.Transparent, 0
	if stroke == nil {
		if _, _, _, a := fill.RGBA(); a == 0 {
			r.FillColor = color.Transparent // the one colour that the painter leaves out
		}
		return
	}
	r.StrokeColor, r.StrokeWidth = stroke, 1
	if _, _, _, a := fill.RGBA(); a == 0 {
		// The painter mixes the border with the colour of the fill at its soft
		// edge; the black of a transparent fill would show as a dark fringe.
		n := color.NRGBAModel.Convert(stroke).(color.NRGBA)
		n.A = 1
		r.FillColor = n
	}
}

// tint gives a plain rectangle a colour and repaints it where that is another one.
func tint(r *canvas.Rectangle, c color.Color) {
	if r.FillColor != c {
		paint(r, c, nil)
		canvas.Refresh(r)
	}
}

// line is a raw text object without padding.
func line(size float32, bold bool, align fyne.TextAlign) *canvas.Text {
	t := canvas.NewText("", color.Transparent)
	t.TextSize, t.TextStyle.Bold, t.Alignment = size, bold, align
	return t
}

// width is how far a text reaches, in the units of the canvas.
func width(s string, size float32, style fyne.TextStyle) float32 {
	return fyne.MeasureText(s, size, style).Width
}

// fade is a colour at a share of its opacity.
func fade(c color.Color, a float64) color.NRGBA {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = uint8(float64(n.A)*a + .5)
	return n
}

// blend mixes two colours; t is the share of the second.
func blend(a, b color.Color, t float64) color.NRGBA {
	x, y := color.NRGBAModel.Convert(a).(color.NRGBA), color.NRGBAModel.Convert(b).(color.NRGBA)
	m := func(p, q uint8) uint8 { return uint8(float64(p)*(1-t) + float64(q)*t + .5) }
	return color.NRGBA{m(x.R, y.R), m(x.G, y.G), m(x.B, y.B), m(x.A, y.A)}
}

func clamp(v, lo, hi float32) float32 { return fyne.Max(lo, fyne.Min(hi, v)) }
