package study

import (
	"cmp"
	"slices"

	"palimpsest/compaction/replay"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// manySessions shows how the settings of a sweep spread over its sessions: a row a
// setting, a dot a session, the worst one named.
type manySessions struct {
	pane   *kit.Pane
	Strips *chart.Strips
	worst  *kit.Link
	Note   *kit.Paragraph
	left   *kit.Text
	v      *sweepView
	at     int // session of the worst case
	open   func(e *desk.Entry)
}

func newManySessions(open func(e *desk.Entry)) *manySessions {
	m := &manySessions{Strips: chart.NewStrips(), open: open, left: kit.NewText("", kit.ColorMuted, 12).Fit().Right()}
	m.worst = kit.NewLink("", func() { m.look(m.at) }).WithTip("sweep.worst.tip")
	m.Note = kit.NewParagraph("", kit.ColorMuted, 12, 3)
	m.Strips.OnOpen = func(_, session int) { m.look(session) }
	m.pane = kit.NewPane(words.T("sweep.many"), kit.Pad(2, 10, 6, 2, kit.Column(4, kit.Stretch(m.Strips),
		kit.Sized(0, 18, kit.Pad(0, 0, 0, 8, m.worst)), kit.Pad(0, 0, 0, 8, m.Note))), kit.Sized(150, 0, m.left))
	return m
}

func (m *manySessions) look(session int) {
	if m.v != nil && session >= 0 && session < len(m.v.W.Over) {
		m.open(m.v.W.Over[session])
	}
}

// set shows the present settings, which may be a cell, and the chosen cell; −1: none.
func (m *manySessions) set(v *sweepView, current, chosen int) {
	m.v, m.at = v, -1
	d := chart.StripsData{None: words.T("sweep.many.add")}
	link, note, left, worst := "", "", "", ""
	if v != nil && len(v.W.Over) > 1 {
		switch d.None = words.T("sweep.many.none"); {
		case v.W.Running():
			d.None = words.T("sweep.many.wait")
		case v.before:
			d.None = words.T("sweep.changed")
		}
		middle := "sweep.many.median"
		if v.metric.Averaged() {
			middle = "sweep.many.mean"
		}
		d.Heads = []string{words.T(middle), words.T("sweep.many.worst"), words.T("metric.input")}
		d.Format = show.MetricAxis(v.metric)
		cells, names := []int{current}, []string{words.T("sweep.column.now")}
		if v.before {
			cells = nil
		} else if chosen >= 0 && chosen != current {
			cells, names = append(cells, chosen), append(names, words.T("sweep.column.chosen"))
		}
		input := 1.
		for i, cell := range cells {
			b, ok := v.grid.Box(cell, v.metric)
			if !ok {
				continue
			}
			if i == 0 {
				input = b.Input
			}
			if d.Rows = append(d.Rows, m.row(v, names[i], b.Input/input-1, b)); m.at < 0 { // of the first that is measured
				m.at, worst = b.Worst, names[i]
				left = words.T("sweep.many.left", "n", len(b.Of), "m", len(v.W.Over))
			}
		}
		if m.at >= 0 {
			link = words.T("sweep.many.worstIs", "setting", worst, "session",
				kit.Clean(show.Shortened(show.EntryTitle(v.W.Over[m.at]), 48)))
		}
		note = m.note()
	}
	m.Strips.Set(d)
	m.worst.SetText(link)
	show.SetVisible(m.worst, link != "") // a link without words is no stop of the keyboard
	m.left.SetText(left)
	m.Note.Set(note, kit.ColorMuted)
}

func (m *manySessions) row(v *sweepView, name string, input float64, b replay.Box) chart.StripRow {
	row := chart.StripRow{Name: name, Worst: b.Worst, Quarter: b.Quarter, Median: b.Median, Upper: b.Upper}
	worst := 0.0
	for _, s := range b.Of {
		if row.Dots = append(row.Dots, chart.Dot{X: s.Value, ID: s.Session}); s.Session == b.Worst {
			worst = s.Value
		}
	}
	slices.SortStableFunc(row.Dots, func(x, y chart.Dot) int { return cmp.Compare(x.X, y.X) })
	row.Figures = []string{v.Value(v.metric, b.Middle), v.Value(v.metric, worst), "–"}
	if input != 0 {
		row.Figures[2] = words.PercentChange(input)
	}
	return row
}

// note says which sessions count nowhere.
func (m *manySessions) note() string {
	aside := m.v.grid.Aside()
	if m.v.W.Running() || len(aside) == 0 {
		return ""
	}
	return words.T("sweep.many.aside", "count", len(aside),
		"session", kit.Clean(show.Shortened(show.EntryTitle(m.v.W.Over[aside[0]]), 32)))
}
