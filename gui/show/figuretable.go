package show

import (
	"cmp"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/replay"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/figure"
)

// FigureRow is a line of a figureTable.
type FigureRow struct {
	Name, A, B, Change string
	Color              fyne.ThemeColorName // of the change
	FigA, FigB         *figure.Figure      // what A and B are the words of; nil: they are words alone
	FigChange          *figure.Figure      // and what Change is
	Faint              bool                // it is out of date
}

// Compared makes the row of two figures and of their difference, for which better is
// the colour; same: they are of one history.
func Compared(name string, a, b figure.Figure, same bool, better func(by float64) fyne.ThemeColorName) FigureRow {
	r := FigureRow{Name: name, A: words.Figure(a), B: words.Figure(b), FigA: &a, FigB: &b}
	if by := figure.Difference(a, b, same); by.Known() || by.Reason != "" {
		r.Change, r.FigChange, r.Color = words.Figure(by), &by, ShareInk(by)
		switch {
		case by.String() == "0":
			r.Color = kit.ColorMuted
		case by.Known():
			r.Color = better(by.Value)
		}
	}
	return r
}

// Metrics makes the row of two figures of a metric of one history, and of their difference.
func Metrics(name string, m replay.Metric, a, b figure.Figure) FigureRow {
	return Compared(name, a, b, true, func(by float64) fyne.ThemeColorName { return MetricInk(m, by) })
}

// FigureTable is figures of two things beside each other, and how they differ.
type FigureTable struct {
	Obj    fyne.CanvasObject
	d      Measured
	width  float32 // of a column of values
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

// NewFigureTable makes an empty table; the figures in it are of the history looked
// at.
func NewFigureTable(d Measured, name string) *FigureTable {
	return NewFigureTableOf(d, name, figureWidth)
}

// NewFigureTableOf is a table whose values have columns of another width.
func NewFigureTableOf(d Measured, name string, width float32) *FigureTable {
	t := &FigureTable{d: d, width: width}
	t.list = kit.NewRows(23, func() int { return len(t.Rows) }, t.line).WithTip("figureTable.means")
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

// SettingCard makes the card of a value that is no figure: it was set. Of "" there is none.
func SettingCard(name, value string) func() kit.Card {
	if value == "" {
		return nil
	}
	return func() kit.Card { return kit.Card{Name: name, Value: value, About: words.T("figureTable.setting")} }
}

// line is a row of the list; the last cell is the difference.
func (t *FigureTable) line() (fyne.CanvasObject, func(int)) {
	name := kit.NewText("", kit.ColorMuted, 13).Fit()
	var cells [3]*kit.Figure
	for i := range cells {
		cells[i] = kit.NewFigure(kit.ColorText, 13).Fit().Right()
	}
	change := kit.Sized(changeWidth, 0, cells[2].Bold())
	line := kit.Pad(0, 12, 0, 12, kit.Row(8, kit.Stretch(name), kit.Sized(t.width, 0, cells[0]), kit.Sized(t.width, 0, cells[1]), change))
	return line, func(i int) {
		row := &t.Rows[i]
		if change.Hidden != t.pair {
			change.Hidden = t.pair
			line.Refresh()
		}
		name.SetText(row.Name)
		for k, c := range []struct {
			text string
			f    *figure.Figure
			ink  fyne.ThemeColorName
		}{{row.A, row.FigA, ""}, {row.B, row.FigB, ""}, {row.Change, row.FigChange, row.Color}} {
			switch {
			case row.Faint:
				cells[k].Set(c.text, "", kit.ColorFaint, nil)
			case c.f != nil && c.ink == "":
				PutFigure(cells[k], t.d, *c.f, c.text, ShareInk(*c.f))
			case c.f != nil:
				PutFigure(cells[k], t.d, *c.f, c.text, c.ink)
			case k == 2:
				cells[k].Set(c.text, "", cmp.Or(c.ink, kit.ColorText), nil)
			default:
				cells[k].Set(c.text, "", kit.ColorText, SettingCard(row.Name, c.text))
			}
		}
	}
}
