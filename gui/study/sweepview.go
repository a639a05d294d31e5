package study

import (
	"cmp"
	"math"
	"slices"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/figure"
)

// sweepView is a sweep as two metrics show it.
type sweepView struct {
	W       *desk.Sweep
	metric  replay.Metric
	against replay.Metric
	front   []int
	lo, hi  float64 // of the metric over the cells that have it
	some    bool    // one has
}

func newSweepView(w *desk.Sweep, metric, against replay.Metric) *sweepView {
	v := &sweepView{W: w, metric: metric, against: against, lo: math.Inf(1), hi: math.Inf(-1)}
	v.front = w.Grid.Front(metric, against)
	for i := range w.Grid.Cells {
		if c := &w.Grid.Cells[i]; !c.Impossible {
			if s, known := c.Spread(metric); known {
				v.lo, v.hi, v.some = math.Min(v.lo, s.Value), math.Max(v.hi, s.Value), true
			}
		}
	}
	return v
}

// knownMetrics lists the metrics that some cell of a grid knows; of no grid, those that
// every replay does.
func knownMetrics(g *replay.Grid) []replay.Metric {
	var out []replay.Metric
	for _, m := range show.ShownMetrics {
		known := !m.OfFacts()
		if known || g != nil && g.Knows(m) {
			out = append(out, m)
		}
	}
	return out
}

// good is how good a value is among those of the grid: 0 the worst, 1 the best.
func (v *sweepView) good(x float64) float64 {
	if v.hi == v.lo {
		return .5
	}
	share := (x - v.lo) / (v.hi - v.lo)
	if !v.metric.More() {
		share = 1 - share
	}
	return share
}

// heat is the grid as a heat map.
func (v *sweepView) heat(current int, shades bool) chart.HeatData {
	w := v.W
	d := chart.HeatData{Columns: tickWords(w.X), Rows: tickWords(w.Y), XName: axisWords(w.X), YName: axisName(w.Y.Param),
		Cells: make([]chart.HeatCell, len(w.Grid.Cells)), Current: current, Shades: shades}
	for i := range d.Cells {
		d.Cells[i] = v.cell(&w.Grid.Cells[i])
	}
	return d
}

func (v *sweepView) cell(c *replay.Cell) chart.HeatCell {
	s, known := c.Spread(v.metric)
	switch {
	case !c.Done:
		return chart.HeatCell{State: chart.HeatWaiting}
	case c.Impossible:
		return chart.HeatCell{State: chart.HeatImpossible}
	case !known:
		return chart.HeatCell{State: chart.HeatUnknown}
	}
	out := chart.HeatCell{Shade: v.good(s.Value), Text: show.MetricCell(v.metric, s.Value, v.exact())}
	if t, _ := c.Spread(replay.MetricThrash); t.Value > 0 {
		out.Flag = true
	}
	switch {
	case s.Of > 1: // several sessions: how far they are apart
		out.Note = show.MetricSpread(v.metric, s.Low, s.High, v.exact())
	case v.metric != replay.MetricFirings:
		f, _ := c.Spread(replay.MetricFirings)
		out.Note = words.T("sweep.fires", "count", int(f.Value))
	}
	return out
}

// scatter is the cells as dots of the two metrics.
func (v *sweepView) scatter(current int) chart.ScatterData {
	d := chart.ScatterData{XName: show.MetricName(v.against), YName: show.MetricName(v.metric), XMore: v.against.More(),
		YMore: v.metric.More(), Unknown: v.unranked()}
	dot := func(i int) (chart.Dot, bool) {
		c := &v.W.Grid.Cells[i]
		x, okX := c.Spread(v.against)
		y, okY := c.Spread(v.metric)
		return chart.Dot{X: x.Value, Y: y.Value, ID: i}, okX && okY && !c.Impossible
	}
	for i := range v.W.Grid.Cells {
		if p, ok := dot(i); ok {
			d.Dots = append(d.Dots, p)
		}
	}
	for _, i := range v.front {
		p, _ := dot(i)
		d.Front = append(d.Front, p)
	}
	slices.SortStableFunc(d.Front, func(a, b chart.Dot) int { return cmp.Compare(a.X, b.X) })
	if current >= 0 {
		if p, ok := dot(current); ok {
			d.Current = &p
			d.CurrentTag = words.T("sweep.currentAt", "y", show.MetricWords(v.metric, p.Y, v.exact()), "x",
				show.MetricWords(v.against, p.X, v.exact()))
		}
	}
	return d
}

