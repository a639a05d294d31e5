package replay

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Front lists the cells that no other beats, the Pareto front: no cell is at least
// as good in both metrics and better in one. Cells that are impossible, not done or
// without one of the metrics are left out. Of equal cells it lists the last, which
// has the greater values. Indices are ordered from best to worst in a.
//
// One of the metrics must say what is kept ([Metric.Kept]), and must say different
// things of different cells ([Grid.Same]); by cost alone no cell is on the front, since
// the cheapest is always the one that forgets most.
func (g *Grid) Front(a, b Metric) []int {
	weighs := func(m Metric) bool {
		_, _, same := g.Same(m)
		return m.Kept() && !same
	}
	if !weighs(a) && !weighs(b) {
		return nil
	}
	type point struct {
		cell int
		a, b float64
	}
	good := func(m Metric, v float64) float64 {
		if m.More() {
			return v
		}
		return -v
	}
	var points []point
	for i := range g.Cells {
		c := &g.Cells[i]
		va, okA := c.Spread(a)
		vb, okB := c.Spread(b)
		if okA && okB && !c.Impossible {
			points = append(points, point{i, good(a, va.Value), good(b, vb.Value)})
		}
	}
	sort.SliceStable(points, func(i, j int) bool {
		if points[i].a != points[j].a {
			return points[i].a > points[j].a
		}
		if points[i].b != points[j].b {
			return points[i].b > points[j].b
		}
		return points[i].cell > points[j].cell
	})
	var front []int
	top := math.Inf(-1) // best b so far
	for _, p := range points {
		if p.b > top {
			front = append(front, p.cell)
		}
		top = max(top, p.b)
	}
	return front
}

// Same is the range of a metric's values, and reports whether several cells know it and are
// alike in it: what was needed again differs by chance, so shares within its spread count as one.
func (g *Grid) Same(m Metric) (low, high float64, same bool) {
	value := func(c *Cell) float64 { v, _ := c.Spread(m); return v.Value }
	var known []*Cell
	for i := range g.Cells {
		c := &g.Cells[i]
		if _, ok := c.Spread(m); ok && !c.Impossible {
			known = append(known, c)
		}
	}
	if len(known) < 2 {
		return 0, 0, false
	}
	by := func(a, b *Cell) int { return cmp.Compare(value(a), value(b)) }
	least, most := slices.MinFunc(known, by), slices.MaxFunc(known, by)
	low, high = value(least), value(most)
	return low, high, low == high || m == MetricRecall && withinSpread(least, most)
}

// withinSpread reports whether two cells miss shares of needs that are at most two standard
// deviations of chance apart.
func withinSpread(a, b *Cell) bool {
	missed := func(c *Cell) (share, variance float64) {
		needs, missed := 0, 0
		for i := range c.Results {
			if r := &c.Results[i]; !r.Aside {
				needs, missed = needs+r.Needs, missed+r.Needs-r.Met
			}
		}
		share = float64(missed) / float64(max(1, needs))
		return share, share / float64(max(1, needs))
	}
	x, dx := missed(a)
	y, dy := missed(b)
	return math.Abs(x-y) <= 2*math.Sqrt(dx+dy)
}

// Knows reports whether some cell knows a metric.
func (g *Grid) Knows(m Metric) bool {
	return slices.ContainsFunc(g.Cells, func(c Cell) bool { _, ok := c.Spread(m); return ok })
}

// NeverFires reports whether no setting of the grid compacts anything in any
// subject, and the largest call of all; false while cells are not done.
func (g *Grid) NeverFires() (largest int64, never bool) {
	for i := range g.Cells {
		c := &g.Cells[i]
		if !c.Done {
			return 0, false
		}
		for k := range c.Results {
			if c.Results[k].Firings > 0 {
				return 0, false
			}
			largest = max(largest, c.Results[k].Largest)
		}
	}
	return largest, len(g.Cells) > 0
}

// Share says how much of a metric's variance over a grid each setting explains.
type Share struct {
	X    float64 `json:"x"`    // 0–1
	Y    float64 `json:"y"`    // 0–1
	Both float64 `json:"both"` // what neither explains alone, 0–1
}

// Of lists the shares by axis.
func (s Share) Of() [2]float64 { return [2]float64{s.X, s.Y} }

// Matters says which setting matters for a metric: the sum of squares between
// the means of its values over the sum of squares of all cells,
//
//	X = m·Σᵢ (x̄ᵢ − v̄)² ÷ Σ (v − v̄)²
//
// with m cells for each value of X, likewise Y, and Both = 1 − X − Y: the
// analysis of variance without replication, in which they are the first-order Sobol
// indices over the grid. It needs every cell: it returns false for a grid that was
// stopped or has settings that are not possible, for a metric that is not known
// everywhere, and for one that is the same in all cells.
func (g *Grid) Matters(m Metric) (Share, bool) {
	axes, n := g.Axes(), float64(len(g.Cells))
	var means [2][]float64
	for i, a := range axes {
		means[i] = make([]float64, len(a.Values))
	}
	values := make([]float64, len(g.Cells))
	mean := 0.0
	for i := range g.Cells {
		v, known := g.Cells[i].Spread(m)
		if !known || g.Cells[i].Impossible {
			return Share{}, false
		}
		values[i] = v.Value
		mean += v.Value / n
		for k, at := range axes.Place(i) {
			means[k][at] += v.Value * float64(len(means[k])) / n
		}
	}
	total := squares(values, mean)
	if total <= 1e-18*mean*mean*n { // all the same but for rounding
		return Share{}, false
	}
	var of [2]float64
	for i := range axes {
		of[i] = n / float64(len(means[i])) * squares(means[i], mean) / total
	}
	return Share{of[0], of[1], max(0, 1-of[0]-of[1])}, true
}

func squares(values []float64, mean float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return sum
}
