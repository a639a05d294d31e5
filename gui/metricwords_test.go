package gui

import (
	"testing"

	"palimpsest/compaction/replay"
	"palimpsest/gui/show"
)

func TestSpreadsAreShortAndInOneUnit(t *testing.T) {
	for _, c := range []struct {
		metric    replay.Metric
		low, high float64
		exact     bool
		want      string
	}{
		{replay.MetricInput, 918_675, 16_010_000, false, "~0.9–16M"},
		{replay.MetricInput, 2_400_000_000, 3_100_000_000, true, "2.4–3.1G"},
		{replay.MetricLargest, 412, 99_291, true, "0.4–99K"},
		{replay.MetricLargest, 12, 412, true, "12–412"},
		{replay.MetricRecall, .52, .91, true, "52–91"},
		{replay.MetricFirings, 0, 5, false, "0–5"},
	} {
		if got := show.MetricSpread(c.metric, c.low, c.high, c.exact); got != c.want {
			t.Errorf("%s %v to %v: %q, not %q", c.metric, c.low, c.high, got, c.want)
		}
	}
}
