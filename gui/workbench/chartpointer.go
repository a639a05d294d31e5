package workbench

import (
	"math"
	"sort"

	"palimpsest/compaction/session"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// nearest is the message of the call that is nearest to an x: what is told at the
// pointer is of the message that a click selects.
func (p *chartPane) nearest(x float64) float64 {
	i := NearestCall(len(p.points), func(i int) float64 { return float64(p.points[i].History + 1) }, x)
	if i < 0 {
		return math.Round(x)
	}
	return float64(p.points[i].History + 1)
}

// NearestCall is the one of n ordered places that is nearest to an x, −1 of none.
func NearestCall(n int, at func(int) float64, x float64) int {
	i := sort.Search(n, func(i int) bool { return at(i) >= x })
	if i == n || i > 0 && x-at(i-1) < at(i)-x {
		i--
	}
	return i
}

// Hover puts the call at the pointer into words.
func (p *chartPane) Hover(x float64) []string {
	i := sort.Search(len(p.points), func(i int) bool { return float64(p.points[i].History+1) > x }) - 1
	if i < 0 {
		return nil
	}
	q := p.points[i]
	out := []string{words.T("chart.call", "n", q.History+1)}
	if q.Recorded > 0 {
		out = append(out, words.T("chart.hoverRecorded", "tokens", words.Tokens(q.Recorded)))
	}
	counted := show.TokenCount(p.d, q.Counted)
	if p.d.Params().Fixed == 0 {
		counted = words.T("number.atLeast", "value", counted)
	}
	out = append(out, words.T("chart.hoverCounted", "tokens", counted))
	out = append(out, driftWords(session.Drift(p.points[i:i+1]), "chart.hoverAbove", "chart.hoverBelow")...)
	out = append(out, p.hoverLived(q.History+1)...)
	if w := p.d.Params().Window; w > 0 {
		n := q.Recorded
		if n == 0 {
			n = q.Counted
		}
		return append(out, show.OfWindow(n, w))
	}
	return append(out, words.T("chart.windowUnknown"))
}
