package study

import (
	"strconv"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/replay"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// mostColumns are the present settings, three suggestions and the chosen cell.
const mostColumns = 5

// sweepTable sets the whole run under several settings of a sweep beside each other.
type sweepTable struct {
	obj   fyne.CanvasObject
	d     *desk.Desk
	head  *fyne.Container // the heads of the columns, behind a place for the names
	heads [mostColumns]*kit.Text
	used  int // columns
	list  *kit.List
	Rows  []sweepRow
}

// sweepRow is a line: words of an axis, or figures of a metric.
type sweepRow struct {
	name  string
	cells [mostColumns]sweepCell
	bold  bool
}

type sweepCell struct {
	text string
	f    *figure.Figure // nil: it is words alone
	ink  fyne.ThemeColorName
}

// widths of the columns behind the names, of the names, and of the present
// settings and three suggestions with their names, in units of the design.
const (
	sweepColumn = 74
	sweepNames  = 96
	sweepUsual  = 12 + sweepNames + 4*(4+sweepColumn) + 12
)

func newSweepTable(d *desk.Desk) *sweepTable {
	t := &sweepTable{d: d}
	head := []fyne.CanvasObject{kit.Stretch(kit.NewText("", kit.ColorMuted, 11))}
	for i := range t.heads {
		t.heads[i] = kit.NewText("", kit.ColorMuted, 11).Bold().Fit().Right()
		head = append(head, kit.Sized(sweepColumn, 0, t.heads[i]))
	}
	t.list = kit.NewList(23, func() int { return len(t.Rows) }, func() kit.ListRow { return newSweepLine(t) })
	t.list.Choosable = func(int) bool { return false }
	t.head = kit.Row(4, head...)
	t.obj = kit.Column(0, kit.Sized(0, 24, kit.Pad(0, 12, 0, 12, t.head)), kit.NewRule(), kit.Stretch(t.list))
	return t
}

// set shows the present settings, the suggestions and the chosen cell; −1: none.
func (t *sweepTable) set(v *sweepView, current, chosen int) {
	t.Rows = t.Rows[:0]
	for _, h := range t.heads {
		h.SetText("")
	}
	if v == nil {
		t.list.Update()
		return
	}
	cells := []int{current}
	t.heads[0].SetText(words.T("sweep.column.now"))
	for i, s := range v.suggestions() {
		t.heads[len(cells)].SetText(words.T("sweep.best."+string(s.Aim)) + " " + strconv.Itoa(i+1))
		if cells = append(cells, s.Cell); s.Cell == chosen {
			chosen = -1
		}
	}
	if chosen >= 0 {
		t.heads[len(cells)].SetText(words.T("sweep.column.chosen"))
		cells = append(cells, chosen)
	}
	t.used = len(cells)
	t.showColumns(t.head)
	for k, a := range v.W.Axes {
		row := sweepRow{name: axisName(a.Param)}
		for i, cell := range cells {
			if cell >= 0 {
				row.cells[i] = sweepCell{text: valueWords(a, v.W.Axes.Place(cell)[k]), ink: kit.ColorText}
			} else {
				row.cells[i] = sweepCell{text: nowWords(a.Param, v.W.Base), ink: kit.ColorMuted}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	for _, m := range knownMetrics(v.W) {
		t.Rows = append(t.Rows, metricRow(v, m, cells))
	}
	t.list.Update()
}

// showColumns hides what has nothing to show, so that names have its room.
func (t *sweepTable) showColumns(row *fyne.Container) {
	for i, o := range row.Objects[1:] {
		show.SetVisible(o, i < t.used)
	}
	row.Refresh()
}

// nowWords is what a parameter is in the settings that were swept from.
func nowWords(p replay.Param, base model.Policy) string {
	if p == replay.AxisPreset {
		return words.T("sweep.column.off") // whatever its preset, they may differ from it
	}
	return show.BriefWords(p.Row(), &base)
}

// metricRow is a metric of some cells; those behind the first are better, worse or
// equal to it.
func metricRow(v *sweepView, m replay.Metric, cells []int) sweepRow {
	row := sweepRow{name: show.MetricName(m), bold: m == v.metric}
	var now figure.Figure
	for i, cell := range cells {
		c := &v.grid.Now
		if cell >= 0 {
			c = &v.grid.Cells[cell]
		}
		s, known := c.Spread(m)
		f := v.figure(m, s.Value, known)
		ink := kit.ColorText
		if i == 0 {
			now = f
		} else if f.Known() && now.Known() && f.Value != now.Value {
			if ink = show.MetricInk(m, f.Value-now.Value); ink == kit.ColorMuted {
				ink = kit.ColorText
			}
		}
		text := words.Figure(f)
		if m == replay.MetricMisses && f.Known() && len(c.Results) == 1 { // settings that fire elsewhere have other needs
			text = words.T("sweep.missedOf", "n", text, "of", c.Results[0].Needs)
		}
		row.cells[i] = sweepCell{text, &f, ink}
	}
	return row
}

type sweepLine struct {
	t     *sweepTable
	obj   *fyne.Container
	row   *fyne.Container
	name  *kit.Text
	cells [mostColumns]*kit.Figure
}

func newSweepLine(t *sweepTable) *sweepLine {
	r := &sweepLine{t: t, name: kit.NewText("", kit.ColorMuted, 13).Fit()}
	line := []fyne.CanvasObject{kit.Stretch(kit.Hinted(r.name, r.name.Cut))}
	for i := range r.cells {
		r.cells[i] = kit.NewFigure(kit.ColorText, 13).Fit().Right()
		line = append(line, kit.Sized(sweepColumn, 0, r.cells[i]))
	}
	r.row = kit.Row(4, line...)
	r.obj = kit.Pad(0, 12, 0, 12, r.row)
	return r
}

// Object is what the list shows.
func (r *sweepLine) Object() fyne.CanvasObject { return r.obj }

// Fill shows a line.
func (r *sweepLine) Fill(i int, _ bool) {
	row := &r.t.Rows[i]
	r.name.SetText(row.name)
	r.t.showColumns(r.row)
	for k, c := range row.cells {
		switch {
		case c.f != nil:
			show.PutFigure(r.cells[k], r.t.d, *c.f, c.text, c.ink)
		default:
			r.cells[k].Set(c.text, "", c.ink, show.SettingCard(row.name, c.text))
		}
	}
}
