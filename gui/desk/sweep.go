package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// MostSweepCells bounds a sweep of the window: more can't be looked at. The verb
// has no such bound.
const MostSweepCells = 2500

// Sweep is a sweep under way or the latest one.
type Sweep struct {
	X, Y  replay.Axis
	Base  model.Policy // the parameters that the axes move
	Over  []*Entry
	Texts bool // the real summaries are made, offline

	Done, Total    int
	Started, Ended time.Time    // Ended is zero while it runs
	Grid           *replay.Grid // once it ended; not complete if it was stopped
	Estimated      bool         // token numbers of some history are estimates
	Err            error

	of     *session.Session // the history that Base belongs to
	cancel context.CancelFunc
}

// Running reports whether the sweep is under way.
func (w *Sweep) Running() bool { return w != nil && w.Ended.IsZero() }

// Sweep is the sweep under way or the latest one; nil: none yet.
func (d *study) Sweep() *Sweep { return d.sweep }

// RunSweep replays the histories of the list that are open under every pair of
// values, beginning with the parameters on the screen. One under way is stopped
// and thrown away. The context windows, fixed parts and pins of other histories
// are their own. Facts are looked for where that takes no indexing: without real
// texts only if all histories are indexed already, and then as if the summaries
// held nothing.
func (d *study) RunSweep(x, y replay.Axis, over []*Entry, texts bool) {
	s := d.desk.Session()
	if s == nil || len(over) == 0 {
		return
	}
	d.StopSweep()
	stop, cancel := context.WithCancel(context.Background())
	w := &Sweep{X: x, Y: y, Base: d.desk.params, Over: slices.Clone(over), Texts: texts, Started: time.Now(), of: s, cancel: cancel}
	w.Total = len(x.Values) * len(y.Values) * len(over)
	open := make([]*session.Session, len(over))
	facts := true
	for i, e := range over {
		open[i] = e.Session
		facts = facts && (texts || e.Session.Insight.KnownFacts() != nil)
		w.Estimated = w.Estimated || e.Session.Estimated()
	}
	d.sweep = w
	d.notify(TopicSweep)
	base := d.desk.params
	sched.Run(d.sched, "sweep", func(ctx context.Context, progress func(sched.Progress)) (*replay.Grid, error) {
		ctx, done := context.WithCancel(ctx)
		defer done()
		defer context.AfterFunc(stop, done)()
		subjects := make([]replay.Subject, len(open))
		for i, o := range open {
			p := base
			if o != s {
				p = o.Adapt(base)
			}
			subjects[i] = o.Insight.Subject(p, texts)
		}
		o := replay.SweepOptions{Progress: func(done, total int) {
			progress(sched.Progress{Done: int64(done), Total: int64(total)})
		}}
		if facts {
			o.Judge = func(ctx context.Context, subject int, firings []replay.Firing) (replay.Judged, error) {
				return open[subject].Insight.Judge(ctx, firings)
			}
		}
		return replay.Sweep(ctx, subjects, x, y, o)
	}, func(g *replay.Grid, err error) {
		cancel()
		w.Grid, w.Ended = g, time.Now()
		if w.Err = err; err == nil {
			w.Done = w.Total
		}
		if errors.Is(err, context.Canceled) && g != nil {
			w.Err = nil // what was done before it was stopped counts
		} else if err != nil {
			d.desk.Fail(err)
		}
		d.notify(TopicSweep)
	})
}

// StopSweep ends the sweep under way; what it has done by then is kept.
func (d *study) StopSweep() {
	if d.sweep.Running() {
		d.sweep.cancel()
	}
}

// Policy is the parameters of a cell.
func (w *Sweep) Policy(cell int) model.Policy {
	n := len(w.X.Values)
	return w.Y.Set(w.X.Set(w.Base, w.X.Values[cell%n]), w.Y.Values[cell/n])
}

// Current is the cell whose parameters these are; −1: none, they differ from it in
// more than the two that were moved, or are between the cells.
func (w *Sweep) Current(p model.Policy) int {
	x, okX := w.X.At(p)
	y, okY := w.Y.At(p)
	i, j := slices.Index(w.X.Values, x), slices.Index(w.Y.Values, y)
	if !okX || !okY || i < 0 || j < 0 {
		return -1
	}
	cell := j*len(w.X.Values) + i
	if q := w.Policy(cell); !samePolicy(q, p) {
		return -1
	}
	return cell
}

func samePolicy(a, b model.Policy) bool {
	return a.Window == b.Window && a.Fixed == b.Fixed && slices.Equal(a.Pins, b.Pins) && sameValues(a, b)
}

// LoadCell makes the parameters of a cell those on the screen; undoable. A
// history other than the one that was swept keeps its context window, fixed part
// and pins.
func (d *study) LoadCell(cell int) {
	s, w := d.desk.Session(), d.sweep
	if s == nil || w == nil || cell < 0 || cell >= len(w.X.Values)*len(w.Y.Values) {
		return
	}
	p := w.CellFor(s, cell)
	d.desk.Set(func(q *model.Policy) { *q = p })
}

