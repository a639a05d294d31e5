package chart

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"palimpsest/gui/kit"
)

type fyneColor = fyne.ThemeColorName

// The most ticks of the axes.
const (
	yTicks = 4
	xTicks = 6
)

// overlay is what is drawn over the curves: labels, tags, the cursor, the words at
// the pointer. These are canvas objects, so that letters are sharp and a moving
// pointer does not draw the curves again.
type overlay struct {
	texts  []*canvas.Text
	boxes  []*canvas.Rectangle
	used   int     // of texts
	filled int     // of boxes
	tagEnd float32 // right end of the tag of a level above the axis; 0: there is none
	objs   []fyne.CanvasObject

	labelLeft, labelTop float64 // where the last label of a level begins
}

// begin takes away what is over the picture.
func (o *overlay) begin(picture fyne.CanvasObject) {
	o.used, o.filled, o.objs = 0, 0, append(o.objs[:0], picture)
}

// text takes the next text object.
func (o *overlay) text(s string, c fyneColor, size float32, bold bool) *canvas.Text {
	if o.used == len(o.texts) {
		o.texts = append(o.texts, canvas.NewText("", color.Transparent))
	}
	t := o.texts[o.used]
	o.used++
	t.Text, t.Color, t.TextSize, t.Alignment = s, kit.Color(c), kit.FontPx(size), fyne.TextAlignLeading
	t.TextStyle.Bold = bold
	return t
}

func (o *overlay) box(c color.Color, at fyne.Position, s fyne.Size, radius float32) *canvas.Rectangle {
	if o.filled == len(o.boxes) {
		o.boxes = append(o.boxes, canvas.NewRectangle(color.Transparent))
	}
	b := o.boxes[o.filled]
	o.filled++
	b.FillColor, b.StrokeColor, b.StrokeWidth, b.CornerRadius = c, color.Transparent, 0, radius
	b.Move(at)
	b.Resize(s)
	o.objs = append(o.objs, b)
	return b
}

// put places a text by one of its corners and lists it after the boxes that
// were taken before it.
func (o *overlay) put(t *canvas.Text, x, y float64, right bool) fyne.Size {
	m := t.MinSize()
	if right {
		x -= float64(m.Width)
	}
	t.Move(fyne.NewPos(float32(x), float32(y)))
	t.Resize(m)
	o.objs = append(o.objs, t)
	return m
}

// place writes the words of the curves.
func (t *Timeline) place(o *overlay) {
	o.tagEnd, o.labelTop = 0, math.Inf(-1)
	f := t.area
	o.axes(t, f)
	o.marks(t, f)
	o.ticks(t, f)
	o.levels(t, f)
	for k := range t.data.Base {
		o.base(t, f, k)
	}
	if len(t.data.Series) == 0 && t.data.Unknown != "" {
		o.sentence(t.data.Unknown, f)
	}
	o.cursor(t, f)
	o.selection(t, f)
	o.hover(t, f)
	if t.focused {
		s := t.BaseWidget.Size()
		b := o.box(color.Transparent, fyne.NewPos(1, 1), fyne.NewSize(s.Width-2, s.Height-2), 4)
		b.StrokeColor, b.StrokeWidth = kit.Color(kit.ColorAccent), 1
	}
}

// base writes what a height of the band at the bottom comes to, at its right end. It is
// left out where it would reach into another height.
func (o *overlay) base(t *Timeline, f frame, k int) {
	b := t.data.Base[k]
	from, to := t.baseSpan(k)
	if b.Y <= 0 || b.Tag == "" || to <= from {
		return
	}
	l := o.text(b.Tag, kit.ColorMuted, 11, false)
	m := l.MinSize()
	h := float64(m.Height)
	y := math.Min(t.py(b.Y), f.y+f.h-4) - h
	if t.py(b.Y)+h+4 < f.y+f.h {
		y = f.y + f.h - h - 2 // the band is high enough to hold its words
	}
	right := t.px(to) - 4
	if math.Abs(y-o.labelTop) < h { // beside the label of a level that it would overlap
		right = math.Min(right, o.labelLeft-float64(kit.Px(10)))
	}
	if left := right - float64(m.Width) - 2; left < t.px(from) {
		o.used-- // the text goes back
		return
	}
	o.box(plate(), fyne.NewPos(float32(right)-m.Width-2, float32(y)), fyne.NewSize(m.Width+4, m.Height), 2)
	o.put(l, right, y, true)
}

