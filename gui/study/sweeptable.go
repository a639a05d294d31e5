package study

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction/replay"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// sweepTable sets the whole run under the present settings and under the chosen cell beside
// each other.
type sweepTable struct {
	obj  fyne.CanvasObject
	d    *desk.Desk
	list *kit.List
	Rows []sweepRow
}

// sweepRow is a line: words of an axis, or figures of a metric.
type sweepRow struct {
	name        string
	now, chosen sweepCell
}

type sweepCell struct {
	text string
	f    *figure.Figure // nil: it is words alone
	ink  fyne.ThemeColorName
}

func newSweepTable(d *desk.Desk) *sweepTable {
	t := &sweepTable{d: d}
	cell := func(title string, of func(*sweepRow) sweepCell) kit.Col[*sweepRow] {
		return kit.Col[*sweepRow]{Title: words.T(title), Width: 84, Right: true, Cell: func() (fyne.CanvasObject, func(*sweepRow)) {
			f := kit.NewFigure(kit.ColorText, 13).Fit().Right()
			return f, func(r *sweepRow) { t.put(f, r.name, of(r)) }
		}}
	}
	columns := &kit.Columns[*sweepRow]{
		List: []kit.Col[*sweepRow]{
			{Ink: kit.Muted[*sweepRow], Text: func(r *sweepRow) string { return r.name }},
			cell("sweep.column.now", func(r *sweepRow) sweepCell { return r.now }),
			cell("sweep.column.chosen", func(r *sweepRow) sweepCell { return r.chosen }),
		},
		At:  func(i int) (*sweepRow, bool) { return &t.Rows[i], true },
		Gap: 6, Least: 96, Left: 12, End: 12, TextSize: 13,
	}
	t.list = columns.NewList(23, func() int { return len(t.Rows) })
	t.list.Choosable = func(int) bool { return false }
	t.obj = kit.Column(0, kit.Sized(0, 24, columns.Head()), kit.NewRule(), kit.Stretch(t.list))
	return t
}

// put fills a cell of a row.
func (t *sweepTable) put(f *kit.Figure, row string, c sweepCell) {
	if c.f != nil {
		show.PutFigure(f, t.d, *c.f, c.text, c.ink)
		return
	}
	f.Set(c.text, "", c.ink, show.SettingCard(row, c.text))
}

// set shows the present settings, which may be a cell, and the chosen cell; −1: none.
func (t *sweepTable) set(v *sweepView, current, chosen int) {
	t.Rows = t.Rows[:0]
	if v != nil {
		for k, a := range v.W.Axes {
			row := sweepRow{name: axisName(a.Param), now: sweepCell{text: nowWords(a.Param, v.W.Base), ink: kit.ColorMuted}}
			if current >= 0 {
				row.now = sweepCell{text: valueWords(a, v.W.Axes.Place(current)[k]), ink: kit.ColorText}
			}
			if chosen >= 0 {
				row.chosen = sweepCell{text: valueWords(a, v.W.Axes.Place(chosen)[k]), ink: kit.ColorText}
			}
			t.Rows = append(t.Rows, row)
		}
		for _, m := range knownMetrics(v.W) {
			t.Rows = append(t.Rows, metricRow(v, m, current, chosen))
		}
	}
	t.list.Update()
}

// nowWords is what a parameter is in the settings that were swept from.
func nowWords(p replay.Param, base model.Policy) string {
	if p == replay.AxisPreset {
		return words.T("sweep.column.off") // whatever its preset, they may differ from it
	}
	return show.BriefWords(p.Row(), &base)
}

// metricRow is a metric of the present settings and of the chosen cell, which is better,
// worse or equal to it.
func metricRow(v *sweepView, m replay.Metric, current, chosen int) sweepRow {
	now := &v.grid.Now
	if current >= 0 {
		now = &v.grid.Cells[current]
	}
	row := sweepRow{name: show.MetricName(m), now: metricCell(v, m, now)}
	if chosen < 0 {
		return row
	}
	row.chosen = metricCell(v, m, &v.grid.Cells[chosen])
	if a, b := row.now.f, row.chosen.f; a.Known() && b.Known() && a.Value != b.Value {
		if ink := show.MetricInk(m, b.Value-a.Value); ink != kit.ColorMuted {
			row.chosen.ink = ink
		}
	}
	return row
}

func metricCell(v *sweepView, m replay.Metric, c *replay.Cell) sweepCell {
	s, known := c.Spread(m)
	f := v.figure(m, s.Value, known)
	text := words.Figure(f)
	if m == replay.MetricMisses && f.Known() && len(c.Results) == 1 { // settings that fire elsewhere have other needs
		text = words.T("sweep.missedOf", "n", text, "of", c.Results[0].Needs)
	}
	return sweepCell{text, &f, kit.ColorText}
}
