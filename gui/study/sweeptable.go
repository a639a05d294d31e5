package study

import (
	"palimpsest/compaction/replay"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// showBeside sets the whole run under the present settings, which may be a cell, and under
// the chosen cell beside each other in a table; −1: none.
func showBeside(t *show.FigureTable, v *sweepView, current, chosen int) {
	change, now := "", words.T("sweep.column.now")
	switch {
	case v != nil && v.before:
		now = words.T("sweep.column.before")
	case chosen >= 0:
		change = words.T("pair.change")
	}
	var rows []show.FigureRow
	if v != nil {
		for k, a := range v.W.Axes {
			row := show.FigureRow{Name: axisName(a.Param), A: nowWords(a.Param, v.W.Base)}
			if current >= 0 {
				row.A = valueWords(a, v.W.Axes.Place(current)[k])
			}
			if chosen >= 0 {
				row.B = valueWords(a, v.W.Axes.Place(chosen)[k])
			}
			rows = append(rows, row)
		}
		for _, m := range knownMetrics(v.W) {
			rows = append(rows, metricRow(v, m, current, chosen))
		}
		for i := range rows {
			rows[i].Faint = v.before
		}
	}
	t.Set(now, words.T("sweep.column.chosen"), change, rows)
}

// nowWords is what a parameter is in the settings that were swept from.
func nowWords(p replay.Param, base model.Policy) string {
	if p == replay.AxisPreset {
		return words.T("sweep.column.off") // whatever its preset, they may differ from it
	}
	return show.BriefWords(p.Row(), &base)
}

// metricRow is a metric of the present settings and of the chosen cell.
func metricRow(v *sweepView, m replay.Metric, current, chosen int) show.FigureRow {
	now := &v.grid.Now
	if current >= 0 {
		now = &v.grid.Cells[current]
	}
	s, known := now.Spread(m)
	a := v.figure(m, s.Value, known)
	row := show.FigureRow{Name: show.MetricName(m), A: words.Figure(a), FigA: &a}
	if chosen >= 0 {
		s, known := v.grid.Cells[chosen].Spread(m)
		row = show.Metrics(row.Name, m, a, v.figure(m, s.Value, known))
		switch row.B = ofNeeds(m, row.B, &v.grid.Cells[chosen]); {
		case !known || !a.Known():
		case m == replay.MetricSurvives: // shares of other facts: each counts what its own compactions took
			row.Change, row.FigChange = "", nil
		case m.Alike(now, &v.grid.Cells[chosen]):
			row.Change, row.FigChange, row.Color = words.T("sweep.equal"), nil, kit.ColorMuted
		}
	}
	row.A = ofNeeds(m, row.A, now)
	return row
}

// ofNeeds adds to a number of misses how many needs they are of.
func ofNeeds(m replay.Metric, text string, c *replay.Cell) string {
	if m == replay.MetricMisses && len(c.Results) == 1 {
		return words.T("sweep.missedOf", "n", text, "of", c.Results[0].Of())
	}
	return text
}
