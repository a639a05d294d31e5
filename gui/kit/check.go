package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/words"
)

// Check is a box to tick, with its words. As a radio button (see [NewRadio]) it
// is round and can't be unticked by pressing it again.
type Check struct {
	control
	OnChanged func(bool)

	text  string
	on    bool
	round bool
}

// NewCheck makes a box to tick.
func NewCheck(text string, on bool, changed func(bool)) *Check {
	c := &Check{text: text, on: on, OnChanged: changed}
	c.usual = func() string {
		if c.round {
			return words.T("kit.radio.tip")
		}
		return words.T("kit.check.tip")
	}
	c.init(c)
	return c
}

// NewRadio makes a choice of one among several; changed gets its index.
func NewRadio(names []string, selected int, changed func(int)) []*Check {
	var all []*Check
	for i, n := range names {
		c := NewCheck(n, i == selected, nil)
		c.round = true
		c.OnChanged = func(bool) {
			for j, o := range all {
				o.SetOn(i == j)
			}
			if changed != nil {
				changed(i)
			}
		}
		all = append(all, c)
	}
	return all
}

// On reports whether the box is ticked.
func (c *Check) On() bool { return c.on }

// SetOn ticks or unticks without a callback.
func (c *Check) SetOn(on bool) {
	if c.on != on {
		c.on = on
		c.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (c *Check) Tapped(*fyne.PointEvent) {
	if c.disabled || c.round && c.on {
		return
	}
	c.on = !c.on
	c.Refresh()
	if c.OnChanged != nil {
		c.OnChanged(c.on)
	}
}

// TypedKey ticks on Space and Enter.
func (c *Check) TypedKey(e *fyne.KeyEvent) {
	if isPress(e.Name) {
		c.Tapped(nil)
		return
	}
	PassKey(c, e)
}

// CreateRenderer implements fyne.Widget.
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	b, dot, edge := box(3), box(3), box(4)
	t := line(13, false, fyne.TextAlignLeading)
	mark := glyphRaster(func() Glyph {
		if c.on && !c.round {
			return GlyphTick
		}
		return GlyphNone
	}, func() color.Color { return Color(ColorOnAccent) })
	look := func() {
		ink := Color(ColorAccent)
		stroke := Color(ColorFaint)
		if c.disabled {
			ink, stroke = Color(ColorLine), Color(ColorLine)
		}
		if c.hovered && !c.disabled {
			stroke = Color(ColorMuted)
		}
		if c.on && !c.disabled {
			stroke = ink
		}
		fill := Color(ColorBackground)
		if c.on && !c.round {
			fill = ink
		}
		paint(b, fill, stroke)
		paint(dot, ink, nil)
		dot.Hidden = !c.round || !c.on
		t.Text, t.TextSize, t.Color = Clean(c.text), FontPx(13), Color(ColorText)
		if c.disabled {
			t.Color = Color(ColorFaint)
		}
		paint(edge, color.Transparent, Color(ColorAccent))
		edge.Hidden = !c.focused
	}
	place := func(s fyne.Size) {
		put(edge, -Px(4), Px(1), fyne.Min(s.Width, c.MinSize().Width)+Px(8), s.Height-Px(2))
		d := Px(14)
		b.CornerRadius = 3
		if c.round {
			b.CornerRadius = d / 2
		}
		put(b, 0, (s.Height-d)/2, d, d)
		put(mark, 0, (s.Height-d)/2, d, d)
		in := Px(6)
		dot.CornerRadius = in / 2
		put(dot, (d-in)/2, (s.Height-in)/2, in, in)
		mid(t, d+Px(7), 0, s.Width-d-Px(7), s.Height)
	}
	return &renderer{
		of: c, look: look,
		objs:   []fyne.CanvasObject{edge, b, dot, mark, t},
		layout: place,
		min: func() fyne.Size {
			look()
			return fyne.NewSize(Px(21)+t.MinSize().Width, Px(24))
		},
	}
}

// TickBox is the box of a row of a [List] that can be chosen together with
// others. It leaves the keyboard with the list.
type TickBox struct {
	widget.BaseWidget
	OnTapped func(held fyne.KeyModifier)

	on   bool
	some bool
	held fyne.KeyModifier
}

// NewTickBox makes an empty box.
func NewTickBox(tapped func(held fyne.KeyModifier)) *TickBox {
	b := &TickBox{OnTapped: tapped}
	b.ExtendBaseWidget(b)
	return b
}

// Set ticks or unticks without a callback.
func (b *TickBox) Set(on bool) { b.SetSome(on, false) }

// SetSome is Set for a box of several: some of them are ticked.
func (b *TickBox) SetSome(on, some bool) {
	if some = some && !on; b.on != on || b.some != some {
		b.on, b.some = on, some
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
		switch {
		case b.on:
			return GlyphTick
		case b.some:
			return GlyphMinus
		}
		return GlyphNone
	}, func() color.Color { return Color(ColorOnAccent) })
	look := func() {
		fill, stroke := Color(ColorBackground), Color(ColorFaint)
		if b.on || b.some {
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
