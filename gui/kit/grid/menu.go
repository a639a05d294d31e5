package grid

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
)

// Words are those of the menu of columns.
type Words struct{ Reset, Hint string }

// ShowColumns opens the menu of columns at a place of the canvas: a box for each,
// its place by a drag, and Reset. Esc or a click beside it closes it.
//
//	☑ state      ⠿   ↑ ↓ go, Space shows or hides, Alt with ↑ ↓ moves
//	☑ covers     ⠿
//	☐ strategy   ⠿
//	Reset   drag to order
func (g *Grid) ShowColumns(c fyne.Canvas, at fyne.Position, w Words) {
	kit.HideTip(c)
	m := &columnMenu{g: g, c: c, at: at, words: w, before: c.Focused()}
	m.rows = kit.Column(0)
	m.reset = kit.NewLink(w.Reset, func() { g.reset(); m.fill() })
	m.frame = canvas.NewRectangle(kit.Color(kit.ColorRaised))
	m.frame.CornerRadius, m.frame.StrokeWidth = 6, 1
	m.scroll = container.NewVScroll(m.rows)
	m.foot = kit.Pad(6, 12, 8, 12, kit.Row(20, m.reset, kit.Spring(), kit.NewText(w.Hint, kit.ColorFaint, 11)))
	m.ExtendBaseWidget(m)
	m.fill()
	c.Overlays().Add(m)
	m.Resize(c.Size())
	c.Focus(m)
}

// columnMenu is the open menu of columns.
type columnMenu struct {
	widget.BaseWidget
	g      *Grid
	c      fyne.Canvas
	at     fyne.Position
	words  Words
	over   int // in the choices
	rows   *fyne.Container
	reset  *kit.Link
	frame  *canvas.Rectangle
	scroll *container.Scroll
	foot   *fyne.Container
	before fyne.Focusable
}

func (m *columnMenu) fill() {
	m.rows.Objects = nil
	for k, i := range m.g.choices() {
		m.rows.Add(newMenuRow(m, k, i))
	}
	m.Refresh()
}

func (m *columnMenu) close() {
	m.c.Overlays().Remove(m)
	if m.before != nil {
		m.c.Focus(m.before)
	}
}

// flip shows or hides the column at a place of the menu.
func (m *columnMenu) flip(k int) {
	if list := m.g.choices(); k >= 0 && k < len(list) {
		m.over = k
		m.g.show(list[k], !m.g.chosen(&m.g.columns[list[k]]))
		m.fill()
	}
}

// put moves the column at a place of the menu to another place of it.
func (m *columnMenu) put(from, to int) {
	list := m.g.choices()
	to = max(0, min(to, len(list)-1))
	if from < 0 || from >= len(list) || from == to {
		return
	}
	order := m.g.order
	for at, i := range order {
		if i != list[to] {
			continue
		}
		if to > from {
			at++
		}
		m.g.move(list[from], at)
		break
	}
	m.over = to
	m.fill()
}

// Tapped closes the menu: the click was beside it.
func (m *columnMenu) Tapped(*fyne.PointEvent) { m.close() }

// TappedSecondary is Tapped for the other button.
func (m *columnMenu) TappedSecondary(*fyne.PointEvent) { m.close() }

// FocusGained implements fyne.Focusable.
func (m *columnMenu) FocusGained() {}

// FocusLost implements fyne.Focusable.
func (m *columnMenu) FocusLost() {}

// TypedRune implements fyne.Focusable.
func (m *columnMenu) TypedRune(rune) {}

// TypedShortcut moves a column with Alt and an arrow key.
func (m *columnMenu) TypedShortcut(s fyne.Shortcut) {
	k, ok := s.(fyne.KeyboardShortcut)
	if !ok || k.Mod() != fyne.KeyModifierAlt {
		return
	}
	switch k.Key() {
	case fyne.KeyUp:
		m.put(m.over, m.over-1)
	case fyne.KeyDown:
		m.put(m.over, m.over+1)
	}
}

