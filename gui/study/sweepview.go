package study

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"palimpsest/compaction/replay"
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
	grid    *replay.Grid // as far as it was done when the view was made
	metric  replay.Metric
	against replay.Metric
	front   []int
	lo, hi  float64 // ends of the scale of colour
	some    bool    // one has
	equal   bool    // the cells are, within the spread of the metric
	stale   bool    // something that it was made of has changed
	before  bool    // and so are the present settings, or they are no cell
}

func newSweepView(w *desk.Sweep, metric, against replay.Metric) *sweepView {
	v := &sweepView{W: w, grid: w.Grid, metric: metric, against: against, lo: math.Inf(1), hi: math.Inf(-1)}
	v.front = v.grid.Front(metric, against)
	_, _, v.equal = v.grid.Same(metric)
	for i := range v.grid.Cells {
		if c := &v.grid.Cells[i]; !c.Impossible {
			if s, known := c.Spread(metric); known {
				v.lo, v.hi, v.some = math.Min(v.lo, s.Value), math.Max(v.hi, s.Value), true
			}
		}
	}
	if v.some {
		v.lo, v.hi = metric.Scale(v.lo, v.hi)
	}
	return v
}

// knownMetrics lists the metrics that some cell of a sweep knows, or may know when it is
// done.
func knownMetrics(w *desk.Sweep) []replay.Metric {
	var out []replay.Metric
	for _, m := range show.ShownMetrics {
		if !m.OfFacts() || w == nil || w.Facts && w.Running() || w.Grid != nil && w.Grid.Knows(m) {
			out = append(out, m)
		}
	}
	return out
}

// good is how good a value is among those of the grid: 0 the worst, 1 the best.
func (v *sweepView) good(x float64) float64 {
	if v.equal || v.hi == v.lo {
		return .5
	}
	share := (x - v.lo) / (v.hi - v.lo)
	if !v.metric.More() {
		share = 1 - share
	}
	return share
}

// heat is the grid as a heat map.
func (v *sweepView) heat(current int) chart.HeatData {
	g := v.grid
	d := chart.HeatData{Columns: tickWords(g.X), Rows: tickWords(g.Y), XName: axisWords(g.X), YName: axisName(g.Y.Param),
		Cells: make([]chart.HeatCell, len(g.Cells)), Current: current}
	if v.stale {
		d.Stale, d.Current = words.T("sweep.changed"), -1
	}
	for i := range d.Cells {
		d.Cells[i] = v.cell(&g.Cells[i])
	}
	return d
}

// now is the cell that has the figures of the present settings: their own, once it is
// done, else -1, which is that of the settings that the sweep began with.
func (v *sweepView) now(current int) int {
	if current >= 0 && v.grid.Cells[current].Done {
		return current
	}
	return -1
}

// At is the metric of a cell; false where it is not known or can't be.
func (v *sweepView) At(cell int) (float64, bool) {
	c := &v.grid.Cells[cell]
	s, known := c.Spread(v.metric)
	return s.Value, known && !c.Impossible
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
	out := chart.HeatCell{Shade: v.good(s.Value), Text: show.MetricCell(v.figure(v.metric, s.Value, true))}
	if t, _ := c.Spread(replay.MetricThrash); t.Value > 0 {
		out.Flag = true
	}
	switch {
	case s.Of > 1: // several sessions: how far they are apart
		out.Note = show.MetricSpread(v.metric, s.Low, s.High, !v.W.Estimated)
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
		c := &v.grid.Cells[i]
		x, okX := c.Spread(v.against)
		y, okY := c.Spread(v.metric)
		return chart.Dot{X: x.Value, Y: y.Value, ID: i}, okX && okY && !c.Impossible
	}
	for i := range v.grid.Cells {
		if p, ok := dot(i); ok {
			d.Dots = append(d.Dots, p)
		}
	}
	if v.stale {
		return d
	}
	for _, i := range v.front {
		p, _ := dot(i)
		d.Front = append(d.Front, p)
	}
	slices.SortStableFunc(d.Front, func(a, b chart.Dot) int { return cmp.Compare(a.X, b.X) })
	now := &v.grid.Now
	if current >= 0 {
		now = &v.grid.Cells[current]
	}
	if now.Done && !v.before {
		x, okX := now.Spread(v.against)
		y, okY := now.Spread(v.metric)
		if p := (chart.Dot{X: x.Value, Y: y.Value, ID: current}); okX && okY {
			d.Current = &p
			d.CurrentTag = words.T("sweep.currentAt", "y", v.Value(v.metric, p.Y), "x",
				v.Value(v.against, p.X))
		}
	}
	return d
}

