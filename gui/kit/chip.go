package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

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
