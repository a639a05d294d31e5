package grid

import (
	"maps"
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// Column is one column: its head, its measures and its cells. Widths are in units
// of the design.
type Column struct {
	ID    string
	Title string // over the column
	Name  string // in the menu of columns; "": the title
	Width float32
	Min   float32 // a person can't make it narrower; 0: 36
	// Grow makes it take what the others leave, and at least its width. One column
	// does.
	Grow  bool
	Right bool // aligned to the right
	Sort  bool // its head can be pressed
	Hide  int  // the order in which columns go where there is no room; 0 stays
	Keep  bool // it can't be hidden by a person
	Off   bool // it is hidden until a person shows it
	// Absent reports that there is nothing to show in it now, whatever a person
	// chose; nil: never.
	Absent func() bool

	// Text says what a cell shows, Ink in which colour; nil for kit.ColorText.
	Text  func(row int) string
	Ink   func(row int) fyne.ThemeColorName
	Style fyne.TextStyle
	// Cell makes a cell that is more than a line of text, and what fills it. Where
	// Text is there too it is what is copied, and measured with Room beside it.
	Cell func() (fyne.CanvasObject, func(row int))
	Room float32
	// Card explains the number in a cell, under the pointer; nil: its Text is shown with
	// what the column Means, if that is not "".
	Card  func(row int) kit.Card
	Means string
}

// Layout is what a person made of the columns. It is kept as JSON.
type Layout struct {
	Order  []string           `json:"order,omitempty"`  // of all columns
	Widths map[string]float32 `json:"widths,omitempty"` // that differ from the design
	Shown  map[string]bool    `json:"shown,omitempty"`  // where it differs from the design
}

// The measures of a row, in units of the design.
const (
	leftRoom  = 12 // before the first column
	rightRoom = 18 // behind the last one, where the scroll bar is
	gap       = 14 // between columns
	tickWidth = 18
	leastMin  = 36
)

// Layout is what a person made of the columns.
func (g *Grid) Layout() Layout { return g.layout }

// SetLayout puts the columns as a person left them; those that it does not name
// are as they are designed.
func (g *Grid) SetLayout(l Layout) {
	g.arrange(l)
	g.head.update()
	g.head.obj.Refresh()
	g.list.Restyle()
}

func (g *Grid) arrange(l Layout) {
	g.layout = Layout{slices.Clone(l.Order), maps.Clone(l.Widths), maps.Clone(l.Shown)}
	g.order = nil
	for _, id := range l.Order {
		if i := g.index(id); i >= 0 && !slices.Contains(g.order, i) {
			g.order = append(g.order, i)
		}
	}
	for i := range g.columns {
		if !slices.Contains(g.order, i) { // a new one goes behind the one that it is designed to follow
			at := len(g.order)
			if p := slices.Index(g.order, i-1); i > 0 && p >= 0 {
				at = p + 1
			} else if i == 0 {
				at = 0
			}
			g.order = slices.Insert(g.order, at, i)
		}
	}
}

func (g *Grid) index(id string) int {
	return slices.IndexFunc(g.columns, func(c Column) bool { return c.ID == id })
}

// chosen reports whether a person wants a column.
func (g *Grid) chosen(c *Column) bool {
	if on, ok := g.layout.Shown[c.ID]; ok && !c.Keep {
		return on
	}
	return !c.Off
}

// shown reports whether a column is in the table now.
func (g *Grid) shown(column int) bool { return g.chosen(&g.columns[column]) && !g.absent[column] }

// wants is the width of a column that its design or a person gives it.
func (g *Grid) wants(c *Column) float32 {
	if w, ok := g.layout.Widths[c.ID]; ok && !c.Grow {
		return max(w, c.least())
	}
	return c.Width
}

func (c *Column) least() float32 {
	if c.Min > 0 {
		return c.Min
	}
	return leastMin
}

// span is where a column is in a row, in units of the canvas.
type span struct{ x, w float32 }

// gone is the place of a column that is not shown.
var gone = span{x: -20000}

// place is where each column is in a row of a width, by its index. A column
// that asks for more than there is goes, in the order of Hide.
func (g *Grid) place(room float32) []span {
	out := make([]span, len(g.columns))
	x := kit.Px(leftRoom)
	if g.Ticked != nil {
		x += kit.Px(tickWidth + gap)
	}
	left := room - x - kit.Px(rightRoom)
	in := map[int]bool{}
	last := 0
	for i := range g.columns {
		c := &g.columns[i]
		out[i] = gone
		if g.shown(i) {
			in[i] = true
			left -= kit.Px(g.wants(c)) + kit.Px(gap)
			last = max(last, c.Hide)
		}
	}
	left += kit.Px(gap)
	for hide := 1; hide <= last && left < 0; hide++ {
		for i := range g.columns {
			if in[i] && g.columns[i].Hide == hide && left < 0 {
				delete(in, i)
				left += kit.Px(g.wants(&g.columns[i])) + kit.Px(gap)
			}
		}
	}
	for _, i := range g.order {
		if !in[i] {
			continue
		}
		c := &g.columns[i]
		w := kit.Px(g.wants(c))
		if c.Grow {
			w = max(kit.Px(c.least()), w+left)
		}
		out[i] = span{x, w}
		x += w + kit.Px(gap)
	}
	return out
}

// card is the card of the cell of a line at x, and where that cell is.
func (g *Grid) card(i int, x float32) (card func() kit.Card, left, width float32) {
	l := g.at(i)
	for k, s := range g.place(g.list.Size().Width) {
		if x < s.x || x >= s.x+s.w {
			continue
		}
		switch c := &g.columns[k]; {
		case l.row < 0 && l.group >= 0 && g.groups[l.group].Cell != nil && c.Means != "":
			sum := g.groups[l.group].Cell(c.ID)
			if sum == "" {
				break
			}
			return func() kit.Card {
				return kit.Card{Name: c.Title, Value: sum, About: words.T("grid.sum") + " " + c.Means}
			}, s.x, s.w
		case l.row < 0:
		case c.Card != nil:
			return func() kit.Card { return c.Card(l.row) }, s.x, s.w
		case c.Means != "":
			return func() kit.Card { return kit.Card{Name: c.Title, Value: c.Text(l.row), About: c.Means} }, s.x, s.w
		}
	}
	return nil, 0, 0
}

// Missing are the names of the columns that a person wants and that have no room.
func (g *Grid) Missing() (names []string) {
	for i, s := range g.place(g.list.Size().Width) {
		if c := &g.columns[i]; s == gone && g.shown(i) {
			names = append(names, c.name())
		}
	}
	return names
}

func (c *Column) name() string {
	if c.Name != "" {
		return c.Name
	}
	return c.Title
}

// resize moves the right edge of a column by a distance in units of the canvas.
// Behind the column that grows the next one gives way, so that the edge follows
// the pointer.
func (g *Grid) resize(col int, by float32) {
	spots := g.place(g.list.Size().Width)
	by /= kit.Scale()
	grown, next := false, -1
	for at, i := range g.order {
		if grown = grown || g.columns[i].Grow && spots[i] != gone; i != col {
			continue
		}
		for _, j := range g.order[at+1:] {
			if spots[j] != gone && next < 0 {
				next = j
			}
		}
		break
	}
	c := &g.columns[col]
	give := func(i int, by float32) float32 { // what of it a column can give or take
		x := &g.columns[i]
		return max(by, x.least()-spots[i].w/kit.Scale())
	}
	by = give(col, by)
	if grown && next >= 0 {
		by = -give(next, -by)
		g.widen(next, -by, spots)
	}
	if !grown { // the one that grows gives way, and never so much that others go
		for i := range g.columns {
			if x := &g.columns[i]; x.Grow && spots[i] != gone {
				by = min(by, max(0, spots[i].w/kit.Scale()-x.Width))
			}
		}
	}
	if !c.Grow {
		g.widen(col, by, spots)
	}
	g.relayout()
}

func (g *Grid) widen(i int, by float32, spots []span) {
	if g.layout.Widths == nil {
		g.layout.Widths = map[string]float32{}
	}
	c := &g.columns[i]
	g.layout.Widths[c.ID] = max(c.least(), spots[i].w/kit.Scale()+by)
}

// fitted bounds how many rows are looked at to fit a column.
const fitted = 200

// fit makes a column as wide as its words are.
func (g *Grid) fit(i int) {
	c := &g.columns[i]
	if c.Text == nil || c.Grow {
		return
	}
	w := fyne.MeasureText(c.Title+" ▼", kit.FontPx(11), fyne.TextStyle{Bold: true}).Width
	from, to := g.list.Shown()
	for k := max(0, from-fitted/2); k < min(g.length(), to+fitted/2); k++ {
		if l := g.at(k); l.row >= 0 {
			w = max(w, fyne.MeasureText(c.Text(l.row), kit.FontPx(textSize), c.Style).Width+kit.Px(c.Room))
		}
	}
	if g.layout.Widths == nil {
		g.layout.Widths = map[string]float32{}
	}
	g.layout.Widths[c.ID] = max(c.least(), w/kit.Scale()+2)
	g.relayout()
}

// move puts a column at another place of the order.
func (g *Grid) move(col, to int) {
	at := slices.Index(g.order, col)
	if at < 0 || to == at || to == at+1 {
		return
	}
	g.order = slices.Delete(g.order, at, at+1)
	if to > at {
		to--
	}
	g.order = slices.Insert(g.order, min(to, len(g.order)), col)
	g.layout.Order = nil
	for _, i := range g.order {
		g.layout.Order = append(g.layout.Order, g.columns[i].ID)
	}
	g.relayout()
}

// show shows a column or hides it.
func (g *Grid) show(i int, on bool) {
	c := &g.columns[i]
	if g.layout.Shown == nil {
		g.layout.Shown = map[string]bool{}
	}
	if on == !c.Off {
		delete(g.layout.Shown, c.ID)
	} else {
		g.layout.Shown[c.ID] = on
	}
	g.relayout()
}

// reset puts the columns back as they are designed.
func (g *Grid) reset() {
	g.arrange(Layout{})
	g.relayout()
}
