package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// ButtonKind is how much a button asks for attention.
type ButtonKind uint8

// The kinds. A screen has one primary button, at its lower right.
const (
	Secondary ButtonKind = iota
	Primary
	Danger
)

// Button is a push button with a one-pixel border.
type Button struct {
	pressed
	text   string
	kind   ButtonKind
	glyph  Glyph
	height float32
	fit    bool
	menu   bool
}

// NewButton makes a button of the ordinary height, 24.
func NewButton(text string, kind ButtonKind, tapped func()) *Button {
	b := &Button{text: text, kind: kind, height: 24}
	b.OnTapped = tapped
	b.init(b)
	return b
}

// Small makes the button 22 high with smaller text and returns it.
func (b *Button) Small() *Button { b.height = 22; return b }

// Large makes the button 26 high and returns it.
func (b *Button) Large() *Button { b.height = 26; return b }

// Fit lets the button be narrower than its words and returns it.
func (b *Button) Fit() *Button { b.fit = true; return b }

// WithGlyph puts a sign before the words and returns the button.
func (b *Button) WithGlyph(g Glyph) *Button { b.glyph = g; return b }

// OpensMenu puts the sign of a menu behind the words and returns the button.
func (b *Button) OpensMenu() *Button { b.menu = true; return b }

// WithTip says by a key of the words what pressing the button does, and by that with
// ".off" in the place of ".tip" why it can't be pressed while it is disabled. It returns
// the button.
func (b *Button) WithTip(key string) *Button { b.explain(key); return b }

// Commands are done by their names; each says what it does and its key, or why it
// can't be done now.
type Commands interface {
	Run(id string)
	Tip(id string) string
}

// Does makes pressing the button do a command, whose tip it has, and returns it.
func (b *Button) Does(c Commands, id string) *Button { b.does(c, id); return b }

// Text is the words on the button.
func (b *Button) Text() string { return b.text }

// SetText changes the words.
func (b *Button) SetText(s string) {
	if b.text != s {
		b.text = s
		b.Refresh()
	}
}

// colors gives fill, border and words in the button's state.
func (b *Button) colors() (fill, stroke, text color.Color) {
	if b.disabled {
		return Color(ColorPanel), Color(ColorLine), Color(ColorFaint)
	}
	fill, stroke, text = Color(ColorRaised), Color(ColorLine), Color(ColorText)
	switch b.kind {
	case Primary:
		fill, stroke, text = Color(ColorAccent), Color(ColorAccent), Color(ColorOnAccent)
	case Danger:
		fill, stroke, text = Color(ColorPanel), Color(ColorError), Color(ColorError)
	}
	if b.hovered {
		fill = blend(fill, Color(ColorText), .08)
	}
	if b.focused {
		stroke = Color(ColorAccent)
		if b.kind == Primary {
			stroke = Color(ColorText)
		}
	}
	return fill, stroke, text
}

// CreateRenderer implements fyne.Widget.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	bg := box(4)
	t := line(13, false, fyne.TextAlignCenter)
	ink := func() color.Color { _, _, c := b.colors(); return c }
	ras, down := glyphRaster(func() Glyph { return b.glyph }, ink), glyphRaster(func() Glyph { return GlyphDown }, ink)
	down.Hidden = !b.menu
	look := func() {
		fill, stroke, text := b.colors()
		paint(bg, fill, stroke)
		ras.Hidden = b.glyph == GlyphNone
		t.Text, t.Color, t.TextStyle.Bold, t.TextSize = b.text, text, b.kind == Primary, FontPx(13)
		if b.height < 24 {
			t.TextSize = FontPx(12)
		}
		if b.fit {
			t.Text = Ellipsize(b.text, b.Size().Width-2*Px(6), t.TextSize, t.TextStyle)
		}
	}
	// sides are what a sign before and one behind the words take, their gaps included.
	sides := func() (before, behind float32) {
		if b.glyph != GlyphNone {
			before = Px(12)
			if b.text != "" {
				before += Px(5)
			}
		}
		if b.menu {
			behind = Px(3) + Px(12)
		}
		return before, behind
	}
	place := func(s fyne.Size) {
		put(bg, 0, 0, s.Width, s.Height)
		before, behind := sides()
		w := t.MinSize().Width
		x := (s.Width - before - w - behind) / 2
		g := min(Px(12), before)
		put(ras, x, (s.Height-g)/2, g, g)
		mid(t, x+before, 0, w, s.Height)
		g = Px(12)
		put(down, x+before+w+behind-g, (s.Height-g)/2, g, g)
	}
	return &renderer{
		of: b, look: look,
		objs:   []fyne.CanvasObject{bg, ras, t, down},
		layout: place,
		min: func() fyne.Size {
			look()
			before, behind := sides()
			w := before + t.MinSize().Width + behind + 2*Px(10)
			if b.fit {
				w = 0
			}
			return fyne.NewSize(w, Px(b.height))
		},
	}
}