// CellFor is the parameters of a cell on a history.
func (w *Sweep) CellFor(s *session.Session, cell int) model.Policy {
	if s == w.of {
		return w.Policy(cell)
	}
	there := *w
	there.Base = s.Adapt(w.Base)
	return there.Policy(cell)
}

// CellNeeds works out what the agent of the history looked at needed later under
// a cell of the latest sweep, with summaries as that sweep had them, and hands it
// to done.
func (d *study) CellNeeds(cell int, done func(*session.Needed)) {
	s, w := d.desk.Session(), d.sweep
	if s == nil || w == nil || w.Grid == nil || cell < 0 || cell >= len(w.Grid.Cells) {
		return
	}
	p, texts := w.CellFor(s, cell), w.Texts
	sched.Run(d.sched, "cell needs", func(ctx context.Context, _ func(sched.Progress)) (*session.Needed, error) {
		return s.Insight.LiveNeeds(ctx, p, texts)
	}, func(n *session.Needed, err error) {
		switch {
		case err == nil && n != nil:
			done(n)
		case err != nil && !errors.Is(err, context.Canceled):
			d.desk.Fail(err)
		}
	})
}

// Sweepable lists the histories that are open, the one looked at first.
func (d *study) Sweepable() []*Entry {
	var out []*Entry
	for _, e := range d.desk.entries {
		switch {
		case e.State != Ready || e.Session == nil:
		case e == d.desk.current:
			out = slices.Insert(out, 0, e)
		default:
			out = append(out, e)
		}
	}
	return out
}

// SweepForm is how a sweep is written to a file.
type SweepForm uint8

// The forms.
const (
	SweepCSV  SweepForm = iota // a row for each cell with every metric
	SweepJSON                  // the grid with its axes, parameters and every result
)

// SaveSweep writes the latest sweep to a file, whole or not at all; force
// replaces an existing file. done gets the outcome.
func (d *study) SaveSweep(path string, form SweepForm, force bool, done func(*session.Written, error)) {
	w := d.sweep
	if w == nil || w.Grid == nil {
		return
	}
	sched.Run(d.sched, "export", func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		return session.WriteFile(ctx, path, force, func(out io.Writer) error {
			if form == SweepCSV {
				return w.Grid.WriteCSV(out)
			}
			return writeJSON(out, struct {
				Grid   *replay.Grid `json:"grid"`
				Texts  bool         `json:"texts"`
				Policy model.Policy `json:"policy"`
			}{w.Grid, w.Texts, w.Base})
		})
	}, done)
}

// CheckSweep says why two axes can't be swept; nil when they can.
func CheckSweep(x, y replay.Axis) error {
	if x.Param == y.Param {
		return fmt.Errorf("both axes are %s", x.Param)
	}
	if n := len(x.Values) * len(y.Values); n > MostSweepCells {
		return fmt.Errorf("%d cells; at most %d can be looked at here", n, MostSweepCells)
	}
	return nil
}

// sweepProgress notes how many cells of the sweep are done.
func (d *study) sweepProgress(p sched.Progress) {
	if d.sweep.Running() {
		d.sweep.Done, d.sweep.Total = int(p.Done), int(p.Total)
		d.notify(TopicSweep)
	}
}

// ReadAxis reads the values of an axis in a chosen unit as a person writes them:
// "60..92/9", "60–92", "8k, 12k, 20k".
func ReadAxis(p replay.Param, u model.Unit, text string) (replay.Axis, error) {
	return replay.ReadAxis(p, u, strings.NewReplacer("–", "..", "…", "..").Replace(text))
}

// AxisText writes the values of an axis so that ReadAxis reads them again.
func AxisText(a replay.Axis) string {
	v := a.Values
	if n := len(v); n > 3 {
		if even, err := replay.NewAxis(a.Param, a.Unit, v[0], v[n-1], n); err == nil && slices.Equal(even.Values, v) {
			return fmt.Sprintf("%s..%s/%d", axisValue(v[0]), axisValue(v[n-1]), n)
		}
	}
	parts := make([]string, len(v))
	for i := range v {
		parts[i] = axisValue(v[i])
	}
	return strings.Join(parts, ",")
}

// axisValue spells a number without losing any of it.
func axisValue(v float64) string {
	if v >= 1000 && v == float64(int64(v)/1000*1000) {
		return strconv.FormatInt(int64(v)/1000, 10) + "K"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// FirstAxes are the axes that a sweep of the history looked at begins with.
func (d *study) FirstAxes() (x, y replay.Axis) {
	return replay.FirstAxes(context.Background(), d.desk.Session().History(), d.desk.Params())
}

// AxisAround is an axis with values that the history looked at reaches, around the
// one that is set.
func (d *study) AxisAround(param replay.Param, u model.Unit) replay.Axis {
	return replay.AxisAround(d.desk.Session().History(), param, u, d.desk.Params())
}
