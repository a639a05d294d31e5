package workbench

import (
	"palimpsest/compaction/replay"
	"palimpsest/gui/chart"
	"palimpsest/gui/kit"
)

// LivedCurve is what every call would have sent under the parameters. At a
// firing it falls at once, from what the call before it sent: what fired was never
// sent, and is a dot (see livedMarks).
func LivedCurve(tl *replay.Timeline) []chart.Point {
	if tl == nil {
		return nil
	}
	out := make([]chart.Point, 0, len(tl.Calls)+2*len(tl.Firings))
	firings := tl.Firings
	for i := range tl.Calls {
		c := &tl.Calls[i]
		if len(firings) > 0 && firings[0].Call == i {
			f := &firings[0]
			firings = firings[1:]
			x := float64(f.At)
			if n := len(out); n > 0 {
				out = append(out, chart.Point{X: x, Y: out[n-1].Y})
			}
			out = append(out, chart.Point{X: x, Y: float64(f.After.Tokens)})
		}
		out = append(out, chart.Point{X: float64(c.At + 1), Y: float64(c.Tokens)})
	}
	return out
}

// livedMarks are the places at which it would have compacted.
func livedMarks(tl *replay.Timeline) (out []chart.Mark) {
	if tl == nil {
		return nil
	}
	for i := range tl.Firings {
		out = append(out, chart.Mark{X: float64(tl.Firings[i].At), Simulated: true, Color: kit.ColorSummarised,
			Value: float64(tl.Firings[i].Before.Tokens)})
	}
	return out
}
