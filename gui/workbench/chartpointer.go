package workbench

import (
	"math"
	"sort"
)

// nearest is the message of the call that is nearest to an x: what is shown at the
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
