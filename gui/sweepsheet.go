package gui

import (
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/replay"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// sweepSheet moves two parameters over a grid and shows what each pair of values
// would have come to.
type sweepSheet struct {
	d *desk.Desk
	w *Host

	open bool
	obj  fyne.CanvasObject

	x, y          *axisPicker
	over          *kit.Link
	chosen        []*desk.Entry // histories that are ticked; none: the one looked at
	texts         *kit.Check
	metric        *kit.Select
	against       *kit.Select
	metrics       []replay.Metric
	picked        bool // a person chose one of the two
	title, count  *kit.Text
	how           *kit.Tag
	bar           *kit.Bar
	headRow       *fyne.Container
	axisRow       *fyne.Container
	legend, scale *fyne.Container
	stop, run     *kit.Button
	heatPane      *kit.Pane
	heatMean      *kit.Text
	shades        *kit.Segments
	heat          *chart.HeatMap
	told          *kit.Text
	missed        *kit.Link
	low, high     *kit.Text
	plot          *chart.Scatter
	plotCount     *kit.Text
	table         *figureTable
	matters       *matterBars
	note          *kit.Text
	copied, saved *kit.Button
	candidate     *kit.Button
	load          *kit.Button

	view  *sweepView // of the sweep shown; nil: nothing to show yet
	shown *desk.Sweep
}

func newSweepSheet(w *Host) *sweepSheet {
	p := &sweepSheet{d: w.d, w: w}
	p.heat, p.plot, p.matters = chart.NewHeatMap(), chart.NewScatter(), newMatterBars()
	p.heat.OnSelect = p.choose
	p.heat.OnOpen = func(int) { w.c.run("loadCell") }
	p.heat.OnHover = func(cell int) {
		if cell < 0 {
			cell = p.heat.Selected()
		}
		p.tell(cell)
	}
	p.plot.OnSelect = func(cell int) { p.heat.Select(cell); p.choose(cell) }
	p.table = newFigureTable(words.T("sweep.overRun"))
	p.obj = kit.Panes(kit.Sized(0, 40, p.header()), kit.Sized(0, 40, p.axes()), kit.Stretch(p.body()), kit.Sized(0, 44, p.foot()))
	w.d.Listen(desk.TopicSweep, p.progress)
	w.d.Listen(desk.TopicParams, p.params)
	w.d.Listen(desk.TopicSession, p.session)
	return p
}

// enter opens the sheet.
func (p *sweepSheet) enter() {
	if p.open {
		return
	}
	p.w.showSheet(p.obj, p.close)
	p.open = true
	p.begin()
	p.w.win.Canvas().Focus(p.heat)
}

// visible reports whether the sheet is the one on the screen; nil is not.
func (p *sweepSheet) visible() bool { return p != nil && p.open && p.w.inSheet() }

func (p *sweepSheet) close() {
	p.open = false
	p.w.hideSheet()
}

// session follows the history looked at.
func (p *sweepSheet) session() {
	p.chosen = slices.DeleteFunc(p.chosen, func(e *desk.Entry) bool { return !slices.Contains(p.d.Sweepable(), e) })
	if p.d.Session() == nil {
		if p.open {
			p.close()
		}
		return
	}
	if p.open {
		p.begin()
	}
}

// begin shows the latest sweep, or, if it is of other histories, runs one around
// the present parameters: without a model it takes no time worth asking for.
func (p *sweepSheet) begin() {
	p.listMetrics()
	switch w := p.d.Sweep(); {
	case w == nil || !slices.Contains(w.Over, p.d.Current()):
		x, y := desk.FirstAxes(p.d.Params())
		p.x.set(x)
		p.y.set(y)
		p.clear()
		if p.chosen = nil; p.can() {
			p.start()
		}
	case p.x.axis.Values == nil: // the window was built anew
		p.x.set(w.X)
		p.y.set(w.Y)
	}
	p.progress()
}

// clear takes away what is shown of another history.
func (p *sweepSheet) clear() {
	p.shown, p.view = nil, nil
	p.heat.Set(chart.HeatData{Current: -1})
	p.plot.Set(chart.ScatterData{})
	p.table.set("", "", "", nil)
	p.plotCount.SetText("")
	p.tell(-1)
}

// can reports whether the axes and histories can be swept.
func (p *sweepSheet) can() bool {
	return p.open && p.d.Session() != nil && p.x.err == nil && p.y.err == nil && desk.CheckSweep(p.x.axis, p.y.axis) == nil && len(p.histories()) > 0
}

func (p *sweepSheet) start() {
	p.d.RunSweep(p.x.axis, p.y.axis, p.histories(), p.texts.On())
}

// progress follows the sweep under way, and shows what it came to when it ended.
func (p *sweepSheet) progress() {
	if !p.open {
		return
	}
	w := p.d.Sweep()
	if w != nil && !w.Running() && w.Grid != nil && p.shown != w {
		p.shown = w
		p.heat.Select(-1)
		p.listMetrics()
		p.remake()
	}
	p.buttons()
}

// listMetrics offers the metrics that are known.
func (p *sweepSheet) listMetrics() {
	var g *replay.Grid
	if p.shown != nil {
		g = p.shown.Grid
	}
	list := knownMetrics(g)
	metric, against := replay.MetricInput, replay.MetricFirings
	if slices.Contains(list, replay.MetricRecall) && p.shown.Texts { // what was needed is no bound but a measure
		metric, against = replay.MetricRecall, replay.MetricInput
	}
	if p.picked {
		was, wasAgainst := p.metrics[p.metric.Selected()], p.metrics[p.against.Selected()]
		if slices.Contains(list, was) && slices.Contains(list, wasAgainst) {
			metric, against = was, wasAgainst
		}
	}
	p.metrics = list
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = metricName(m)
	}
	p.metric.SetNames(names, slices.Index(list, metric))
	p.against.SetNames(names, slices.Index(list, against))
}