// IconButton is a small sign that can be pressed, without a frame.
type IconButton struct {
	pressed
	glyph Glyph
}

// NewIconButton makes a button of a sign; tip says in words what it does.
func NewIconButton(g Glyph, tip string, tapped func()) *IconButton {
	b := &IconButton{glyph: g}
	b.OnTapped, b.tip = tapped, tip
	b.init(b)
	return b
}

// NewReset makes the sign that sets a value back to its default.
func NewReset(tip string, tapped func()) *IconButton { return NewIconButton(GlyphReset, tip, tapped) }

// CreateRenderer implements fyne.Widget.
func (b *IconButton) CreateRenderer() fyne.WidgetRenderer {
	bg := box(4)
	ink := func() color.Color {
		switch {
		case b.disabled:
			return Color(ColorLine)
		case b.hovered || b.focused:
			return Color(ColorText)
		}
		return Color(ColorFaint)
	}
	ras := glyphRaster(func() Glyph { return b.glyph }, ink)
	look := func() {
		paint(bg, color.Transparent, nil)
		if b.hovered && !b.disabled {
			paint(bg, Color(ColorRaised), nil)
		}
		if b.focused && !b.disabled {
			paint(bg, bg.FillColor, Color(ColorAccent))
		}
	}
	return &renderer{
		of: b, look: look,
		objs: []fyne.CanvasObject{bg, ras},
		layout: func(s fyne.Size) {
			put(bg, 0, 0, s.Width, s.Height)
			g := Px(14)
			put(ras, (s.Width-g)/2, (s.Height-g)/2, g, g)
		},
		min: func() fyne.Size { return fyne.NewSize(Px(20), Px(20)) },
	}
}

// PressRow is a line of objects that can be pressed as one, and shows hover and
// focus around them. A disabled one is a line like any other; its tooltip still
// appears.
type PressRow struct {
	pressed
	obj    fyne.CanvasObject
	height float32
}

// NewPressRow makes a row of a height in units of the design.
func NewPressRow(height float32, o fyne.CanvasObject, tapped func()) *PressRow {
	p := &PressRow{obj: o, height: height}
	p.OnTapped = tapped
	p.init(p)
	return p
}

// Cursor implements desktop.Cursorable.
func (p *PressRow) Cursor() desktop.Cursor {
	if p.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// CreateRenderer implements fyne.Widget.
func (p *PressRow) CreateRenderer() fyne.WidgetRenderer {
	bg := box(4)
	look := func() {
		fill, stroke := fade(Color(ColorHover), 0), p.border(ColorPanel)
		if p.hovered && !p.disabled {
			fill = fade(Color(ColorHover), 1)
		}
		if !p.focused || p.disabled {
			stroke = nil
		}
		paint(bg, fill, stroke)
	}
	return &renderer{
		of: p, look: look,
		objs: []fyne.CanvasObject{bg, p.obj},
		layout: func(s fyne.Size) {
			put(bg, 0, 0, s.Width, s.Height)
			put(p.obj, 0, 0, s.Width, s.Height)
		},
		min: func() fyne.Size { return fyne.NewSize(p.obj.MinSize().Width, Px(p.height)) },
	}
}
