// Package grid is a table of rows: columns that a person sizes, orders, shows and
// hides, groups that fold, rows that are ticked, and a strip at the foot for what
// is done with those.
//
//	☐ │ record │ state      │ session ······· │ before │   the head: sorts, sizes
//	☐ ▾ Fix the scanner  4 records                         a group
//	☑   R-0004   in force     …                  ~160K     a row
//	☐   R-0002   stored       …                  ~161K
//	1 selected  R-0004              Export  Delete  Clear   the strip, always there
//
// The rows are the caller's, by index; the grid asks for their cells and says what
// a person wants done. All of it belongs to the window's goroutine.
package grid

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/visible"
)

// Group is rows that follow each other under a head of their own.
type Group struct {
	Key   string // by which it is remembered as folded
	Title string
	Note  string // muted, behind the title
	Count int    // rows
	Few   int    // that are shown until a person asks for more; 0: all
	// Cell is what the head says in a column, as a sum; nil or "": nothing. It must
	// be the same for all calls between two updates.
	Cell func(column string) string
}

// Grid is the table. Set what it asks and reports before it is shown.
type Grid struct {
	// Groups lists the groups, whose rows follow each other from row 0; none: the
	// rows are shown without groups.
	Groups func() []Group
	// Ticked reports whether a row is ticked. nil: rows can't be ticked.
	Ticked func(row int) bool
	// AllTicked reports whether all rows or some of them are ticked, where that is
	// known without looking at each. nil: each is looked at.
	AllTicked func() (all, some bool)

	OnSelect func(row int)                   // a person went to a row
	OnOpen   func(row int)                   // Enter, or a double click
	OnMenu   func(row int, at fyne.Position) // right click; the place is on the canvas
	OnDelete func()                          // the key Delete
	// OnTick ticks a row or unticks it; with upTo all from the one ticked last.
	OnTick func(row int, upTo bool)
	// OnTickRows ticks or unticks the rows of a group, from its first one.
	OnTickRows func(from, count int, on bool)
	// OnTickAll ticks all that there are, or none if that is so. It is also the box
	// of the head.
	OnTickAll func()
	// OnEscape is the key Esc; false hands it to the window.
	OnEscape func() bool
	OnSort   func(column string) // a head was pressed
	OnCopy   func(text string)   // Ctrl+C: the selected row, or the ticked ones
	// OnLayout is called after a person changed the columns.
	OnLayout func(Layout)

	columns  []Column
	order    []int  // of columns, as they are shown
	absent   []bool // of columns: there is nothing to show in it now
	layout   Layout
	rows     func() int
	groups   []Group
	lines    []line // of the list; nil where there are no groups: each line is a row
	folded   map[string]bool
	whole    map[string]bool // groups with all their rows, though they have Few
	row      int             // selected last; −1: none
	list     *kit.List
	head     *head
	obj      *fyne.Container
	sort     string
	rising   bool
	dragging float32 // where a column that is dragged would be put; −1: none is
}

// line is what the list shows in one place: a row; or with headRow the head of a group,
// with moreRow how many more rows it has.
type line struct{ group, row int }

const headRow, moreRow = -1, -2

// rowHeight is that of a row, in units of the design.
const rowHeight = 24

