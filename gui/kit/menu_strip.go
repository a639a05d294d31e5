package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/words"
)

// MenuEntry is one word of a menu strip and the menu under it. Items is asked
// when the menu opens, so that ticks and disabled items are up to date.
type MenuEntry struct {
	Text  string
	Items func() []MenuItem
}

// MenuStrip is the line at the top of a window, 34 units high: the program's
// name, menus, and at the right a box that opens the search. While a menu is
// open, the pointer and the arrow keys move to its neighbours.
type MenuStrip struct {
	widget.BaseWidget
	OnSearch func()

	title   string
	entries []MenuEntry
	words   []*menuWord
	search  *searchBox
	open    *Menu
	openAt  int
}

// NewMenuStrip makes a strip; hint and key are shown in the search box.
func NewMenuStrip(title string, entries []MenuEntry, hint, key string) *MenuStrip {
	m := &MenuStrip{title: title, entries: entries, openAt: -1}
	m.search = &searchBox{hint: hint, key: key}
	m.search.usual = func() string { return words.T("kit.search.tip") + " · " + key }
	m.search.init(m.search)
	m.search.tapped = func() {
		if m.OnSearch != nil {
			m.OnSearch()
		}
	}
	for i := range entries {
		w := &menuWord{m: m, i: i}
		w.usual = says("kit.word.tip")
		w.init(w)
		m.words = append(m.words, w)
	}
	m.ExtendBaseWidget(m)
	return m
}

// Open opens a menu by its index, for the keyboard.
func (m *MenuStrip) Open(i int) {
	c := fyne.CurrentApp().Driver().CanvasForObject(m)
	if c == nil || i < 0 || i >= len(m.words) {
		return
	}
	if m.open != nil {
		m.open.onClose = nil
		m.open.Close()
	}
	w := m.words[i]
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(w)
	m.openAt = i
	m.open = ShowMenu(c, m.entries[i].Items(), fyne.NewPos(at.X, at.Y+w.Size().Height), Px(180))
	m.open.onClose = func() { m.open, m.openAt = nil, -1; m.repaint() }
	m.open.onSide = func(by int) { m.Open((i + by + len(m.words)) % len(m.words)) }
	m.open.beside = m.under
	m.repaint()
}

// under opens the menu whose word is at a place of the canvas, while another
// one is open.
func (m *MenuStrip) under(at fyne.Position) {
	for i, w := range m.words {
		p := fyne.CurrentApp().Driver().AbsolutePositionForObject(w)
		s := w.Size()
		if at.X >= p.X && at.X < p.X+s.Width && at.Y >= p.Y && at.Y < p.Y+s.Height && i != m.openAt {
			m.Open(i)
			return
		}
	}
}

func (m *MenuStrip) repaint() {
	for _, w := range m.words {
		w.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (m *MenuStrip) CreateRenderer() fyne.WidgetRenderer {
	ground, rule, name := box(0), box(0), line(13, true, fyne.TextAlignLeading)
	objs := []fyne.CanvasObject{ground, rule, name}
	for _, w := range m.words {
		objs = append(objs, w)
	}
	objs = append(objs, m.search)
	look := func() {
		tint(ground, Color(ColorBackground))
		tint(rule, Color(ColorLine))
		name.Text, name.TextSize, name.Color = m.title, FontPx(13), Color(ColorText)
	}
	look()
	least := func() float32 {
		w := Px(12) + name.MinSize().Width + Px(14)
		for _, x := range m.words {
			w += x.MinSize().Width
		}
		return w
	}
	return &renderer{
		of:   m,
		objs: objs,
		layout: func(s fyne.Size) {
			put(ground, 0, 0, s.Width, s.Height)
			put(rule, 0, s.Height-1, s.Width, 1)
			x := Px(12)
			mid(name, x, 0, name.MinSize().Width, s.Height)
			x += name.MinSize().Width + Px(14)
			for _, w := range m.words {
				put(w, x, (s.Height-Px(26))/2, w.MinSize().Width, Px(26))
				x += w.MinSize().Width
			}
			room := fyne.Min(Px(260), s.Width-x-Px(24))
			m.search.Hidden = room < Px(90)
			put(m.search, s.Width-room-Px(12), (s.Height-Px(24))/2, fyne.Max(0, room), Px(24))
		},
		min: func() fyne.Size { return fyne.NewSize(least(), Px(34)) },
		refresh: func() {
			look()
			m.repaint()
			m.search.Refresh()
			canvas.Refresh(m)
		},
	}
}

// menuWord is one word of the strip.
type menuWord struct {
	control
	m *MenuStrip
	i int
}

// Tapped opens the menu.
func (w *menuWord) Tapped(*fyne.PointEvent) { w.m.Open(w.i) }

// CreateRenderer implements fyne.Widget.
func (w *menuWord) CreateRenderer() fyne.WidgetRenderer {
	bg, t := box(4), line(13, false, fyne.TextAlignCenter)
	look := func() {
		t.Text, t.TextSize, t.Color = w.m.entries[w.i].Text, FontPx(13), Color(ColorMuted)
		paint(bg, color.Transparent, nil)
		if w.m.openAt == w.i || w.hovered && w.m.openAt < 0 {
			paint(bg, Color(ColorRaised), nil)
			t.Color = Color(ColorText)
		}
	}
	return &renderer{
		of: w, look: look,
		objs: []fyne.CanvasObject{bg, t},
		layout: func(s fyne.Size) {
			put(bg, 0, 0, s.Width, s.Height)
			mid(t, 0, 0, s.Width, s.Height)
		},
		min: func() fyne.Size { look(); return fyne.NewSize(t.MinSize().Width+Px(18), Px(26)) },
	}
}

// searchBox looks like a field and opens the search when it is pressed.
type searchBox struct {
	control
	hint, key string
	tapped    func()
}

// Tapped opens the search.
func (b *searchBox) Tapped(*fyne.PointEvent) { b.tapped() }

// Cursor implements desktop.Cursorable.
func (b *searchBox) Cursor() desktop.Cursor { return desktop.TextCursor }

// CreateRenderer implements fyne.Widget.
func (b *searchBox) CreateRenderer() fyne.WidgetRenderer {
	frame := box(4)
	hint, key := line(12, false, fyne.TextAlignLeading), line(12, false, fyne.TextAlignTrailing)
	mark := newGlyphPart(func() Glyph { return GlyphSearch }, func() fyne.ThemeColorName { return ColorFaint })
	place := func(s fyne.Size) {
		stroke := Color(ColorLine)
		if b.hovered {
			stroke = Color(ColorFaint)
		}
		paint(frame, Color(ColorBackground), stroke)
		put(frame, 0, 0, s.Width, s.Height)
		g := Px(14)
		put(mark, Px(7), (s.Height-g)/2, g, g)
		key.Text, key.TextSize, key.Color = b.key, FontPx(12), Color(ColorFaint)
		kw := key.MinSize().Width
		hint.TextSize, hint.Color = FontPx(12), Color(ColorFaint)
		room := s.Width - Px(26) - kw - Px(18)
		hint.Text = Ellipsize(b.hint, room, FontPx(12), hint.TextStyle)
		mid(hint, Px(26), 0, room, s.Height)
		mid(key, s.Width-kw-Px(9), 0, kw, s.Height)
	}
	return &renderer{
		of:     b,
		objs:   []fyne.CanvasObject{frame, mark, hint, key},
		layout: place,
		min:    func() fyne.Size { return fyne.NewSize(Px(90), Px(24)) },
	}
}