// rungs are the values that the axis at the left names, as many as there is height for.
func (t *Timeline) rungs(f frame) []float64 {
	return ticks(0, t.paint.top, max(2, min(yTicks+1, int(f.h/float64(kit.Px(18))))))
}

func (o *overlay) axes(t *Timeline, f frame) {
	if t.data.empty() {
		return // numbers beside nothing would be made up
	}
	for _, v := range t.rungs(f) {
		if v == 0 {
			continue
		}
		l := o.text(t.FormatY(v), kit.ColorFaint, 11, false)
		h := float64(l.MinSize().Height)
		o.put(l, f.x-float64(kit.Px(7)), t.py(v)-h/2, true)
	}
	half := float64(kit.Px(20))
	o.along(levelAxis{t.FormatX, f.x - half, f.x + f.w, f.y + f.h + float64(kit.Px(4))}, ticks(t.from, t.to, xTicks), t.px)
}

func (o *overlay) levels(t *Timeline, f frame) {
	left, above := f.x+f.w-4, math.Inf(-1) // where the label before this one begins, and its height
	for _, l := range t.data.Levels {
		y := t.py(l.Value)
		beyond := l.Value > t.paint.top
		if l.Label == "" || beyond && !l.Drag {
			continue
		}
		if beyond {
			o.tagEnd = o.tag(f, l, l.Label+" ↑", t.tagY(l))
			continue
		}
		if !l.Tag {
			s := o.text(l.Label, l.Color, 11, false)
			h := float64(s.MinSize().Height)
			if y++; y+h > f.y+f.h {
				y -= h + 2 // above a line that is low
			}
			if math.Abs(y-above) < h { // beside a label that it would overlap in height
				left -= float64(kit.Px(10))
			} else {
				left = f.x + f.w - 4
			}
			above = y
			w := float64(s.MinSize().Width)
			o.box(plate(), fyne.NewPos(float32(left-w)-kit.Px(3), float32(y)), fyne.NewSize(float32(w)+kit.Px(6), float32(h)), 2)
			left -= float64(o.put(s, left, y, true).Width)
			o.labelLeft, o.labelTop = left, y
			continue
		}
		o.tag(f, l, l.Label, y)
	}
}

// tagHeight is that of the tag of a level, in units of the design.
const tagHeight = 18

// tag puts the words of a level into a filled tag at the left end of its line, and
// returns where the tag ends.
func (o *overlay) tag(f frame, l Level, label string, y float64) float32 {
	s := o.text(label, kit.ColorOnAccent, 11, true)
	m := s.MinSize()
	grip := float32(0)
	if l.Drag {
		grip = kit.Px(9)
	}
	h := kit.Px(tagHeight)
	x := float32(f.x) + kit.Px(6)
	w := m.Width + kit.Px(12) + grip
	o.box(kit.Color(l.Color), fyne.NewPos(x, float32(y)-h/2), fyne.NewSize(w, h), 3)
	o.put(s, float64(x+kit.Px(6)), y-float64(m.Height)/2, false)
	if l.Drag { // two short lines: this can be taken hold of
		gx := x + kit.Px(6) + m.Width + kit.Px(5)
		for _, dy := range []float32{-2, 2} {
			o.box(kit.Color(kit.ColorOnAccent), fyne.NewPos(gx, float32(y)+dy-.5), fyne.NewSize(kit.Px(6), 1), 0)
		}
	}
	return x + w
}

// tagY is the height at which a level is taken hold of: that of its line, or of
// the tag that hangs from the upper edge.
func (t *Timeline) tagY(l Level) float64 {
	if l.Value > t.paint.top {
		return t.area.y + float64(kit.Px(tagHeight))/2
	}
	return t.py(l.Value)
}

// plate is the ground of a label where curves may pass behind it: the panel, a
// little transparent, so that the curve is seen to go on.
func plate() color.Color {
	c := color.NRGBAModel.Convert(kit.Color(kit.ColorPanel)).(color.NRGBA)
	c.A = 235
	return c
}

