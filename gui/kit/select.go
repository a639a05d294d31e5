package kit

import (
	"fyne.io/fyne/v2"
)

// Select is a choice of one among many: a frame that opens a list. Space, Enter
// and the arrow down open it, the arrow keys choose without opening it.
type Select struct {
	control
	OnChanged func(int)

	names    []string
	selected int
	hint     string
}

// NewSelect makes the choice; a selected of −1 shows the hint instead.
func NewSelect(names []string, selected int, changed func(int)) *Select {
	s := &Select{names: names, selected: selected, OnChanged: changed}
	s.init(s)
	return s
}

// SetHint sets the words shown while nothing is chosen.
func (s *Select) SetHint(h string) { s.hint = h; s.Refresh() }

// SetNames changes what can be chosen.
func (s *Select) SetNames(names []string, selected int) {
	s.names, s.selected = names, selected
	s.Refresh()
}

// Selected is the chosen index, −1 if none.
func (s *Select) Selected() int { return s.selected }

// Select chooses an index; nobody is told.
func (s *Select) Select(i int) {
	if i != s.selected && i < len(s.names) {
		s.selected = i
		s.Refresh()
	}
}

func (s *Select) choose(i int) {
	if s.disabled || i < 0 || i >= len(s.names) || i == s.selected {
		return
	}
	s.selected = i
	s.Refresh()
	if s.OnChanged != nil {
		s.OnChanged(i)
	}
}

// Tapped opens the list.
func (s *Select) Tapped(*fyne.PointEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(s)
	if s.disabled || c == nil || len(s.names) == 0 {
		return
	}
	c.Focus(s)
	var items []MenuItem
	for i, n := range s.names {
		items = append(items, MenuItem{Text: n, Checked: i == s.selected, Run: func() { s.choose(i) }})
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s)
	size := s.BaseWidget.Size()
	ShowMenu(c, items, fyne.NewPos(at.X, at.Y+size.Height+2), size.Width)
}

// TypedKey implements fyne.Focusable.
func (s *Select) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		s.Tapped(nil)
	case fyne.KeyDown:
		s.choose(s.selected + 1)
	case fyne.KeyUp:
		s.choose(s.selected - 1)
	default:
		PassKey(s, e)
	}
}

// CreateRenderer implements fyne.Widget.
func (s *Select) CreateRenderer() fyne.WidgetRenderer {
	frame, t := box(4), line(13, false, fyne.TextAlignLeading)
	mark := newGlyphPart(func() Glyph { return GlyphDown }, func() fyne.ThemeColorName { return ColorMuted })
	look := func() {
		fill := Color(ColorBackground)
		if s.hovered && !s.disabled {
			fill = blend(fill, Color(ColorText), .05)
		}
		paint(frame, fill, s.border(ColorLine))
	}
	place := func(z fyne.Size) {
		put(frame, 0, 0, z.Width, z.Height)
		g := Px(12)
		put(mark, z.Width-g-Px(7), (z.Height-g)/2, g, g)
		words, c := s.hint, ColorFaint
		if s.selected >= 0 && s.selected < len(s.names) {
			words, c = s.names[s.selected], ColorText
		}
		if s.disabled {
			c = ColorFaint
		}
		room := z.Width - Px(9) - g - Px(11)
		t.Text, t.TextSize, t.Color = Ellipsize(Clean(words), room, FontPx(13), t.TextStyle), FontPx(13), Color(c)
		mid(t, Px(9), 0, room, z.Height)
	}
	return &renderer{
		of: s, look: look,
		objs:   []fyne.CanvasObject{frame, t, mark},
		layout: place,
		min:    func() fyne.Size { return fyne.NewSize(Px(90), Px(24)) },
	}
}
