package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Tag is a short label in a small frame: a rule that applied, a preset, a
// state. With OnTapped it is a chip that can be pressed.
type Tag struct {
	control
	OnTapped func()

	text  string
	color fyne.ThemeColorName
	on    bool
}

// NewTag makes a tag whose words are in a named colour.
func NewTag(text string, c fyne.ThemeColorName) *Tag {
	t := &Tag{text: text, color: c}
	t.init(t)
	return t
}

// Set changes words and colour.
func (t *Tag) Set(text string, c fyne.ThemeColorName) {
	if t.text != text || t.color != c {
		t.text, t.color = text, c
		t.Refresh()
	}
}

// SetOn shows a chip as chosen or not.
func (t *Tag) SetOn(on bool) {
	if t.on != on {
		t.on = on
		t.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (t *Tag) Tapped(*fyne.PointEvent) {
	if !t.disabled && t.OnTapped != nil {
		t.OnTapped()
	}
}

// CreateRenderer implements fyne.Widget.
func (t *Tag) CreateRenderer() fyne.WidgetRenderer {
	bg, s := box(4), line(11, true, fyne.TextAlignCenter)
	look := func() {
		fill, stroke := Color(ColorRaised), Color(ColorLine)
		if t.color != ColorMuted && t.color != ColorText && t.color != ColorFaint {
			stroke = blend(Color(ColorLine), Color(t.color), .5)
		}
		if t.on {
			fill = Color(ColorSelection)
		}
		if t.hovered && t.OnTapped != nil {
			fill = blend(fill, Color(ColorText), .08)
		}
		paint(bg, fill, stroke)
		s.Text, s.TextSize, s.Color = Clean(t.text), FontPx(11), Color(t.color)
	}
	place := func(z fyne.Size) {
		put(bg, 0, 0, z.Width, z.Height)
		s.Text = Ellipsize(Clean(t.text), z.Width-Px(10), FontPx(11), s.TextStyle)
		mid(s, 0, 0, z.Width, z.Height)
	}
	return &renderer{
		of: t, look: look,
		objs:   []fyne.CanvasObject{bg, s},
		layout: place,
		min: func() fyne.Size {
			return fyne.NewSize(width(Clean(t.text), FontPx(11), s.TextStyle)+Px(15), Px(19))
		},
	}
}

// FateChip is a fate's badge with a number, which can be pressed to show only
// that fate, and shows whether that is so.
type FateChip struct {
	pressed
	letter string
	text   string
	on     bool
}

// NewFateChip makes a chip of a fate's letter; tip says what pressing it does.
func NewFateChip(letter, tip string, tapped func()) *FateChip {
	f := &FateChip{letter: letter}
	f.OnTapped, f.tip = tapped, tip
	f.init(f)
	return f
}

// Set changes the number, and whether only this fate is shown.
func (f *FateChip) Set(text string, on bool) {
	if f.text != text || f.on != on {
		f.text, f.on = text, on
		f.Refresh()
	}
}

// Cursor implements desktop.Cursorable.
func (f *FateChip) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer implements fyne.Widget.
func (f *FateChip) CreateRenderer() fyne.WidgetRenderer {
	bg, t, badge := box(4), line(12, false, fyne.TextAlignLeading), newBadgeParts()
	look := func() {
		fill := fade(Color(ColorHover), 0)
		switch {
		case f.on:
			fill = fade(Color(ColorSelection), 1)
		case f.hovered && !f.disabled:
			fill = fade(Color(ColorHover), 1)
		}
		var stroke = Color(ColorAccent)
		if !f.focused || f.disabled {
			stroke = nil
		}
		paint(bg, fill, stroke)
		t.Text, t.TextSize, t.Color = f.text, FontPx(12), Color(ColorText)
		if f.disabled {
			t.Color = Color(ColorFaint)
		}
		badge.set(f.letter, f.disabled)
	}
	place := func(s fyne.Size) {
		put(bg, 0, 0, s.Width, s.Height)
		badge.place(Px(4), float32(int((s.Height-Px(badgeHeight))/2+.5)), Px(badgeWidth), Px(badgeHeight))
		mid(t, Px(badgeWidth+9), 0, s.Width-Px(badgeWidth+13), s.Height)
	}
	return &renderer{
		of: f, look: look,
		objs:   []fyne.CanvasObject{bg, badge.raster, badge.text, t},
		layout: place,
		min: func() fyne.Size {
			return fyne.NewSize(Px(badgeWidth+14)+width(f.text, FontPx(12), fyne.TextStyle{}), Px(22))
		},
	}
}