// TypedKey moves in the menu.
func (m *columnMenu) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyEscape:
		m.close()
	case fyne.KeyDown, fyne.KeyUp:
		n := len(m.g.choices())
		m.over = (m.over + map[fyne.KeyName]int{fyne.KeyDown: 1, fyne.KeyUp: n - 1}[e.Name]) % n
		m.fill()
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		m.flip(m.over)
	}
}

// CreateRenderer implements fyne.Widget.
func (m *columnMenu) CreateRenderer() fyne.WidgetRenderer { return &menuRenderer{m} }

type menuRenderer struct{ m *columnMenu }

// Layout implements fyne.WidgetRenderer.
func (r *menuRenderer) Layout(s fyne.Size) {
	m := r.m
	in, foot := m.rows.MinSize(), m.foot.MinSize()
	w := max(in.Width, foot.Width) + 2
	h := min(in.Height+foot.Height+kit.Px(8), s.Height-8)
	x, y := max(4, min(m.at.X, s.Width-w-4)), max(4, min(m.at.Y, s.Height-h-4))
	put(m.frame, x, y, w, h)
	put(m.scroll, x+1, y+kit.Px(4), w-2, h-foot.Height-kit.Px(8))
	put(m.foot, x+1, y+h-foot.Height, w-2, foot.Height)
}

// MinSize implements fyne.WidgetRenderer.
func (r *menuRenderer) MinSize() fyne.Size { return fyne.NewSize(1, 1) }

// Refresh implements fyne.WidgetRenderer.
func (r *menuRenderer) Refresh() {
	r.m.frame.FillColor, r.m.frame.StrokeColor = kit.Color(kit.ColorRaised), kit.Color(kit.ColorLine)
	r.Layout(r.m.Size())
	r.m.rows.Refresh()
	canvas.Refresh(r.m)
}

// Objects implements fyne.WidgetRenderer.
func (r *menuRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.m.frame, r.m.scroll, r.m.foot}
}

// Destroy implements fyne.WidgetRenderer.
func (r *menuRenderer) Destroy() {}

// menuRow is one column in the menu: a click shows or hides it, a drag puts it
// elsewhere.
type menuRow struct {
	widget.BaseWidget
	m     *columnMenu
	k     int
	moved float32
	obj   fyne.CanvasObject
}

func newMenuRow(m *columnMenu, k, i int) *menuRow {
	r := &menuRow{m: m, k: k}
	col := &m.g.columns[i]
	box := kit.NewTickBox(func(fyne.KeyModifier) { m.flip(k) })
	box.Set(m.g.chosen(col))
	ink := kit.ColorText
	if !m.g.chosen(col) {
		ink = kit.ColorMuted
	}
	row := kit.Pad(0, 10, 0, 8, kit.Sized(200, 25, kit.Row(8, box, kit.NewText(col.name(), ink, 13), kit.Spring(),
		kit.NewSign(kit.GlyphUpDown, kit.ColorFaint, 12))))
	r.obj = row
	if k == m.over {
		r.obj = container.NewStack(kit.NewFill(kit.ColorSelection, 4), row)
	}
	r.ExtendBaseWidget(r)
	return r
}

// Tapped implements fyne.Tappable.
func (r *menuRow) Tapped(*fyne.PointEvent) { r.m.flip(r.k) }

// Dragged implements fyne.Draggable.
func (r *menuRow) Dragged(e *fyne.DragEvent) { r.moved += e.Dragged.DY }

// DragEnd implements fyne.Draggable.
func (r *menuRow) DragEnd() {
	by := int(math.Round(float64(r.moved / r.Size().Height)))
	r.moved = 0
	r.m.put(r.k, r.k+by)
}

// CreateRenderer implements fyne.Widget.
func (r *menuRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.obj) }