func (o *overlay) marks(t *Timeline, f frame) {
	var shown []Mark // with a diamond
	for _, m := range t.data.Marks {
		if m.X >= t.from && m.X <= t.to && !m.Simulated {
			shown = append(shown, m)
		}
	}
	gap := float64(kit.Px(8))
	end := math.Inf(-1) // of the label or diamond before
	for i, m := range shown {
		x, next := t.px(m.X), math.Inf(1)
		if i+1 < len(shown) {
			next = t.px(shown[i+1].X) - gap
		}
		before := end
		end = math.Max(end, x+gap)
		if m.Label == "" {
			continue
		}
		l := o.text(m.Label, kit.ColorMuted, 11, false)
		h, w := float64(l.MinSize().Height), float64(l.MinSize().Width)
		switch {
		case x-gap >= before && x+gap+w <= math.Min(next, float64(t.BaseWidget.Size().Width)):
			o.put(l, x+gap, f.y-markRise-h/2, false)
			end = x + gap + w
		case x-gap-w >= before: // before the diamond: behind it there is no room
			o.put(l, x-gap, f.y-markRise-h/2, true)
		default:
			o.used-- // its line is drawn, and a click shows it
		}
	}
}

// ticks marks places at the foot, one for those that would touch.
func (o *overlay) ticks(t *Timeline, f frame) {
	last := float32(-10)
	for _, v := range t.data.Ticks {
		x := float32(math.Round(t.px(v)))
		if v < t.from || v > t.to || x-last < kit.Px(3) {
			continue
		}
		last = x
		o.box(kit.Color(kit.ColorAccent), fyne.NewPos(x-kit.Px(1), float32(f.y+f.h)-kit.Px(7)), fyne.NewSize(kit.Px(2), kit.Px(7)), 0)
	}
}

func (o *overlay) cursor(t *Timeline, f frame) {
	if !t.hasCursor || t.cursor < t.from || t.cursor > t.to {
		return
	}
	x := float32(math.Round(t.px(t.cursor)))
	o.box(kit.Color(kit.ColorAccent), fyne.NewPos(x, float32(f.y)), fyne.NewSize(1, float32(f.h)), 0)
	if y, ok := t.valueAt(t.cursor); ok && y <= t.paint.top {
		d := kit.Px(7)
		o.box(kit.Color(kit.ColorAccent), fyne.NewPos(x+.5-d/2, float32(t.py(y))-d/2), fyne.NewSize(d, d), d/2)
	}
}

// selection is the range that a drag is about to zoom to.
func (o *overlay) selection(t *Timeline, f frame) {
	if t.drag.kind != dragZoom {
		return
	}
	a, b := t.px(t.drag.start), t.px(t.drag.now)
	c := color.NRGBAModel.Convert(kit.Color(kit.ColorAccent)).(color.NRGBA)
	c.A = 50
	o.box(c, fyne.NewPos(float32(math.Min(a, b)), float32(f.y)), fyne.NewSize(float32(math.Abs(b-a)), float32(f.h)), 0)
}

func (o *overlay) hover(t *Timeline, f frame) {
	if !t.hovering || t.drag.kind != dragNone || t.Hover == nil || t.target(t.last).beyond > 0 {
		return // what is about to be taken hold of stays in sight
	}
	lines := t.Hover(t.hoverX)
	if lines == nil {
		return
	}
	x := math.Max(f.x, math.Min(f.x+f.w, math.Round(t.px(t.hoverX)))) // what it snaps to may be outside the view
	o.box(kit.Color(kit.ColorFaint), fyne.NewPos(float32(x), float32(f.y)), fyne.NewSize(1, float32(f.h)), 0)
	if len(lines) == 0 {
		return // its owner shows them elsewhere
	}
	var w float32
	for _, l := range lines {
		w = fyne.Max(w, fyne.MeasureText(l, kit.FontPx(11), fyne.TextStyle{}).Width)
	}
	w += kit.Px(14)
	lh := kit.Px(15)
	h := lh*float32(len(lines)) + kit.Px(6)
	left := float32(x) + kit.Px(8)
	if left+w > float32(f.x+f.w) {
		left = float32(x) - w - kit.Px(8)
	}
	top := fyne.Max(float32(f.y), fyne.Min(t.last.Y-h-kit.Px(6), float32(f.y+f.h)-h))
	b := o.box(kit.Color(kit.ColorRaised), fyne.NewPos(left, top), fyne.NewSize(w, h), 4)
	b.StrokeColor, b.StrokeWidth = kit.Color(kit.ColorLine), 1
	for i, s := range lines {
		l := o.text(s, kit.ColorText, 11, i == 0)
		l.TextStyle.Bold = false
		o.put(l, float64(left+kit.Px(7)), float64(top+kit.Px(3)+float32(i)*lh), false)
	}
}

func (o *overlay) refresh() {
	for _, t := range o.texts[:o.used] {
		canvas.Refresh(t)
	}
	for _, b := range o.boxes[:o.filled] {
		canvas.Refresh(b)
	}
}
