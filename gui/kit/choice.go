package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// choice is a control that chooses one of several names.
type choice struct {
	control
	OnChanged func(i int) // a person chose a name

	names    []string
	selected int // −1: none
}

// Selected is the chosen index, −1 if none.
func (c *choice) Selected() int { return c.selected }

// Select chooses an index without calling OnChanged.
func (c *choice) Select(i int) {
	if i != c.selected && i < len(c.names) {
		c.selected = i
		c.self.Refresh()
	}
}

// Len is how many names there are.
func (c *choice) Len() int { return len(c.names) }

// Choose is a choice by a person: it calls OnChanged.
func (c *choice) Choose(i int) { c.choose(i) }

// choose is a choice by a person.
func (c *choice) choose(i int) {
	if c.disabled || i < 0 || i >= len(c.names) || i == c.selected {
		return
	}
	c.selected = i
	c.self.Refresh()
	if c.OnChanged != nil {
		c.OnChanged(i)
	}
}

// list opens the names below the control.
func (c *choice) list() {
	on := fyne.CurrentApp().Driver().CanvasForObject(c.self)
	if c.disabled || on == nil || len(c.names) == 0 {
		return
	}
	on.Focus(c.self.(fyne.Focusable))
	var items []MenuItem
	for i, n := range c.names {
		items = append(items, MenuItem{Text: n, Checked: i == c.selected, Run: func() { c.choose(i) }})
	}
	ShowMenuUnder(c.self, items)
}

// Segments is a choice of one among a few, all of them visible.
type Segments struct {
	choice
	folding bool // only the chosen one is visible where there is no room for all
}

// NewSegments makes the choice; selected is an index into names.
func NewSegments(names []string, selected int, changed func(int)) *Segments {
	s := &Segments{choice: choice{names: names, selected: selected, OnChanged: changed}}
	s.usual = says("kit.segments.tip")
	s.init(s)
	return s
}

// Folding has the choice take the room of one name where there is none for all, and
// open as a list; it returns the choice.
func (s *Segments) Folding() *Segments { s.folding = true; return s }

// full is the width of all names.
func (s *Segments) full() (w float32) {
	for i := range s.names {
		w += s.segWidth(i)
	}
	return w
}

// least is the width of the widest name and the sign of a list.
func (s *Segments) least() (w float32) {
	for i := range s.names {
		w = fyne.Max(w, s.segWidth(i))
	}
	return fyne.Min(w+Px(14), s.full())
}

// more implements folds.
func (s *Segments) more() float32 { return s.full() - s.MinSize().Width }

func (s *Segments) folded() bool { return s.folding && s.BaseWidget.Size().Width < s.full()-1 }

// SetNames changes the words, and how many there are.
func (s *Segments) SetNames(names []string) { s.names = names; s.Refresh() }

// Tapped implements fyne.Tappable.
func (s *Segments) Tapped(e *fyne.PointEvent) {
	if s.folded() {
		s.list()
		return
	}
	s.choose(s.at(e.Position.X))
}

// TypedKey moves the choice with the arrow keys.
func (s *Segments) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		if s.folded() {
			s.list()
			return
		}
		PassKey(s, e)
	case fyne.KeyLeft:
		s.choose(s.selected - 1)
	case fyne.KeyRight:
		s.choose(s.selected + 1)
	default:
		PassKey(s, e)
	}
}

func (s *Segments) segWidth(i int) float32 {
	return width(s.names[i], FontPx(12), fyne.TextStyle{Bold: true}) + 2*Px(10)
}

func (s *Segments) at(x float32) int {
	for i := range s.names {
		if x -= s.segWidth(i); x < 0 {
			return i
		}
	}
	return len(s.names) - 1
}

// CreateRenderer implements fyne.Widget.
func (s *Segments) CreateRenderer() fyne.WidgetRenderer {
	frame := box(4)
	mark := newGlyphPart(func() Glyph { return GlyphDown }, func() fyne.ThemeColorName { return ColorMuted })
	r := &renderer{of: s, objs: []fyne.CanvasObject{frame, mark}}
	var fills []*canvas.Rectangle
	var texts []*canvas.Text
	grow := func() {
		for len(fills) < len(s.names) {
			f, t := box(3), line(12, true, fyne.TextAlignCenter)
			fills, texts = append(fills, f), append(texts, t)
			r.objs = append(r.objs[:len(r.objs)-1], f, t, mark)
		}
		for i := len(s.names); i < len(fills); i++ {
			fills[i].Hidden, texts[i].Hidden = true, true
		}
	}
	grow()
	r.look = func() {
		grow()
		paint(frame, Color(ColorRaised), s.border(ColorLine))
		for i := range s.names {
			t := texts[i]
			t.Text, t.TextSize, t.Color = s.names[i], FontPx(12), Color(ColorMuted)
			fill := color.Color(color.Transparent)
			if i == s.selected {
				t.Color = Color(ColorText)
				fill = Color(ColorSelection)
			}
			paint(fills[i], fill, nil)
			if s.disabled {
				t.Color = Color(ColorFaint)
			}
		}
	}
	r.layout = func(z fyne.Size) {
		put(frame, 0, 0, z.Width, z.Height)
		folded := s.folded()
		mark.Hidden = !folded
		x, spare := float32(0), (z.Width-s.full())/float32(max(1, len(s.names)))
		for i := range s.names {
			w := s.segWidth(i) + fyne.Max(0, spare)
			fills[i].Hidden, texts[i].Hidden = folded && i != s.selected, folded && i != s.selected
			if folded && i == s.selected {
				g := Px(12)
				w = z.Width - g - Px(6)
				put(mark, w, (z.Height-g)/2, g, g)
				put(fills[i], 1, 1, z.Width-2, z.Height-2)
				mid(texts[i], 0, 0, w, z.Height)
				continue
			}
			if folded {
				continue
			}
			put(fills[i], x+1, 1, w-2, z.Height-2)
			mid(texts[i], x, 0, w, z.Height)
			x += w
		}
	}
	r.min = func() fyne.Size {
		if s.folding {
			return fyne.NewSize(s.least(), Px(24))
		}
		return fyne.NewSize(s.full(), Px(24))
	}
	return r
}

// Select is a choice of one among many: a frame that opens a list. Space, Enter
// and the arrow down open it, the arrow keys choose without opening it.
type Select struct {
	choice
	hint string
}

// NewSelect makes the choice; a selected of −1 shows the hint instead.
func NewSelect(names []string, selected int, changed func(int)) *Select {
	s := &Select{choice: choice{names: names, selected: selected, OnChanged: changed}}
	s.usual = says("kit.select.tip")
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

// Tapped opens the list.
func (s *Select) Tapped(*fyne.PointEvent) { s.list() }

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
