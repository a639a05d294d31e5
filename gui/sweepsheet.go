package gui

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// sweepSheet moves two parameters over a grid and shows what each pair of values
// would have come to.
type sweepSheet struct {
	d *desk.Desk
	w *window

	open bool
	obj  fyne.CanvasObject

	x, y          *axisPicker
	over          *kit.Link
	chosen        []*desk.Entry // histories that are ticked; none: the one looked at
	texts         *kit.Check
	metric        *kit.Select
	against       *kit.Select
	metrics       []replay.Metric
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

func newSweepSheet(w *window) *sweepSheet {
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
	p.obj = kit.Column(6, kit.Sized(0, 40, p.header()), kit.Sized(0, 40, p.axes()), kit.Stretch(p.body()), kit.Sized(0, 44, p.foot()))
	w.d.Listen(desk.TopicSweep, p.progress)
	w.d.Listen(desk.TopicParams, p.params)
	w.d.Listen(desk.TopicSession, p.session)
	return p
}

func (p *sweepSheet) header() fyne.CanvasObject {
	p.title, p.count = kit.NewText("", kit.ColorMuted, 13).Fit(), kit.NewText("", kit.ColorMuted, 12)
	p.how = kit.NewTag(words.T("sweep.noModel"), kit.ColorMuted)
	p.bar = kit.NewBar(0, kit.ColorKept)
	p.stop = kit.NewButton(words.T("sweep.stop"), kit.Secondary, func() { p.w.c.run("stopSweep") })
	p.run = kit.NewButton(words.T("sweep.run"), kit.Primary, func() { p.w.c.run("runSweep") })
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithGlyph(kit.GlyphLeft)
	p.headRow = kit.Row(10, back, kit.Label(words.T("sweep.title")).Bold(), kit.Stretch(p.title), p.how, p.count,
		kit.Sized(104, 4, p.bar), kit.Sized(64, 0, p.stop), kit.Sized(64, 0, p.run))
	return kit.NewPane("", kit.Pad(0, 10, 0, 10, p.headRow))
}

func (p *sweepSheet) axes() fyne.CanvasObject {
	p.x, p.y = newAxisPicker(p.d, "X", p.buttons), newAxisPicker(p.d, "Y", p.buttons)
	p.over = kit.NewMenuLink("", p.overMenu)
	p.texts = kit.NewCheck(words.T("sweep.texts"), false, func(bool) { p.buttons() })
	p.texts.SetTip(words.T("sweep.texts.tip"))
	p.axisRow = kit.Row(12, p.x.obj, p.y.obj, kit.Spring(), p.texts, p.over)
	return kit.NewPane("", kit.Pad(0, 10, 0, 10, p.axisRow))
}

func (p *sweepSheet) body() fyne.CanvasObject {
	p.metric = kit.NewSelect(nil, -1, func(int) { p.remake() })
	p.against = kit.NewSelect(nil, -1, func(int) { p.remake() })
	p.heatMean = kit.NewText("", kit.ColorMuted, 12).Fit()
	p.shades = kit.NewSegments([]string{words.T("sweep.numbers"), words.T("sweep.shades")}, 0, func(int) { p.draw() })
	p.told, p.low, p.high = kit.NewText("", kit.ColorText, 12).Fit(), kit.NewText("", kit.ColorMuted, 12), kit.NewText("", kit.ColorMuted, 12)
	p.missed = kit.NewLink(words.T("sweep.missed"), p.showMissed)
	p.scale = kit.Row(6, p.low, kit.Sized(96, 11, chart.NewRamp()), p.high)
	p.legend = kit.Row(16,
		p.scale,
		kit.Row(6, kit.NewSign(kit.GlyphDot, kit.ColorText, 10), kit.NewText(words.T("sweep.current"), kit.ColorMuted, 11)),
		kit.Row(6, kit.NewSign(kit.GlyphWarning, kit.ColorWarning, 11), kit.NewText(words.T("sweep.thrash", "n", replay.Soon), kit.ColorMuted, 11)),
		kit.Row(6, kit.NewText("×", kit.ColorMuted, 13), kit.NewText(words.T("sweep.impossible"), kit.ColorMuted, 11)),
		kit.Row(6, kit.NewText("·", kit.ColorMuted, 13).Bold(), kit.NewText(words.T("sweep.notDone"), kit.ColorMuted, 11)))
	p.heatPane = kit.NewPane("", kit.Pad(10, 12, 8, 12, kit.Column(6, kit.Stretch(p.heat), kit.Sized(0, 18, p.legend), kit.NewRule(), kit.Sized(0, 20, kit.Row(8, kit.Stretch(p.told), p.missed)))), p.shades)
	p.heatPane.SetLeft(kit.Sized(170, 24, p.metric), kit.Sized(230, 0, p.heatMean))
	p.plotCount = kit.NewText("", kit.ColorMuted, 12).Fit()
	plotPane := kit.NewPane(words.T("sweep.tradeOff"), kit.Pad(8, 8, 6, 8, p.plot), kit.NewText(words.T("sweep.against"), kit.ColorMuted, 12), kit.Sized(170, 24, p.against))
	plotPane.SetLeft(kit.Sized(150, 0, p.plotCount))
	upper := p.w.split("sweep", false, p.heatPane, plotPane, kit.KeepShare, .56)
	lower := p.w.split("sweepLower", false, kit.NewPane(words.T("sweep.beside"), p.table.obj), p.matters.pane, kit.KeepShare, .56)
	return p.w.split("sweepDown", true, upper, lower, kit.KeepShare, .66)
}

func (p *sweepSheet) foot() fyne.CanvasObject {
	p.copied = kit.NewButton(words.T("sweep.copy"), kit.Secondary, p.copyTable)
	p.saved = kit.NewButton(words.T("sweep.save"), kit.Secondary, p.w.showSaveSweep)
	p.candidate = kit.NewButton(words.T("command.cellCandidate"), kit.Secondary, func() { p.w.c.run("cellCandidate") })
	p.load = kit.NewButton(words.T("command.loadCell"), kit.Primary, func() { p.w.c.run("loadCell") }).Large()
	p.note = kit.NewText("", kit.ColorMuted, 12).Fit().Right()
	return kit.NewPane("", kit.Pad(0, 10, 0, 10, kit.Row(10, p.copied, p.saved, kit.Stretch(p.note), p.candidate, kit.Sized(170, 0, p.load))))
}

// showSweep opens the sheet.
func (w *window) showSweep() {
	if w.sweep == nil {
		w.sweep = newSweepSheet(w)
	}
	p := w.sweep
	if p.open {
		return
	}
	w.showSheet(p.obj, p.close)
	p.open = true
	p.begin()
	w.win.Canvas().Focus(p.heat)
}

func (w *window) inSweep() bool { return w.back != nil && w.sweep != nil && w.sweep.open }

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

// histories are those that a sweep goes over: the ticked ones, else the one
// looked at.
func (p *sweepSheet) histories() []*desk.Entry {
	if len(p.chosen) > 0 {
		return p.chosen
	}
	if list := p.d.Sweepable(); len(list) > 0 && list[0] == p.d.Current() {
		return list[:1]
	}
	return nil
}

// overMenu ticks histories.
func (p *sweepSheet) overMenu() {
	var items []kit.MenuItem
	for _, e := range p.d.Sweepable() {
		on := slices.Contains(p.histories(), e)
		items = append(items, kit.MenuItem{Text: kit.Clean(shortened(entryTitle(e), 60)), Checked: on, Run: func() { p.tick(e, !on) }})
	}
	items = append(items, kit.Rule, kit.MenuItem{Text: words.T("sweep.openMore"), Disabled: true})
	showMenuUnder(p.w.win, p.over, items)
}

// tick takes a history in or out; the last one stays.
func (p *sweepSheet) tick(e *desk.Entry, on bool) {
	list := slices.Clone(p.histories())
	if on {
		list = append(list, e)
	} else if list = slices.DeleteFunc(list, func(x *desk.Entry) bool { return x == e }); len(list) == 0 {
		return
	}
	p.chosen = list
	p.buttons()
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
	if slices.Equal(list, p.metrics) {
		return
	}
	metric, against := replay.MetricInput, replay.MetricFirings
	switch {
	case p.metrics != nil && slices.Contains(list, p.metrics[p.metric.Selected()]) && slices.Contains(list, p.metrics[p.against.Selected()]):
		metric, against = p.metrics[p.metric.Selected()], p.metrics[p.against.Selected()]
	case slices.Contains(list, replay.MetricRecall) && p.shown.Texts:
		metric, against = replay.MetricRecall, replay.MetricInput
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

func (p *sweepSheet) buttons() {
	if !p.open {
		return
	}
	w := p.d.Sweep()
	running := w.Running()
	p.run.SetEnabled(p.can() && !running)
	p.stop.SetEnabled(running)
	p.load.SetEnabled(p.loadable())
	p.missed.SetEnabled(p.loadable() && slices.Contains(p.view.w.Over, p.d.Current()))
	p.candidate.SetEnabled(p.loadable())
	p.copied.SetEnabled(p.view != nil)
	p.saved.SetEnabled(w != nil && w.Grid != nil)
	p.over.SetText(words.T("sweep.over", "count", max(1, len(p.histories()))))
	p.state(w)
	p.headRow.Refresh()
	p.axisRow.Refresh()
}

// state says how far the sweep is, on what, and how much it may be trusted.
func (p *sweepSheet) state(w *desk.Sweep) {
	cells := len(p.x.axis.Values) * len(p.y.axis.Values)
	count, share, ink := words.T("sweep.cells", "count", cells), 0.0, kit.ColorKept
	note := words.T("sweep.press")
	if err := desk.CheckSweep(p.x.axis, p.y.axis); err != nil {
		note = words.T("sweep.tooMany", "most", desk.MostSweepCells)
		if p.x.axis.Param == p.y.axis.Param {
			note = words.T("sweep.sameAxis")
		}
	} else if w != nil && !w.Running() && w.Grid != nil {
		if note = words.T("sweep.onOne"); len(w.Over) > 1 {
			note = words.T("sweep.onMany", "count", len(w.Over))
		}
	}
	switch {
	case w == nil:
	case w.Running():
		count, share, ink = words.T("sweep.running", "done", w.Done, "total", w.Total), float64(w.Done)/float64(max(1, w.Total)), kit.ColorAccent
	case w.Grid != nil && !w.Grid.Complete:
		done := 0
		for i := range w.Grid.Cells {
			if w.Grid.Cells[i].Done {
				done++
			}
		}
		count, share, ink = words.T("sweep.partial", "done", done, "total", len(w.Grid.Cells)), float64(done)/float64(len(w.Grid.Cells)), kit.ColorWarning
	case w.Grid != nil:
		count, share = words.T("sweep.done", "count", len(w.Grid.Cells), "time", words.Duration(w.Ended.Sub(w.Started).Round(time.Millisecond))), 1
	}
	p.count.SetText(count)
	p.bar.Set(share, ink)
	p.note.SetText(note)
	how := words.T("sweep.noModel")
	switch {
	case p.texts.On() && session.StandIn(p.d.Params().Strategy) != "":
		how = words.T("sweep.standIn")
	case p.texts.On():
		how = words.T("sweep.realTexts")
	}
	p.how.Set(how, kit.ColorMuted)
	if e := p.d.Current(); e != nil && p.d.Session() != nil {
		p.title.SetText(words.T("sweep.of", "x", axisName(p.x.axis.Param), "y", axisName(p.y.axis.Param),
			"session", kit.Clean(shortened(entryTitle(e), 40)), "n", len(p.d.Session().Thread().History)))
	}
}

func (p *sweepSheet) copyTable() {
	if p.view != nil {
		p.w.app.Clipboard().SetContent(p.view.table())
		p.w.host.Toast(words.T("sweep.copied"), "", nil)
	}
}

// loadedWords says that a cell was loaded, and how to take it back.
func (p *sweepSheet) loadedWords() string {
	return words.T("sweep.loaded", "at", p.view.pair(p.heat.Selected()), "key", p.w.c.key("undo"))
}
