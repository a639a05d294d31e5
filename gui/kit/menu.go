package kit

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// MenuItem is one line of a menu. An item without words is a rule.
type MenuItem struct {
	Text     string
	Shortcut string // as it is to be read: "Ctrl+O"
	Disabled bool
	Why      string // why it is disabled: shown at the foot of the menu while the pointer is on it
	Checked  bool
	Stays    bool // it is ticked or not, and the menu stays open
	Run      func()
}

// Rule parts groups of a menu.
var Rule = MenuItem{}

func (m MenuItem) rule() bool { return m.Text == "" }

// Menu is an open pop-up menu. It takes the arrow keys, Home, End, Enter and
// Esc, and closes when something else is clicked.
type Menu struct {
	widget.BaseWidget
	canvas  fyne.Canvas
	items   []MenuItem
	at      fyne.Position
	least   float32
	over    int
	frame   *canvas.Rectangle
	lines   []*menuLine
	scroll  *container.Scroll
	why     *Text // the foot; nil: no item of the menu says why it is disabled
	onClose func()
	onSide  func(int)           // the arrow keys left (−1) and right (+1)
	beside  func(fyne.Position) // the pointer is somewhere beside the menu
	before  fyne.Focusable
}

// ShowMenu opens a menu with its upper left corner at a place of the canvas,
// moved as far as needed to fit. The menu is at least as wide as least.
func ShowMenu(c fyne.Canvas, items []MenuItem, at fyne.Position, least float32) *Menu {
	HideTip(c)
	items = slices.Clone(items)
	for i := range items {
		if !items[i].Disabled {
			items[i].Why = "" // it is only that of a disabled one
		}
	}
	m := &Menu{canvas: c, items: items, at: at, least: least, over: -1, frame: box(6), before: c.Focused()}
	col := container.New(&rowLayout{down: true})
	checks := false
	for _, it := range items {
		checks = checks || it.Checked
	}
	for i := range items {
		l := &menuLine{m: m, i: i, checks: checks}
		l.ExtendBaseWidget(l)
		m.lines = append(m.lines, l)
		col.Add(l)
	}
	m.scroll = container.NewVScroll(col)
	if slices.ContainsFunc(items, func(it MenuItem) bool { return it.Why != "" }) {
		m.why = NewText("", ColorMuted, 11)
	}
	m.ExtendBaseWidget(m)
	for i, it := range items {
		if it.Checked && !it.Disabled {
			m.over = i
			break
		}
	}
	c.Overlays().Add(m)
	m.Resize(c.Size())
	c.Focus(m)
	return m
}

// ShowMenuUnder opens a menu below an object, at least as wide.
func ShowMenuUnder(o fyne.CanvasObject, items []MenuItem) {
	d := fyne.CurrentApp().Driver()
	if c := d.CanvasForObject(o); c != nil && len(items) > 0 {
		ShowMenu(c, items, d.AbsolutePositionForObject(o).AddXY(0, o.Size().Height+2), o.Size().Width)
	}
}

// Close takes the menu away and gives the keyboard back.
func (m *Menu) Close() {
	m.canvas.Overlays().Remove(m)
	if m.before != nil {
		m.canvas.Focus(m.before)
	}
	if m.onClose != nil {
		m.onClose()
	}
}

func (m *Menu) run(i int) {
	if i < 0 || i >= len(m.items) || m.items[i].rule() || m.items[i].Disabled {
		return
	}
	if it := &m.items[i]; it.Stays {
		it.Checked = !it.Checked
		m.lines[i].Refresh()
	} else {
		m.Close()
	}
	if f := m.items[i].Run; f != nil {
		f()
	}
}

func (m *Menu) setOver(i int) {
	if m.over == i {
		return
	}
	was := m.over
	m.over = i
	if m.why != nil {
		text := ""
		if i >= 0 {
			text = m.items[i].Why
		}
		m.why.SetText(text)
	}
	for _, j := range []int{was, i} {
		if j >= 0 && j < len(m.lines) {
			m.lines[j].Refresh()
		}
	}
}

// step moves to the next item that can be chosen.
func (m *Menu) step(from, by int) {
	n := len(m.items)
	for k := 1; k <= n; k++ {
		i := ((from+k*by)%n + n) % n
		if !m.items[i].rule() && !m.items[i].Disabled {
			m.setOver(i)
			m.reveal(i)
			return
		}
	}
}

func (m *Menu) reveal(i int) {
	l, h := m.lines[i], m.scroll.Size().Height
	switch y := l.Position().Y; {
	case y < m.scroll.Offset.Y:
		m.scroll.ScrollToOffset(fyne.NewPos(0, y))
	case y+l.Size().Height > m.scroll.Offset.Y+h:
		m.scroll.ScrollToOffset(fyne.NewPos(0, y+l.Size().Height-h))
	}
}

// Tapped closes the menu: the click was beside it.
func (m *Menu) Tapped(*fyne.PointEvent) { m.Close() }

// TappedSecondary is Tapped for the other button.
func (m *Menu) TappedSecondary(*fyne.PointEvent) { m.Close() }

// MouseIn implements desktop.Hoverable.
func (m *Menu) MouseIn(e *desktop.MouseEvent) { m.MouseMoved(e) }

// MouseMoved lets the menu strip open another menu.
func (m *Menu) MouseMoved(e *desktop.MouseEvent) {
	if m.beside != nil {
		m.beside(e.AbsolutePosition)
	}
}