// New makes a grid of columns. rows is how many rows there are.
func New(columns []Column, rows func() int) *Grid {
	g := &Grid{columns: columns, rows: rows, folded: map[string]bool{}, whole: map[string]bool{}, row: -1, dragging: -1}
	g.lookAbsent()
	g.arrange(Layout{})
	g.list = kit.NewList(rowHeight, g.length, func() kit.ListRow { return newLine(g) })
	g.list.OnSelect = func(i int) {
		if l := g.at(i); l.row >= 0 {
			g.row = l.row
			g.OnSelect(l.row)
		}
	}
	g.list.OnOpen = func(i int) {
		switch l := g.at(i); {
		case l.row == moreRow:
			g.showAll(l.group)
		case l.row < 0:
			g.fold(l.group, !g.folded[g.groups[l.group].Key])
		case g.OnOpen != nil:
			g.OnOpen(l.row)
		}
	}
	g.list.OnMenu = func(i int, at fyne.Position) {
		if l := g.at(i); l.row >= 0 && g.OnMenu != nil {
			g.list.Select(i)
			g.row = l.row
			g.OnMenu(l.row, at)
		}
	}
	g.list.OnDelete = func(int) {
		if g.OnDelete != nil {
			g.OnDelete()
		}
	}
	g.list.OnFold = g.foldKey
	g.list.Card = g.card
	g.list.Tip = func(i int) string {
		if l := g.at(i); l.row == headRow && l.group >= 0 {
			return words.T("grid.group.tip")
		}
		return ""
	}
	g.list.OnEscape = func() bool { return g.OnEscape != nil && g.OnEscape() }
	g.list.OnCopy = g.copy
	g.head = newHead(g)
	g.obj = kit.Column(0, g.head.obj, kit.NewRule(), kit.Stretch(g.list))
	return g
}

// Object is what is shown: the head and the rows. More, such as words where there
// are no rows, may be over the rows.
func (g *Grid) Object(over ...fyne.CanvasObject) fyne.CanvasObject {
	if len(over) > 0 {
		g.obj.Objects[2] = kit.Stretch(container.NewStack(append([]fyne.CanvasObject{g.list}, over...)...))
	}
	return g.obj
}

// List is the list of the rows, which takes the keyboard.
func (g *Grid) List() *kit.List { return g.list }

// Update shows the rows again after they, their groups or their ticks changed.
func (g *Grid) Update() {
	g.group()
	if g.Ticked != nil && g.list.OnTick == nil {
		g.list.OnTick, g.list.OnTickAll = g.tick, g.OnTickAll
	}
	if was := g.absent; !slices.Equal(was, g.lookAbsent()) {
		g.head.obj.Refresh()
		g.list.Restyle()
	}
	g.list.Update()
	g.head.update()
}

// lookAbsent asks which columns have nothing to show now.
func (g *Grid) lookAbsent() []bool {
	g.absent = make([]bool, len(g.columns))
	for i, c := range g.columns {
		g.absent[i] = c.Absent != nil && c.Absent()
	}
	return g.absent
}

// group makes the lines of the list from the groups that are open.
func (g *Grid) group() {
	g.groups, g.lines = nil, nil
	if g.Groups != nil {
		g.groups = g.Groups()
	}
	row := 0
	for i, group := range g.groups {
		g.lines = append(g.lines, line{i, headRow})
		if !g.folded[group.Key] {
			n := g.few(group)
			for k := range n {
				g.lines = append(g.lines, line{i, row + k})
			}
			if n < group.Count {
				g.lines = append(g.lines, line{i, moreRow})
			}
		}
		row += group.Count
	}
}

// few is how many rows of a group are shown while it is open. A line that says "1 more"
// would take the place of that row.
func (g *Grid) few(x Group) int {
	if x.Few == 0 || x.Count <= x.Few+1 || g.whole[x.Key] {
		return x.Count
	}
	return x.Few
}

// showAll shows all rows of a group, and goes to the first that is new.
func (g *Grid) showAll(group int) {
	x := g.groups[group]
	next := g.first(group) + g.few(x)
	g.whole[x.Key] = true
	g.group()
	g.list.Update()
	g.Select(next)
	g.OnSelect(next)
}

func (g *Grid) length() int {
	if g.lines != nil {
		return len(g.lines)
	}
	return g.rows()
}

func (g *Grid) at(i int) line {
	if g.lines == nil {
		return line{-1, i}
	}
	if i < 0 || i >= len(g.lines) {
		return line{-1, headRow}
	}
	return g.lines[i]
}

// lineOf is where a row is in the list; the head of its group if that is
// folded.
func (g *Grid) lineOf(row int) int {
	if g.lines == nil || row < 0 {
		return row
	}
	in := g.groupOf(row)
	return slices.IndexFunc(g.lines, func(l line) bool {
		return l.group == in && (l.row == row || l.row == headRow && g.folded[g.groups[in].Key])
	})
}