// remake shows the sweep by the metrics that are chosen.
func (p *sweepSheet) remake() {
	if p.shown == nil {
		return
	}
	m, against := p.metrics[p.metric.Selected()], p.metrics[p.against.Selected()]
	p.view = newSweepView(p.shown, m, against)
	p.heatMean.SetText(p.view.means(m))
	p.plot.FormatX, p.plot.FormatY = metricAxis(against), metricAxis(m)
	p.draw()
}

// current is the cell that the parameters on the screen lie on, −1 if none.
func (p *sweepSheet) current() int {
	if p.shown == nil {
		return -1
	}
	return p.shown.Current(p.d.Params())
}

// draw shows the view with the present cells marked.
func (p *sweepSheet) draw() {
	v := p.view
	if v == nil {
		return
	}
	p.heat.Set(v.heat(p.current(), p.shades.Selected() == 1))
	p.plot.Set(v.scatter(p.current()))
	p.plot.Select(p.heat.Selected())
	low, high := "–", "–"
	if v.some {
		low, high = metricWords(v.metric, v.lo, v.exact()), metricWords(v.metric, v.hi, v.exact())
	}
	if !v.metric.More() {
		low, high = high, low
	}
	p.low.SetText(low)
	p.high.SetText(high)
	p.scale.Refresh()
	p.legend.Refresh()
	p.plotCount.SetText(words.T("sweep.best", "count", len(v.front), "of", len(v.w.Grid.Cells)))
	p.matters.set(v)
	p.choose(p.heat.Selected())
}

// choose looks at a cell beside the current one.
func (p *sweepSheet) choose(cell int) {
	v := p.view
	if v == nil {
		return
	}
	p.plot.Select(cell)
	now := p.current()
	p.matters.slice(v, cell, now)
	a, b := words.T("sweep.notInGrid"), "–"
	if now >= 0 {
		a = v.pair(now)
	}
	if cell >= 0 {
		b = v.pair(cell)
	}
	p.table.set(a, b, words.T("sweep.change"), v.figures(now, cell))
	p.tell(cell)
	p.buttons()
}

// tell puts a cell into the line under the map.
func (p *sweepSheet) tell(cell int) {
	text := words.T("sweep.pick")
	if p.view != nil && cell >= 0 && cell < len(p.view.w.Grid.Cells) {
		text = p.view.told(cell)
	}
	p.told.SetText(text)
}

func (p *sweepSheet) params() {
	if p.open && p.view != nil {
		p.draw()
	}
}

// loadable reports whether a cell is chosen that has been measured.
func (p *sweepSheet) loadable() bool {
	cell := p.heat.Selected()
	return p.open && p.d.Session() != nil && p.view != nil && cell >= 0 && p.view.w == p.d.Sweep() && p.view.w.Grid.Cells[cell].Done
}

func (p *sweepSheet) copyTable() {
	if p.view != nil {
		p.w.app.Clipboard().SetContent(p.view.table())
		p.w.overlay.Toast(words.T("sweep.copied"), "", nil)
	}
}

// loadedWords says that a cell was loaded, and how to take it back.
func (p *sweepSheet) loadedWords() string {
	return words.T("sweep.loaded", "at", p.view.pair(p.heat.Selected()), "key", p.w.c.key("undo"))
}
