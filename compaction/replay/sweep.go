package replay

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/tokens"

	"golang.org/x/sync/errgroup"
)

// Subject is one history of a sweep with the policy that the axes change.
type Subject struct {
	Name    string
	History *compaction.History
	Policy  model.Policy
	Rates   tokens.Rates // of its model; none: the usual ones
	// Summarise makes real texts; nil: summaries of the expected size. It is
	// called by several goroutines at once.
	Summarise Summariser
}

// SweepOptions of a sweep.
type SweepOptions struct {
	Workers int // at once; 0: one a core
	// Progress reports how many replays of how many are done. It is called from the
	// workers, one at a time, and should be quick.
	Progress func(done, total int)
	// Watch is called before the first replay with a function that returns the grid as
	// far as it is done. That may be called from any goroutine, at any time.
	Watch func(sofar func() *Grid)
	// Judge counts what became of a subject's facts over the firings, which have
	// their context; nil: facts are not counted.
	// It is called by several goroutines at once.
	Judge func(ctx context.Context, subject int, firings []Firing) (Judged, error)
}

// Cell is one value of each axis.
type Cell struct {
	X int `json:"x"` // index into the values
	Y int `json:"y"`
	// Done says that every subject of the grid was replayed; the results of a cell that
	// is not done mean nothing.
	Done bool `json:"done"`
	// Impossible says that it is for so many subjects that too few would be left to count.
	Impossible bool     `json:"impossible"`
	Results    []Result `json:"results"` // by subject
}

// Spread of a metric over the subjects; false where no one knows it, or the
// cell is not done.
func (c *Cell) Spread(m Metric) (Spread, bool) {
	if !c.Done {
		return Spread{}, false
	}
	return spread(c.Results, m)
}

// Grid is the result of a sweep.
type Grid struct {
	X        Axis     `json:"x"`
	Y        Axis     `json:"y"`
	Subjects []string `json:"subjects"`
	Cells    []Cell   `json:"cells"`    // row by row: X changes quickest
	Complete bool     `json:"complete"` // false: some cells are not done, or more subjects were to come
	// Now is the subjects' own policies, which need not be in the grid.
	Now Cell `json:"now"`
}

// Axes are those of the grid.
func (g *Grid) Axes() Axes { return Axes{g.X, g.Y} }

// Cell at indices into the values.
func (g *Grid) Cell(x, y int) *Cell { return &g.Cells[y*len(g.X.Values)+x] }

// Sweep replays every subject under its own policy and with every value of two axes. When the
// context ends it returns the cells done so far beside the error.
func Sweep(ctx context.Context, subjects []Subject, axes Axes, o SweepOptions) (*Grid, error) {
	if len(subjects) == 0 {
		return nil, errors.New("a sweep of no history")
	}
	if err := axes.Check(); err != nil {
		return nil, err
	}
	setting := func(subject, k int) model.Policy { // the present one, then the cells
		p := subjects[subject].Policy
		if k == 0 {
			return p
		}
		return axes.Set(p, k-1)
	}
	sw := newSweep(subjects, 1+axes.Cells(), setting, o)
	if o.Watch != nil {
		o.Watch(func() *Grid { return sw.grid(axes) })
	}
	err := sw.run(ctx)
	return sw.grid(axes), err
}

// sweep is the state that the workers share. Each result has one writer, which marks it
// as ready when it is written.
type sweep struct {
	results  [][]Result // by setting and subject
	ready    [][]atomic.Bool
	setting  func(subject, k int) model.Policy
	subjects []Subject
	o        SweepOptions
	next     atomic.Int64

	progress sync.Mutex
	done     int
}

// newSweep prepares replays of every subject under a number of settings, of which setting
// returns the policies.
func newSweep(subjects []Subject, settings int, setting func(subject, k int) model.Policy, o SweepOptions) *sweep {
	sw := &sweep{results: make([][]Result, settings), ready: make([][]atomic.Bool, settings), setting: setting, subjects: subjects, o: o}
	for k := range settings {
		sw.results[k], sw.ready[k] = make([]Result, len(subjects)), make([]atomic.Bool, len(subjects))
	}
	return sw
}

// run makes the replays.
func (s *sweep) run(ctx context.Context) error {
	workers := s.o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	group, gctx := errgroup.WithContext(ctx)
	for range min(workers, len(s.results)*len(s.subjects)) {
		group.Go(func() error { return s.work(gctx) })
	}
	return group.Wait()
}