// groupOf is the group of a row; −1: there is none.
func (g *Grid) groupOf(row int) int {
	for i, group := range g.groups {
		if row -= group.Count; row < 0 {
			return i
		}
	}
	return -1
}

// first is the first row of a group.
func (g *Grid) first(group int) (row int) {
	for _, x := range g.groups[:group] {
		row += x.Count
	}
	return row
}

// Selected is the row that was gone to last; −1: none.
func (g *Grid) Selected() int { return g.row }

// Select goes to a row, −1 to none, without a call of OnSelect. A head of a group
// that a person went to stays while the row is the same.
func (g *Grid) Select(row int) {
	now := g.at(g.list.Selected())
	if g.row == row && g.list.Selected() >= 0 && (now.row == row || now.row < 0) {
		return
	}
	g.row = row
	if group := g.groupOf(row); group >= 0 && row >= g.first(group)+g.few(g.groups[group]) {
		g.whole[g.groups[group].Key] = true
		g.group()
		g.list.Update()
	}
	if at := g.lineOf(row); at != g.list.Selected() {
		g.list.Select(at)
	}
}

// fold folds a group or unfolds it.
func (g *Grid) fold(group int, folded bool) {
	if group < 0 || group >= len(g.groups) {
		return
	}
	g.folded[g.groups[group].Key] = folded
	g.group()
	for i, l := range g.lines {
		if l.group == group {
			g.list.Update()
			g.list.Select(i)
			return
		}
	}
}

// foldKey is ← and →: in a row ← goes to the head of its group.
func (g *Grid) foldKey(i int, open bool) {
	l := g.at(i)
	switch {
	case l.group < 0:
	case l.row == moreRow && open:
		g.showAll(l.group)
	case l.row == headRow:
		g.fold(l.group, !open)
	case !open:
		for k, x := range g.lines {
			if x.group == l.group {
				g.list.Select(k)
				return
			}
		}
	}
}

// tick ticks a line of the list: a row, or all rows of a group.
func (g *Grid) tick(i int, upTo bool) {
	switch l := g.at(i); {
	case l.row >= 0:
		g.row = l.row
		g.OnTick(l.row, upTo)
	case l.row == headRow && l.group >= 0 && !upTo && g.OnTickRows != nil:
		on, _ := g.state(g.first(l.group), g.groups[l.group].Count)
		g.OnTickRows(g.first(l.group), g.groups[l.group].Count, !on)
	}
}

// state reports whether all or some of the rows in a range are ticked.
func (g *Grid) state(from, count int) (all, some bool) {
	if g.Ticked == nil || count == 0 {
		return false, false
	}
	all = true
	for i := from; i < from+count; i++ {
		if g.Ticked(i) {
			some = true
		} else {
			all = false
		}
		if some && !all {
			return false, true
		}
	}
	return all, some
}

// oneCell keeps a text from being several cells or rows where it is pasted.
var oneCell = strings.NewReplacer("\t", " ", "\r\n", " ", "\n", " ")

// copy puts the ticked rows, else the selected one, into lines of text with tabs.
func (g *Grid) copy() {
	if g.OnCopy == nil {
		return
	}
	var rows []int
	for i := range g.rows() {
		if g.Ticked != nil && g.Ticked(i) {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 && g.row >= 0 {
		rows = []int{g.row}
	}
	var out []string
	for _, row := range rows {
		var cells []string
		for _, c := range g.order {
			if col := &g.columns[c]; col.Text != nil && g.shown(c) {
				cells = append(cells, visible.Cell(oneCell.Replace(col.Text(row))))
			}
		}
		out = append(out, strings.Join(cells, "\t"))
	}
	if len(out) > 0 {
		g.OnCopy(strings.Join(out, "\n"))
	}
}

// Sorted marks the column that the rows are ordered by, and the direction.
func (g *Grid) Sorted(column string, rising bool) {
	g.sort, g.rising = column, rising
	g.head.update()
}

// relayout shows the columns again after a person changed them.
func (g *Grid) relayout() {
	g.head.update()
	g.head.obj.Refresh()
	g.list.Restyle()
	if g.OnLayout != nil {
		g.OnLayout(g.Layout())
	}
}
