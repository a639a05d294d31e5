package study

import (
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/chart"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// SweepSheet moves two parameters over a grid and shows what each setting would have
// come to:
//
//	across, up, also on
//	map of a metric             | that metric against another
//	now, the chosen | session by session
type SweepSheet struct {
	d *desk.Desk
	w *screen.Host

	Open bool
	obj  fyne.CanvasObject

	X, Y          *axisPicker
	over          *kit.Link
	chosen        []*desk.Entry // histories that are ticked; none: the one looked at
	texts         *kit.Check
	metric        *kit.Select
	against       *kit.Select
	metrics       []replay.Metric
	picked        bool // a person chose one of the two
	title, Count  *kit.Text
	how           *kit.Tag
	bar           *kit.Bar
	headRow       *fyne.Container
	axisRow       *fyne.Container
	legend, scale *fyne.Container
	Stop, Run     *kit.Button
	heatPane      *kit.Pane
	heatMean      *kit.Text
	Heat          *chart.HeatMap
	Told          *kit.Paragraph
	low, high     *kit.Text
	Plot          *chart.Scatter
	plotCount     *kit.Text
	table         *show.FigureTable // now beside the chosen cell
	Many          *manySessions
	Missed        *kit.Link
	Note          *kit.Text
	copied, saved *kit.Button
	candidate     *kit.Button
	useIn         *kit.Button
	Load          *kit.Button

	then  func()     // when the history that was asked for is open
	View  *sweepView // of the sweep shown; nil: nothing to show yet
	Shown *desk.Sweep
}

func NewSweepSheet(w *screen.Host) *SweepSheet {
	p := &SweepSheet{d: w.Desk, w: w}
	p.Heat, p.Plot, p.table = chart.NewHeatMap(), chart.NewScatter(), show.NewFigureTableOf(w.Desk, "", 84)
	p.Many = newManySessions(p.openWith)
	p.Heat.OnSelect = p.Choose
	p.Heat.OnOpen = func(int) { w.Commands.Run(commands.LoadCell) }
	p.Heat.OnHover = func(cell int) {
		if cell < 0 {
			cell = p.Heat.Selected()
		}
		p.tell(cell)
	}
	p.Plot.OnSelect = func(cell int) { p.Heat.Select(cell); p.Choose(cell) }
	p.obj = kit.Panes(kit.Sized(0, 40, p.header()), kit.Sized(0, 40, p.axes()), kit.Stretch(p.body()), kit.Sized(0, 44, p.foot()))
	w.Desk.Listen(desk.TopicSweep, p.progress)
	w.Desk.Listen(desk.TopicParams, p.params)
	w.Desk.Listen(desk.TopicSession, p.session)
	return p
}

// Enter opens the sheet.
func (p *SweepSheet) Enter() {
	if p.Open {
		return
	}
	p.w.ShowSheet(p.obj, p.close)
	p.Open = true
	p.begin()
	p.w.Win.Canvas().Focus(p.Heat)
}

// Visible reports whether the sheet is the one on the screen; nil is not.
func (p *SweepSheet) Visible() bool { return p != nil && p.Open && p.w.InSheet() }

func (p *SweepSheet) close() {
	p.Open = false
	p.w.HideSheet()
}

// session follows the history looked at.
func (p *SweepSheet) session() {
	p.chosen = slices.DeleteFunc(p.chosen, func(e *desk.Entry) bool { return !slices.Contains(p.d.Sweepable(), e) })
	if p.d.Session() == nil {
		if p.Open {
			p.close()
		}
		return
	}
	if then := p.then; then != nil {
		p.then = nil
		then()
	}
	if p.Open {
		p.begin()
	}
}

// begin shows the latest sweep, or, if it is of other histories, runs one around
// the present parameters: without a model it takes no time worth asking for.
func (p *SweepSheet) begin() {
	p.listMetrics(nil)
	switch w := p.d.Sweep(); {
	case w == nil || !slices.Contains(w.Over, p.d.Current()):
		x, y := p.d.FirstAxes()
		p.X.set(x)
		p.Y.set(y)
		p.clear()
		if p.chosen = nil; p.Can() {
			p.Start()
		}
	case p.X.Axis.Values == nil: // the window was built anew
		p.X.set(w.Axes[0])
		p.Y.set(w.Axes[1])
		if p.texts.SetOn(w.Texts); len(w.Over) > 1 {
			p.chosen = slices.Clone(w.Over)
		}
	}
	p.progress()
}

// clear takes away what is shown of another history.
func (p *SweepSheet) clear() {
	p.Shown, p.View = nil, nil
	p.Heat.Set(chart.HeatData{Current: -1})
	p.Plot.Set(chart.ScatterData{})
	showBeside(p.table, nil, -1, -1)
	p.Many.set(nil, -1, -1)
	p.plotCount.SetText("")
	p.tell(-1)
}

// Can reports whether the axes and histories can be swept.
func (p *SweepSheet) Can() bool {
	return p.Open && p.d.Session() != nil && p.X.Err == nil && p.Y.Err == nil &&
		desk.CheckSweep(p.axesChosen()) == nil && len(p.Histories()) > 0
}

// axesChosen are those of the pickers.
func (p *SweepSheet) axesChosen() replay.Axes { return replay.Axes{p.X.Axis, p.Y.Axis} }

// Start runs the sweep.
func (p *SweepSheet) Start() { p.d.RunSweep(p.axesChosen(), p.Histories(), p.texts.On()) }

// openWith opens a session of the sweep with the chosen setting as the candidate of the
// comparison.
func (p *SweepSheet) openWith(e *desk.Entry) {
	v, cell := p.View, p.Heat.Selected()
	p.close()
	if cell >= 0 {
		p.then = func() {
			p.d.SetCandidate(desk.Side{From: desk.FromSweep, Policy: v.W.CellFor(p.d.Session(), cell)})
			p.w.Commands.Run("compare")
		}
	}
	if e == p.d.Current() {
		p.session()
	} else {
		p.d.Select(e)
	}
}

// progress shows the sweep as far as it is done.
func (p *SweepSheet) progress() {
	if !p.Open {
		return
	}
	w := p.d.Sweep()
	switch {
	case w == nil:
	case w.Grid == nil:
		p.listMetrics(w)
	case p.Shown != w:
		p.Shown = w
		p.Heat.Select(-1)
		fallthrough
	case p.View == nil || p.View.grid != w.Grid:
		p.listMetrics(w)
		p.remake()
	}
	p.buttons()
}

// listMetrics offers the metrics that are known of a sweep.
func (p *SweepSheet) listMetrics(w *desk.Sweep) {
	list := knownMetrics(w)
	metric, against := replay.MetricRecall, replay.MetricInput
	if !slices.Contains(list, metric) {
		metric, against = replay.MetricInput, replay.MetricFirings
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
		names[i] = show.MetricName(m)
	}
	p.metric.SetNames(names, slices.Index(list, metric))
	p.against.SetNames(names, slices.Index(list, against))
}

// pick takes the metric that was chosen in one list. If neither it nor the one
// beside it says what is kept, the one beside it gives way: nothing is ranked by
// cost alone.
func (p *SweepSheet) pick(chosen, other *kit.Select) {
	p.picked = true
	m := p.metrics[chosen.Selected()]
	if i := slices.Index(p.metrics, m.Beside()); !m.Kept() && !p.metrics[other.Selected()].Kept() && i >= 0 {
		other.Select(i)
	}
	p.remake()
}

// remake shows the sweep by the metrics that are chosen.
func (p *SweepSheet) remake() {
	if p.Shown == nil {
		return
	}
	m, against := p.metrics[p.metric.Selected()], p.metrics[p.against.Selected()]
	p.View = newSweepView(p.Shown, m, against)
	p.heatMean.SetText(p.View.means(m))
	p.Plot.FormatX, p.Plot.FormatY = show.MetricAxis(against), show.MetricAxis(m)
	p.draw()
}

// Current is the cell that the parameters on the screen lie on, −1 if none.
func (p *SweepSheet) Current() int {
	if p.Shown == nil {
		return -1
	}
	return p.Shown.Current(p.d.Planning.Params())
}

// draw shows the view with the present cells marked.
func (p *SweepSheet) draw() {
	v := p.View
	if v == nil {
		return
	}
	v.stale = p.outdated() != ""
	v.before = v.stale || !v.W.Running() && p.Current() < 0 && !v.W.From(p.d.Planning.Params())
	p.Heat.Set(v.heat(p.Current()))
	p.Plot.Set(v.scatter(v.now(p.Current())))
	p.Plot.Select(p.Heat.Selected())
	low, high := "–", "–"
	if v.some {
		low, high = v.Value(v.metric, v.lo), v.Value(v.metric, v.hi)
	}
	if !v.metric.More() {
		low, high = high, low
	}
	p.low.SetText(low)
	p.high.SetText(high)
	p.scale.Refresh()
	p.legend.Refresh()
	p.plotCount.SetText(words.T("sweep.best", "count", len(v.front), "of", doneCells(v.grid)))
	p.Choose(p.Heat.Selected())
}

// Choose looks at a cell beside the current one.
func (p *SweepSheet) Choose(cell int) {
	v := p.View
	if v == nil {
		return
	}
	p.Plot.Select(cell)
	now := v.now(p.Current())
	showBeside(p.table, v, now, cell)
	p.Many.set(v, now, cell)
	p.tell(cell)
	p.buttons()
}

// tell puts a cell into the line under the map.
func (p *SweepSheet) tell(cell int) {
	text := words.T("sweep.pick")
	if p.View != nil && cell >= 0 && cell < len(p.View.grid.Cells) {
		text = p.View.sentence(cell)
	}
	p.Told.SetText(text)
}

func (p *SweepSheet) params() {
	if p.Open && p.View != nil {
		p.draw()
	}
}

// Loadable reports whether a cell is chosen that has been measured.
func (p *SweepSheet) Loadable() bool {
	cell := p.Heat.Selected()
	return p.Open && p.d.Session() != nil && p.View != nil && cell >= 0 && p.View.W == p.d.Sweep() && p.View.grid.Cells[cell].Done
}

func (p *SweepSheet) CopyTable() {
	if p.View != nil {
		kit.Copy(p.View.table())
		p.w.Overlay.Toast(words.T("sweep.copied"), "", nil)
	}
}

// LoadedWords says that a cell was loaded, and how to take it back.
func (p *SweepSheet) LoadedWords() string {
	return words.T("sweep.loaded", "at", p.View.pair(p.Heat.Selected()), "key", p.w.Commands.Key(commands.Undo))
}

// Metrics are the one shown and the one it is weighed against.
func (p *SweepSheet) Metrics() [2]replay.Metric {
	if p == nil || p.View == nil {
		return [2]replay.Metric{replay.MetricRecall, replay.MetricInput}
	}
	return [2]replay.Metric{p.View.metric, p.View.against}
}

// ShowMissed lists what the agent of the history looked at would have needed later and
// missed under the chosen cell.
func (p *SweepSheet) ShowMissed() {
	if !p.Loadable() {
		return
	}
	cell := p.Heat.Selected()
	at := p.View.pair(cell)
	p.d.CellNeeds(cell, func(n *session.Needed) {
		if p.Open {
			show.ShowMissesOf(p.d, p.w.Win, n, words.T("sweep.missedAt", "at", at), p.close)
		}
	})
}