// MouseOut implements desktop.Hoverable.
func (m *Menu) MouseOut() {}

// FocusGained implements fyne.Focusable.
func (m *Menu) FocusGained() {}

// FocusLost implements fyne.Focusable.
func (m *Menu) FocusLost() {}

// TypedRune jumps to the next item that begins with the letter.
func (m *Menu) TypedRune(r rune) {
	n := len(m.items)
	for k := 1; k <= n; k++ {
		i := (m.over + k + n) % n
		it := m.items[i]
		if !it.rule() && !it.Disabled && lower([]rune(it.Text)[0]) == lower(r) {
			m.setOver(i)
			m.reveal(i)
			return
		}
	}
}

func lower(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// TypedKey moves in the menu.
func (m *Menu) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyDown:
		m.step(m.over, 1)
	case fyne.KeyUp:
		m.step(max(m.over, 0), -1)
	case fyne.KeyHome:
		m.step(-1, 1)
	case fyne.KeyEnd:
		m.step(len(m.items), -1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		m.run(m.over)
	case fyne.KeyEscape:
		m.Close()
	case fyne.KeyLeft, fyne.KeyRight:
		if m.onSide != nil {
			by := 1
			if e.Name == fyne.KeyLeft {
				by = -1
			}
			m.onSide(by)
		}
	}
}

// CreateRenderer implements fyne.Widget.
func (m *Menu) CreateRenderer() fyne.WidgetRenderer {
	look := func() { paint(m.frame, Color(ColorRaised), Color(ColorLine)) }
	objs := []fyne.CanvasObject{m.frame, m.scroll}
	var foot, reasons float32 // height of the foot, width of what it may say
	if m.why != nil {
		objs, foot = append(objs, m.why), Px(24)
		for _, it := range m.items {
			reasons = max(reasons, width(it.Why, FontPx(11), fyne.TextStyle{})+Px(26))
		}
	}
	return &renderer{
		of: m, look: look,
		objs: objs,
		layout: func(s fyne.Size) {
			in := m.scroll.Content.MinSize()
			w := max(m.least, in.Width+2, reasons)
			h := fyne.Min(in.Height+Px(8)+foot, s.Height-8)
			x := clamp(m.at.X, 4, fyne.Max(4, s.Width-w-4))
			y := clamp(m.at.Y, 4, fyne.Max(4, s.Height-h-4))
			put(m.frame, x, y, w, h)
			put(m.scroll, x+1, y+Px(4), w-2, h-Px(8)-foot)
			if m.why != nil {
				mid(m.why, x+Px(12), y+h-foot-Px(2), w-Px(24), foot)
			}
		},
		min: func() fyne.Size { return fyne.NewSize(1, 1) },
	}
}

// menuLine is one line of an open menu.
type menuLine struct {
	widget.BaseWidget
	m      *Menu
	i      int
	checks bool // some line has a tick: leave room for it
}

// Tapped runs the item.
func (l *menuLine) Tapped(*fyne.PointEvent) { l.m.run(l.i) }

// MouseIn implements desktop.Hoverable.
func (l *menuLine) MouseIn(*desktop.MouseEvent) {
	if it := l.m.items[l.i]; !it.rule() && (!it.Disabled || it.Why != "") {
		l.m.setOver(l.i)
	}
}

// MouseMoved implements desktop.Hoverable.
func (l *menuLine) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (l *menuLine) MouseOut() {}

// CreateRenderer implements fyne.Widget.
func (l *menuLine) CreateRenderer() fyne.WidgetRenderer {
	it := &l.m.items[l.i]
	bg, rule := box(4), box(0)
	text, key := line(13, false, fyne.TextAlignLeading), line(12, false, fyne.TextAlignTrailing)
	tick := glyphRaster(func() Glyph {
		if it.Checked {
			return GlyphTick
		}
		return GlyphNone
	}, func() color.Color { return Color(ColorAccent) })
	look := func() {
		paint(rule, Color(ColorLine), nil)
		rule.Hidden = !it.rule()
		paint(bg, color.Transparent, nil)
		if l.m.over == l.i && !it.Disabled {
			paint(bg, Color(ColorSelection), nil)
		}
		text.Text, text.TextSize, text.Color = Clean(it.Text), FontPx(13), Color(ColorText)
		key.Text, key.TextSize, key.Color = it.Shortcut, FontPx(12), Color(ColorFaint)
		if it.Disabled {
			text.Color = Color(ColorFaint)
		}
	}
	inset := func() float32 {
		if l.checks {
			return Px(26)
		}
		return Px(12)
	}
	return &renderer{
		of: l, look: look,
		objs: []fyne.CanvasObject{bg, rule, tick, text, key},
		layout: func(s fyne.Size) {
			put(bg, Px(4), 0, s.Width-Px(8), s.Height)
			put(rule, 0, s.Height/2, s.Width, 1)
			g := Px(14)
			put(tick, Px(9), (s.Height-g)/2, g, g)
			mid(text, inset(), 0, s.Width-inset()-Px(12), s.Height)
			mid(key, Px(12), 0, s.Width-Px(24), s.Height)
		},
		min: func() fyne.Size {
			if it.rule() {
				return fyne.NewSize(Px(20), Px(9))
			}
			look()
			w := inset() + text.MinSize().Width + Px(14)
			if it.Shortcut != "" {
				w += key.MinSize().Width + Px(30)
			}
			return fyne.NewSize(w, Px(25))
		},
	}
}
