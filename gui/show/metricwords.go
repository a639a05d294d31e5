package show

import (
	"math"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/figure"
)

// ShownMetrics is the order in which metrics are on the screens. Those of
// facts are there only where they are known.
var ShownMetrics = []replay.Metric{
	replay.MetricRecall, replay.MetricMisses, replay.MetricSurvives, replay.MetricInput, replay.MetricCost,
	replay.MetricSaved, replay.MetricLargest, replay.MetricFirings,
	replay.MetricThrash, replay.MetricResent, replay.MetricWritten, replay.MetricAfter, replay.MetricOver,
}

func MetricName(m replay.Metric) string { return words.T("metric." + string(m)) }

// shareMetric reports whether a metric is a share, from 0 to 1.
func shareMetric(m replay.Metric) bool {
	return m == replay.MetricSaved || m == replay.MetricRecall || m == replay.MetricSurvives
}

// countMetric reports whether a metric counts something else than tokens.
func countMetric(m replay.Metric) bool {
	switch m {
	case replay.MetricFirings, replay.MetricThrash, replay.MetricOver, replay.MetricMisses:
		return true
	}
	return false
}

// MetricCell is a value of a metric as short as a cell of a table needs it.
func MetricCell(f figure.Figure) string {
	if f.Unit == figure.Share {
		return words.Decimal(math.Round(f.Value*100), 0)
	}
	return words.Figure(f)
}

// MetricSpread is the least and the most of a value in as few letters as it
// takes, tokens in one unit, for the second line of a cell: "~0.9–16M".
func MetricSpread(m replay.Metric, low, high float64, exact bool) string {
	if shareMetric(m) || countMetric(m) {
		short := func(v float64) string { return MetricCell(figures.OfMetric(m, v, true, figures.Texts{Made: true})) }
		return short(low) + "–" + short(high)
	}
	unit, name := 1.0, ""
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "K"}} {
		if high >= u.size {
			unit, name = u.size, u.name
			break
		}
	}
	part := func(v float64) string {
		if v /= unit; name != "" && v < 9.95 {
			return words.Decimal(v, 1)
		}
		return words.Decimal(v, 0)
	}
	text := part(low) + "–" + part(high) + name
	if !exact {
		text = "~" + text
	}
	return text
}

// MetricAxis is a value without a tilde, for the ticks of an axis; between
// the numbers of what is counted in whole ones there is nothing to name.
func MetricAxis(m replay.Metric) func(float64) string {
	return func(v float64) string {
		if countMetric(m) && (v < 0 || v != math.Trunc(v)) {
			return ""
		}
		if shareMetric(m) {
			if v > 1 {
				return "" // there is no such share
			}
			percent := strings.TrimSuffix(words.Decimal(100*v, 1), ".0")
			return words.Percents(percent + " %")
		}
		if countMetric(m) {
			return words.Figure(figures.OfMetric(m, v, true, figures.Texts{Made: true}))
		}
		return words.TokensShort(int64(math.Round(v)))
	}
}

// MetricInk is the colour of the difference of two values: better, worse, or neither.
func MetricInk(m replay.Metric, by float64) fyne.ThemeColorName {
	if shareMetric(m) {
		by = math.Round(by * 100)
	}
	switch {
	case by == 0:
		return kit.ColorMuted
	case by > 0 == m.More():
		return kit.ColorKept
	}
	return kit.ColorWarning
}
