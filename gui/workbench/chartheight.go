package workbench

import (
	"strings"

	"palimpsest/gui/chart"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// height keeps the curves and the levels readable. A level that all curves stay
// far below is left above the axis; where a history that was never compacted runs
// far beyond the window, the axis ends above the window and what the parameters
// make of that history. What lies higher is written in the head, but for what can be
// dragged: that has a tag in the chart. While a level is dragged the chart keeps
// its axis, and all levels stay.
func (p *chartPane) height(out *chart.Data, levels []chart.Level) {
	lived := p.peaks.lived
	peak := max(chart.MostOf(out.Base), lived, p.peaks.recorded, p.peaks.counted)
	var notes, above []string
	top, beyond := peak*1.25, false
	out.YMax = peak * 1.06
	for _, l := range levels {
		if !p.dragging && peak > 0 && peak < l.Value*FarBelow {
			beyond = true
			if l.Drag {
				if c, ok := show.TokenClause(p.d.Planning.Params()); ok && c.Share > 0 { // no line shows what the share comes to
					l.Label += " · " + words.TokensShort(int64(l.Value))
				}
				out.Levels = append(out.Levels, l)
			} else {
				above = append(above, l.Label)
			}
			continue
		}
		out.Levels = append(out.Levels, l)
		top, out.YMax = max(top, l.Value*1.06), max(out.YMax, l.Value*1.06)
	}
	most := max(float64(p.d.Planning.Params().Window), lived)
	switch {
	case beyond:
		out.YMax = top
	case lived > 0 && len(levels) > 0 && peak > most*farAbove:
		out.YMax = most * 1.15
		notes = append(notes, words.T("chart.goesOn", "tokens", words.Estimate(int64(peak))))
	}
	switch {
	case p.d.Planning.Params().Window == 0:
		notes = append(notes, words.T("chart.windowUnknown"))
	case len(above) > 0:
		notes = append(notes, words.T("chart.above", "levels", strings.Join(above, ", ")))
	}
	p.Above.SetText(strings.Join(notes, " · "))
}

// PeakOf is the highest value of a curve.
func PeakOf(curve []chart.Point) (most float64) {
	for _, q := range curve {
		most = max(most, q.Y)
	}
	return most
}

const (
	// FarBelow is the share of a level under which all curves must stay for it to
	// be left out.
	FarBelow = .3
	// farAbove is how many times as high as the window a curve must be until the
	// axis leaves its upper part out.
	farAbove = 2
)
