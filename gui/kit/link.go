package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Link is words that can be pressed, in the accent colour.
type Link struct {
	pressed
	text string
	size float32
	// chevron draws a small triangle after the words: the link opens a menu.
	chevron bool
	bold    bool
	color   fyne.ThemeColorName
	least   float32 // height that can be pressed; 0: that of the words
}

// NewLink makes a link of the secondary text size.
func NewLink(text string, tapped func()) *Link {
	l := &Link{text: text, size: 12, color: ColorAccent}
	l.OnTapped = tapped
	l.init(l)
	return l
}

// NewMenuLink makes muted words with a triangle that open a menu, as in the
// head of a pane.
func NewMenuLink(text string, tapped func()) *Link {
	l := NewLink(text, tapped)
	l.chevron, l.color = true, ColorMuted
	l.usual = says("kit.menu.tip")
	return l
}

// NewHeadLink makes the words over a column, which order a list by it.
func NewHeadLink(text string, tapped func()) *Link {
	l := NewLink(text, tapped)
	l.size, l.bold, l.color = 11, true, ColorFaint
	l.usual = says("kit.sort.tip")
	return l
}

// InRow makes all the height of a list's row pressable, not the words alone, and returns it.
func (l *Link) InRow() *Link { l.least = 24; return l }

// WithTip says by a key of the words what pressing the link does and returns it.
func (l *Link) WithTip(key string) *Link { l.explain(key); return l }

// Does makes pressing the link do a command, whose tip it has, and returns it.
func (l *Link) Does(c Commands, id string) *Link { l.does(c, id); return l }

// SetText changes the words.
func (l *Link) SetText(s string) {
	if l.text != s {
		l.text = s
		l.Refresh()
	}
}

// Text is the words.
func (l *Link) Text() string { return l.text }

// Cursor implements desktop.Cursorable.
func (l *Link) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer implements fyne.Widget.
func (l *Link) CreateRenderer() fyne.WidgetRenderer {
	t, under := line(12, l.bold, fyne.TextAlignLeading), box(0)
	ink := func() fyne.ThemeColorName {
		switch {
		case l.disabled:
			return ColorFaint
		case l.hovered && l.color != ColorAccent:
			return ColorText
		}
		return l.color
	}
	mark := newGlyphPart(func() Glyph { return GlyphDown }, ink)
	look := func() {
		t.Text, t.TextSize, t.Color = Clean(l.text), FontPx(l.size), Color(ink())
		paint(under, Color(ink()), nil)
		under.Hidden = l.disabled || !(l.focused || l.hovered && l.color == ColorAccent)
		mark.Hidden = !l.chevron
	}
	place := func(s fyne.Size) {
		m := t.MinSize()
		mid(t, 0, 0, m.Width, s.Height)
		put(under, 0, s.Height/2+m.Height/2-2, m.Width, 1)
		g := Px(12)
		put(mark, m.Width+Px(2), (s.Height-g)/2, g, g)
	}
	return &renderer{
		of: l, look: look,
		objs:   []fyne.CanvasObject{t, under, mark},
		layout: place,
		min: func() fyne.Size {
			look()
			m := t.MinSize()
			if l.chevron {
				m.Width += Px(14)
			}
			m.Height = max(m.Height, Px(l.least))
			return m
		},
	}
}
