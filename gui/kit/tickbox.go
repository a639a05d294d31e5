package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// TickBox is the box of a row of a [List] that can be chosen together with
// others. It leaves the keyboard with the list.
type TickBox struct {
	widget.BaseWidget
	OnTapped func(held fyne.KeyModifier)

	on   bool
	held fyne.KeyModifier
}

// NewTickBox makes an empty box.
func NewTickBox(tapped func(held fyne.KeyModifier)) *TickBox {
	b := &TickBox{OnTapped: tapped}
	b.ExtendBaseWidget(b)
	return b
}

// Set ticks or unticks; nobody is told.
func (b *TickBox) Set(on bool) {
	if b.on != on {
		b.on = on
		b.Refresh()
	}
}

// MouseDown notes the keys that are held.
func (b *TickBox) MouseDown(e *desktop.MouseEvent) { b.held = e.Modifier }

// MouseUp implements desktop.Mouseable.
func (b *TickBox) MouseUp(*desktop.MouseEvent) {}

// Tapped implements fyne.Tappable.
func (b *TickBox) Tapped(*fyne.PointEvent) { b.OnTapped(b.held) }

// CreateRenderer implements fyne.Widget.
func (b *TickBox) CreateRenderer() fyne.WidgetRenderer {
	r := box(3)
	mark := glyphRaster(func() Glyph {
		if b.on {
			return GlyphTick
		}
		return GlyphNone
	}, func() color.Color { return Color(ColorOnAccent) })
	look := func() {
		fill, stroke := Color(ColorBackground), Color(ColorFaint)
		if b.on {
			fill, stroke = Color(ColorAccent), Color(ColorAccent)
		}
		paint(r, fill, stroke)
	}
	return &renderer{
		of: b, look: look,
		objs: []fyne.CanvasObject{r, mark},
		layout: func(s fyne.Size) {
			d := Px(14)
			put(r, (s.Width-d)/2, (s.Height-d)/2, d, d)
			put(mark, (s.Width-d)/2, (s.Height-d)/2, d, d)
		},
		min: func() fyne.Size { return fyne.NewSize(Px(16), Px(16)) },
	}
}