// cells are the settings over the first subjects, as many as all settings are done of;
// before the first one is through, over that alone.
func (s *sweep) cells() []Cell {
	through := 0
	for through < len(s.subjects) && !slices.ContainsFunc(s.ready, func(r []atomic.Bool) bool { return !r[through].Load() }) {
		through++
	}
	n := max(1, through)
	out := make([]Cell, len(s.results))
	for k := range out {
		c := &out[k]
		if c.Done = through > 0 || s.ready[k][0].Load(); c.Done {
			c.Results = slices.Clone(s.results[k][:n])
		} else {
			c.Results = make([]Result, n)
		}
	}
	setAside(out)
	sameNeeds(out)
	return out
}

// sameNeeds has the recall of all cells be of the same needs, the most of any.
func sameNeeds(cells []Cell) {
	for i := range cells[0].Results {
		most := 0
		for _, c := range cells {
			if !c.Impossible {
				most = max(most, c.Results[i].Needs)
			}
		}
		for _, c := range cells {
			c.Results[i].Most = most
		}
	}
}

// setAside has the few subjects count in no cell for which some cell is impossible, so
// that all cells are of the same ones. Where too few would be left, half of them, the cell
// is impossible instead.
func setAside(cells []Cell) {
	none := make([][]int, len(cells)) // subjects for which it is impossible
	order := make([]int, len(cells))
	for k, c := range cells {
		order[k] = k
		for i := range c.Results {
			if c.Results[i].Impossible {
				none[k] = append(none[k], i)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(none[a]) - len(none[b]) })
	aside := map[int]bool{}
	for _, k := range order {
		with := maps.Clone(aside)
		for _, i := range none[k] {
			with[i] = true
		}
		if cells[k].Impossible = len(none[k]) > 0 && 2*len(with) >= len(cells[k].Results); !cells[k].Impossible {
			aside = with
		}
	}
	for k := range cells {
		if len(aside) > 0 {
			cells[k].Results = slices.Clone(cells[k].Results)
		}
		for i := range aside {
			cells[k].Results[i].Aside = true
		}
	}
}

// Aside lists the subjects that count in no cell.
func (g *Grid) Aside() (list []int) {
	for i := range g.Now.Results {
		if g.Now.Results[i].Aside {
			list = append(list, i)
		}
	}
	return list
}

// grid is what is done by now; complete if that is all.
func (s *sweep) grid(axes Axes) *Grid {
	cells := s.cells()
	g := &Grid{X: axes[0], Y: axes[1], Now: cells[0], Cells: cells[1:]}
	n := len(g.Now.Results)
	for i := range n {
		g.Subjects = append(g.Subjects, s.subjects[i].Name)
	}
	g.Complete = g.Now.Done && n == len(s.subjects)
	for i := range g.Cells {
		c, at := &g.Cells[i], axes.Place(i)
		c.X, c.Y = at[0], at[1]
		g.Complete = g.Complete && c.Done
	}
	return g
}

// work takes replays until none is left.
func (s *sweep) work(ctx context.Context) error {
	total := len(s.results) * len(s.subjects)
	for {
		k := int(s.next.Add(1)) - 1
		if k >= total {
			return nil
		}
		if err := s.replay(ctx, k/len(s.results), k%len(s.results)); err != nil {
			return err
		}
		s.report(total)
	}
}

// replay makes one replay and marks its result as ready.
func (s *sweep) replay(ctx context.Context, subject, cell int) error {
	sub, res := &s.subjects[subject], &s.results[cell][subject]
	tl, err := Run(ctx, sub.History, s.setting(subject, cell), Options{Summarise: sub.Summarise, Context: s.o.Judge != nil})
	if err != nil {
		return err
	}
	res.Totals, res.Cost = tl.Totals, tl.Totals.CostAt(sub.Rates)
	res.Impossible = slices.ContainsFunc(tl.Warnings, func(w compaction.Reason) bool {
		return w.Code == "trigger-above-reserve" || w.Code == "fixed-above-trigger"
	})
	if s.o.Judge != nil {
		res.Facts = true
		if res.Judged, err = s.o.Judge(ctx, subject, tl.Firings); err != nil {
			return err
		}
	}
	s.ready[cell][subject].Store(true)
	return nil
}

func (s *sweep) report(total int) {
	if s.o.Progress == nil {
		return
	}
	s.progress.Lock()
	defer s.progress.Unlock()
	s.done++
	s.o.Progress(s.done, total)
}
