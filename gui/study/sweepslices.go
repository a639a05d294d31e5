package study

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/chart"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// sliceCurves show how a sweep's metric follows each of its two settings: solid
// through one cell, dotted on average over the other setting.
type sliceCurves struct {
	obj   *fyne.Container
	Plots [2]*chart.Timeline
	names [2]*kit.Text
}

func newSliceCurves() *sliceCurves {
	c := &sliceCurves{}
	var halves []fyne.CanvasObject
	for i := range c.Plots {
		c.Plots[i], c.names[i] = chart.NewTimeline(), kit.NewText("", kit.ColorMuted, 12).Fit()
		halves = append(halves, kit.Column(2, kit.Pad(0, 8, 0, 8, kit.Sized(0, 18, c.names[i])), kit.Stretch(c.Plots[i])))
	}
	c.obj = kit.Pad(6, 4, 4, 4, container.NewGridWithColumns(2, halves...))
	return c
}

// set draws the slices through a cell of a sweep.
func (c *sliceCurves) set(v *sweepView, cell int) {
	g := v.W.Grid
	nx := len(g.X.Values)
	x, y := cell%nx, cell/nx
	for i, a := range []struct {
		n, at int
		cell  func(k, other int) int
		of    int // values of the other setting
		ticks []string
		name  string
	}{
		{nx, x, func(k, other int) int { return other*nx + k }, len(g.Y.Values), tickWords(g.X),
			words.T("sweep.slice", "axis", axisWords(g.X), "at", valueWords(g.Y, g.Y.Values[y]))},
		{len(g.Y.Values), y, func(k, other int) int { return k*nx + other }, nx, tickWords(g.Y),
			words.T("sweep.slice", "axis", axisWords(g.Y), "at", valueWords(g.X, g.X.Values[x]))},
	} {
		through := y
		if i == 1 {
			through = x
		}
		line, mean := chart.Series{Color: kit.ColorAccent}, chart.Series{Color: kit.ColorMuted, Dotted: true}
		for k := range a.n {
			if value, ok := v.At(a.cell(k, through)); ok {
				line.Points = append(line.Points, chart.Point{X: float64(k), Y: value})
			}
			sum, n := 0.0, 0
			for other := range a.of {
				if value, ok := v.At(a.cell(k, other)); ok {
					sum, n = sum+value, n+1
				}
			}
			if n > 0 {
				mean.Points = append(mean.Points, chart.Point{X: float64(k), Y: sum / float64(n)})
			}
		}
		c.names[i].SetText(a.name)
		p := c.Plots[i]
		p.FormatX = func(at float64) string {
			if k := int(at); float64(k) == at && k >= 0 && k < len(a.ticks) {
				return a.ticks[k]
			}
			return ""
		}
		p.FormatY = show.MetricAxis(v.metric)
		p.Hover = func(at float64) []string {
			value, ok := chart.At(line.Points, at)
			k := int(at)
			if !ok || k < 0 || k >= len(a.ticks) {
				return nil
			}
			out := []string{a.ticks[k], show.MetricName(v.metric) + " " + show.MetricWords(v.metric, value, v.exact())}
			if average, ok := chart.At(mean.Points, at); ok {
				out = append(out, words.T("sweep.slice.mean", "value", show.MetricWords(v.metric, average, v.exact())))
			}
			return out
		}
		d := chart.Data{XMax: math.Max(1, float64(a.n-1))}
		if len(line.Points)+len(mean.Points) > 0 {
			d.Series = []chart.Series{line, mean}
		} else {
			d.Unknown = words.T("sweep.notDone")
		}
		p.Set(d)
		p.SetCursor(float64(a.at))
	}
}

// At is the metric of a cell; false where it is not known or can't be.
func (v *sweepView) At(cell int) (float64, bool) {
	c := &v.W.Grid.Cells[cell]
	s, known := c.Spread(v.metric)
	return s.Value, known && !c.Impossible
}