// unranked is why no cell is called best, in a sentence; "" where some are.
func (v *sweepView) unranked() string {
	largest, never := v.W.Grid.NeverFires()
	switch {
	case never:
		return words.T("sweep.neverFires", "largest", show.MetricWords(replay.MetricLargest, float64(largest), v.exact()))
	case len(v.front) > 0:
		return ""
	case !v.metric.Kept() && !v.against.Kept():
		return words.T("sweep.costAlone")
	case v.W.Grid.Complete:
		return words.T("sweep.noneNeeded")
	}
	return words.T("sweep.noDots")
}

// means says what a metric is, and what of it is a bound only: without real
// summaries nothing counts as standing in them.
func (v *sweepView) means(m replay.Metric) string {
	text := words.T("metric.means." + string(m))
	if m.OfFacts() && !v.W.Texts {
		text += " · " + words.T("sweep.withoutSummaries")
	}
	return text
}

// Value writes a value of a metric, as a bound where it is one.
func (v *sweepView) Value(m replay.Metric, x float64) string {
	return words.Figure(v.figure(m, x, true))
}

// figure is a value of a metric with all that is known of it.
func (v *sweepView) figure(m replay.Metric, x float64, known bool) figure.Figure {
	standIn := session.StandIn(v.W.Base.Strategy) != ""
	return figures.OfMetric(m, x, known, figures.Texts{Made: v.W.Texts, StandIn: standIn, Estimated: v.W.Estimated})
}

// exact reports whether token numbers were counted and not estimated.
func (v *sweepView) exact() bool { return !v.W.Estimated }

// pair is the two values of a cell: "80 %, 20K".
func (v *sweepView) pair(cell int) string {
	w, n := v.W, len(v.W.X.Values)
	return valueWords(w.X, w.X.Values[cell%n]) + ", " + valueWords(w.Y, w.Y.Values[cell/n])
}

// told is a cell in a line: its parameters and the figures that matter most.
func (v *sweepView) told(cell int) string {
	c, w, n := &v.W.Grid.Cells[cell], v.W, len(v.W.X.Values)
	at := axisName(w.X.Param) + " " + valueWords(w.X, w.X.Values[cell%n]) + ", " + axisName(w.Y.Param) + " " + valueWords(w.Y,
		w.Y.Values[cell/n])
	if !c.Done {
		return words.T("sweep.cell", "at", at, "what", words.T("sweep.notDone"))
	}
	what := ""
	if c.Impossible {
		what = words.T("sweep.impossible")
	}
	for _, m := range []replay.Metric{replay.MetricFirings, replay.MetricRecall, replay.MetricInput, replay.MetricLargest,
		replay.MetricThrash} {
		s, known := c.Spread(m)
		if !known || c.Impossible || m == replay.MetricThrash && s.Value == 0 {
			continue
		}
		if what != "" {
			what += " · "
		}
		what += show.MetricName(m) + " " + v.Value(m, s.Value)
	}
	return words.T("sweep.cell", "at", at, "what", what)
}

// figures sets the metrics of two cells beside each other; −1 represents none.
func (v *sweepView) figures(a, b int) []show.FigureRow {
	var rows []show.FigureRow
	value := func(cell int, m replay.Metric) (float64, bool) {
		if cell < 0 {
			return 0, false
		}
		s, known := v.W.Grid.Cells[cell].Spread(m)
		return s.Value, known
	}
	for _, m := range knownMetrics(v.W.Grid) {
		x, okA := value(a, m)
		y, okB := value(b, m)
		rows = append(rows, show.Metrics(show.MetricName(m), m, v.figure(m, x, okA), v.figure(m, y, okB)))
	}
	return rows
}

// table is the metric of every cell, parted by tabs.
func (v *sweepView) table() string {
	w := v.W
	out := axisWords(w.Y) + " \\ " + axisWords(w.X)
	for _, t := range tickWords(w.X) {
		out += "\t" + t
	}
	out += "\n"
	for y, t := range tickWords(w.Y) {
		out += t
		for x := range w.X.Values {
			cell := w.Grid.Cell(x, y)
			text := ""
			if s, known := cell.Spread(v.metric); known && !cell.Impossible {
				text = show.MetricWords(v.metric, s.Value, v.exact())
			}
			out += "\t" + text
		}
		out += "\n"
	}
	return out
}
