package replay

import (
	"cmp"
	"math"
	"slices"
)

// Front lists the cells that no other beats, the Pareto front: no cell is at least
// as good in both metrics and better in one, where what is kept is better only beyond its
// spread ([Grid.Same]). Cells that are impossible, not done or without one of the metrics are
// left out. Of equal cells it lists the last, which has the greater values. Indices are
// ordered from best to worst in a.
//
// One of the metrics must say what is kept ([Metric.Kept]), and must say different
// things of different cells; by cost alone no cell is on the front, since
// the cheapest is always the one that forgets most.
func (g *Grid) Front(a, b Metric) []int {
	weighs := func(m Metric) bool {
		_, _, same := g.Same(m)
		return m.Kept() && !same
	}
	kept, cost := a, b
	if !weighs(a) {
		kept, cost = b, a
	}
	if !weighs(kept) {
		return nil
	}
	var points []int
	for i := range g.Cells {
		c := &g.Cells[i]
		_, okA := c.Spread(a)
		if _, okB := c.Spread(b); okA && okB && !c.Impossible {
			points = append(points, i)
		}
	}
	by := func(m Metric, i, j int) int { return m.compare(&g.Cells[i], &g.Cells[j]) }
	slices.SortFunc(points, func(i, j int) int { return cmp.Or(by(cost, i, j), by(kept, i, j), cmp.Compare(j, i)) })
	var front []int
	for _, i := range points {
		if n := len(front); n == 0 || by(kept, i, front[n-1]) < 0 && !kept.Alike(&g.Cells[i], &g.Cells[front[n-1]]) {
			front = append(front, i)
		}
	}
	if kept == a {
		slices.Reverse(front)
	}
	return front
}

// compare orders cells from best to worst.
func (m Metric) compare(a, b *Cell) int {
	x, _ := a.Spread(m)
	y, _ := b.Spread(m)
	if m.More() {
		x, y = y, x
	}
	return cmp.Compare(x.Value, y.Value)
}

// Same is the range of a metric's values, and reports whether several cells know it and are
// alike in it: what was needed again differs by chance, so shares within its spread count as one.
func (g *Grid) Same(m Metric) (low, high float64, same bool) {
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
	best, worst := slices.MinFunc(known, m.compare), slices.MaxFunc(known, m.compare)
	x, _ := best.Spread(m)
	y, _ := worst.Spread(m)
	return min(x.Value, y.Value), max(x.Value, y.Value), m.Alike(best, worst)
}

// Alike reports whether two cells are equal in a metric: of needs that were met or missed,
// within two standard deviations of chance.
func (m Metric) Alike(a, b *Cell) bool {
	if m.compare(a, b) == 0 || m != MetricRecall && m != MetricMisses {
		return m.compare(a, b) == 0
	}
	missed := func(c *Cell) (share, variance float64) {
		needs, missed := 0, 0
		for i := range c.Results {
			if r := &c.Results[i]; !r.Aside {
				needs, missed = needs+r.Of(), missed+r.Needs-r.Met
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
