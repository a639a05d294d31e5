package kit

import (
	"fyne.io/fyne/v2"
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
