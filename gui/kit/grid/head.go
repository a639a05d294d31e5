package grid

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// head is the line over the rows: the box that ticks all, and of each column its
// words and its right edge.
type head struct {
	g     *Grid
	obj   *fyne.Container
	tick  *kit.TickBox
	cells []*headCell
	edges []*headEdge
	mark  *kit.Fill // where a column that is dragged would be put
}

func newHead(g *Grid) *head {
	h := &head{g: g, mark: kit.NewFill(kit.ColorAccent, 1)}
	h.tick = kit.NewTickBox(func(fyne.KeyModifier) {
		if g.OnTickAll != nil {
			g.OnTickAll()
		}
	})
	objs := []fyne.CanvasObject{h.tick}
	for i := range g.columns {
		c := newHeadCell(g, i)
		h.cells = append(h.cells, c)
		objs = append(objs, c)
	}
	for i := range g.columns {
		e := &headEdge{g: g, col: i}
		e.ExtendBaseWidget(e)
		h.edges = append(h.edges, e)
		objs = append(objs, e)
	}
	h.mark.Hide()
	h.obj = container.New(h, append(objs, h.mark)...)
	return h
}

// update shows the words and the state of the box again.
func (h *head) update() {
	for i, c := range h.cells {
		col := &h.g.columns[i]
		text := col.Title
		if h.g.sort == col.ID && col.Sort {
			text += map[bool]string{true: " ▲", false: " ▼"}[h.g.rising]
		}
		c.set(text)
	}
	show(h.tick, h.g.Ticked != nil)
	if h.g.AllTicked != nil {
		h.tick.SetSome(h.g.AllTicked())
	} else {
		h.tick.SetSome(h.g.state(0, h.g.rows()))
	}
	h.Layout(nil, h.obj.Size())
}

// MinSize implements fyne.Layout.
func (h *head) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(kit.Px(200), kit.Px(rowHeight))
}

// Layout implements fyne.Layout.
func (h *head) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	put(h.tick, kit.Px(leftRoom), 0, kit.Px(tickWidth), s.Height)
	spots := h.g.place(s.Width)
	last := -1
	for _, i := range h.g.order {
		if spots[i] != gone {
			last = i
		}
	}
	for i, spot := range spots {
		put(h.cells[i], spot.x, 0, spot.w, s.Height)
		w := kit.Px(gap)
		at := spot.x + spot.w
		if i == last || spot == gone {
			at = gone.x
		}
		put(h.edges[i], at, 0, w, s.Height)
	}
	show(h.mark, h.g.dragging >= 0)
	put(h.mark, h.g.dragging, kit.Px(3), 2, s.Height-kit.Px(6))
}

// target is the place in the order at which a column is put that is let go at x,
// and where that is.
func (h *head) target(x float32) (at int, mark float32) {
	spots := h.g.place(h.obj.Size().Width)
	at = len(h.g.order)
	for k, i := range h.g.order {
		if spots[i] == gone {
			continue
		}
		if x < spots[i].x+spots[i].w/2 {
			return k, spots[i].x - kit.Px(gap)/2
		}
		at, mark = k+1, spots[i].x+spots[i].w+kit.Px(gap)/2
	}
	return at, mark
}

// headCell is the words over a column. A press orders the rows by it, a drag puts
// it elsewhere.
type headCell struct {
	widget.BaseWidget
	g   *Grid
	col int
	set func(text string)
	obj fyne.CanvasObject
	at  float32 // of the pointer while it is dragged
}

func newHeadCell(g *Grid, i int) *headCell {
	col := &g.columns[i]
	c := &headCell{g: g, col: i}
	if col.Sort {
		link := kit.NewHeadLink(col.Title, func() {
			if g.OnSort != nil {
				g.OnSort(col.ID)
			}
		})
		row := kit.Row(0, link)
		if col.Right {
			row = kit.Row(0, kit.Spring(), link)
		}
		c.obj, c.set = row, func(text string) { link.SetText(text); row.Refresh() }
	} else {
		text := kit.NewText(col.Title, kit.ColorFaint, 11).Bold().Fit()
		if col.Right {
			text.Right()
		}
		c.obj, c.set = text, text.SetText
	}
	c.ExtendBaseWidget(c)
	return c
}

// Dragged implements fyne.Draggable.
func (c *headCell) Dragged(e *fyne.DragEvent) {
	c.at = c.Position().X + e.Position.X
	_, c.g.dragging = c.g.head.target(c.at)
	c.g.head.obj.Refresh()
}

// DragEnd implements fyne.Draggable.
func (c *headCell) DragEnd() {
	to, _ := c.g.head.target(c.at)
	c.g.dragging = -1
	c.g.move(c.col, to)
	c.g.head.obj.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (c *headCell) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(c.obj) }

// headEdge is the gap behind a column. A drag sizes the column, a double click
// fits it to its words.
type headEdge struct {
	widget.BaseWidget
	g    *Grid
	col  int
	line *kit.Fill
}

// Dragged implements fyne.Draggable.
func (e *headEdge) Dragged(ev *fyne.DragEvent) { e.g.resize(e.col, ev.Dragged.DX) }

// DragEnd implements fyne.Draggable.
func (e *headEdge) DragEnd() {}

// DoubleTapped implements fyne.DoubleTappable.
func (e *headEdge) DoubleTapped(*fyne.PointEvent) { e.g.fit(e.col) }

// Cursor implements desktop.Cursorable.
func (e *headEdge) Cursor() desktop.Cursor { return desktop.HResizeCursor }

// MouseIn implements desktop.Hoverable.
func (e *headEdge) MouseIn(*desktop.MouseEvent) { e.line.SetColor(kit.ColorAccent) }

// MouseMoved implements desktop.Hoverable.
func (e *headEdge) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (e *headEdge) MouseOut() { e.line.SetColor(kit.ColorLine) }

// CreateRenderer implements fyne.Widget.
func (e *headEdge) CreateRenderer() fyne.WidgetRenderer {
	e.line = kit.NewFill(kit.ColorLine, 0)
	place := func(s fyne.Size) { put(e.line, s.Width/2, kit.Px(6), 1, s.Height-kit.Px(12)) }
	place(e.Size()) // which it has already, where it was hidden for long
	return &kit.Parts{Place: place, Least: func() fyne.Size { return fyne.NewSize(kit.Px(gap), 0) },
		Again: func() { place(e.Size()); canvas.Refresh(e.line) }, List: func() []fyne.CanvasObject { return []fyne.CanvasObject{e.line} }}
}

// ShowColumns opens the menu of columns at a place of the canvas: each is shown or hidden.
// Their order is changed in the head.
func (g *Grid) ShowColumns(c fyne.Canvas, at fyne.Position) {
	var items []kit.MenuItem
	for _, i := range g.order {
		if col := &g.columns[i]; !col.Keep {
			items = append(items, kit.MenuItem{Text: col.name(), Checked: g.chosen(col), Stays: true,
				Run: func() { g.show(i, !g.chosen(col)) }})
		}
	}
	kit.ShowMenu(c, append(items, kit.Rule, kit.MenuItem{Text: words.T("grid.reset"), Run: g.reset}), at, 0)
}