// unranked is why no cell is called best, in a sentence; "" where some are.
func (v *sweepView) unranked() string {
	largest, never := v.grid.NeverFires()
	switch {
	case v.W.Running():
		return ""
	case never:
		return words.T("sweep.neverFires", "largest", v.Value(replay.MetricLargest, float64(largest)))
	case len(v.front) > 0:
		return ""
	case !v.metric.Kept() && !v.against.Kept():
		return words.T("sweep.costAlone")
	case !v.grid.Complete:
		return words.T("sweep.noDots")
	}
	kept := v.metric
	if !kept.Kept() {
		kept = v.against
	}
	low, x, same := v.grid.Same(kept)
	if f := v.figure(kept, x, same); low < x && f.Known() {
		return words.T("sweep.withinSpread", "metric", words.T("metric."+string(kept)), "low", v.Value(kept, low), "high", words.Figure(f))
	} else if f.Known() {
		return words.T("sweep.sameKept", "metric", words.T("metric."+string(kept)), "value", words.Figure(f))
	}
	return words.T("sweep.noneNeeded")
}

// nowUnbeaten reports whether the present settings, which are no cell, keep as much as each of
// the best cells for no more of the other metric.
func (v *sweepView) nowUnbeaten(current int) bool {
	d := v.scatter(v.now(current))
	if d.Current == nil || d.Current.ID >= 0 || len(d.Front) == 0 {
		return false
	}
	worse := func(a, b float64, more bool) bool { return a != b && (a < b) == more }
	return !slices.ContainsFunc(d.Front, func(x chart.Dot) bool {
		return worse(d.Current.X, x.X, v.against.More()) || worse(d.Current.Y, x.Y, v.metric.More())
	})
}

// doneCells is how many cells of a grid are done.
func doneCells(g *replay.Grid) (n int) {
	for i := range g.Cells {
		if g.Cells[i].Done {
			n++
		}
	}
	return n
}

// means says what a metric is, and what of it is a bound only: without real
// summaries nothing counts as standing in them.
func (v *sweepView) means(m replay.Metric) string {
	needs := 0
	for i := range v.grid.Now.Results {
		needs += v.grid.Now.Results[i].Of()
	}
	text := words.T("metric.means."+string(m), "n", words.Int(int64(needs)))
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
	return figures.OfMetric(m, x, known, v.W.Made())
}

// pair is the values of a cell: "80 %, 20K".
func (v *sweepView) pair(cell int) string { return strings.Join(v.values(cell), ", ") }

// values of a cell, by axis.
func (v *sweepView) values(cell int) (out []string) {
	for k, at := range v.W.Axes.Place(cell) {
		out = append(out, valueWords(v.W.Axes[k], at))
	}
	return out
}

// sentence is a cell in a line: its parameters and the figures that matter most.
func (v *sweepView) sentence(cell int) string {
	c := &v.grid.Cells[cell]
	parts := v.values(cell)
	for k, a := range v.W.Axes {
		parts[k] = axisName(a.Param) + " " + parts[k]
	}
	at := strings.Join(parts, ", ")
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

// table is the metric of every cell, parted by tabs.
func (v *sweepView) table() string {
	g, out := v.grid, ""
	for i := range g.Cells {
		c := &g.Cells[i]
		if c.X == 0 && c.Y == 0 {
			out += axisWords(g.Y) + " \\ " + axisWords(g.X) + "\t" + strings.Join(tickWords(g.X), "\t") + "\n"
		}
		if c.X == 0 {
			out += tickWords(g.Y)[c.Y]
		}
		text := ""
		if x, known := v.At(i); known {
			text = v.Value(v.metric, x)
		}
		if out += "\t" + text; c.X == len(g.X.Values)-1 {
			out += "\n"
		}
	}
	return out
}
