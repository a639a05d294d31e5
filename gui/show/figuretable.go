package show

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
)

// FigureRow is a line of a figureTable.
type FigureRow struct {
	Name, A, B, Change string
	Color              fyne.ThemeColorName // of the change
}

// FigureTable is figures of two things beside each other, and how they differ.
type FigureTable struct {
	Obj    fyne.CanvasObject
	head   [4]*kit.Text
	change *fyne.Container // the head of the last column
	list   *kit.List
	Rows   []FigureRow
	pair   bool // without the last column
}

// The widths of the columns behind the names.
const (
	figureWidth = 104
	changeWidth = 84
)

func NewFigureTable(name string) *FigureTable { return NewFigureTableOf(name, figureWidth) }

// NewFigureTableOf is a table whose values have columns of another width.
func NewFigureTableOf(name string, width float32) *FigureTable {
	t := &FigureTable{}
	t.list = kit.NewList(23, func() int { return len(t.Rows) }, func() kit.ListRow {
		r := &figureLine{t: t}
		r.obj, r.cells, r.change = figureCells(kit.ColorText, 13, width)
		r.cells[0].SetColor(kit.ColorMuted)
		r.cells[3].Bold()
		return r
	})
	t.list.Choosable = func(int) bool { return false }
	var head *fyne.Container
	head, t.head, t.change = figureCells(kit.ColorFaint, 11, width)
	for _, c := range t.head {
		c.Bold()
	}
	t.head[0].SetText(name)
	t.Obj = kit.Column(0, kit.Sized(0, 23, head), kit.NewRule(), kit.Stretch(t.list))
	return t
}

// figureCells is the cells of a line in their columns, and the box of the last one.
func figureCells(c fyne.ThemeColorName, size, width float32) (line *fyne.Container, cells [4]*kit.Text, change *fyne.Container) {
	for i := range cells {
		cells[i] = kit.NewText("", c, size).Fit()
		if i > 0 {
			cells[i].Right()
		}
	}
	change = kit.Sized(changeWidth, 0, cells[3])
	return kit.Pad(0, 12, 0, 12, kit.Row(8, kit.Stretch(cells[0]), kit.Sized(width, 0, cells[1]),
		kit.Sized(width, 0, cells[2]), change)), cells, change
}

// Set shows rows under the heads of the two things and their difference, which
// takes no room where it has no head.
func (t *FigureTable) Set(a, b, change string, rows []FigureRow) {
	for i, s := range []string{a, b, change} {
		t.head[i+1].SetText(s)
	}
	t.Rows, t.pair = rows, change == ""
	t.change.Hidden = t.pair
	t.list.Update()
	t.Obj.Refresh()
}

type figureLine struct {
	t      *FigureTable
	obj    *fyne.Container
	cells  [4]*kit.Text
	change *fyne.Container
}

// Object is what the list shows.
func (r *figureLine) Object() fyne.CanvasObject { return r.obj }

// Fill shows a line.
func (r *figureLine) Fill(i int, _ bool) {
	row := &r.t.Rows[i]
	if r.change.Hidden != r.t.pair {
		r.change.Hidden = r.t.pair
		r.obj.Refresh()
	}
	for k, s := range []string{row.Name, row.A, row.B, row.Change} {
		r.cells[k].SetText(s)
	}
	if row.Color != "" {
		r.cells[3].SetColor(row.Color)
	}
}
