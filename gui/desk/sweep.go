package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"palimpsest/gui/state"
	"palimpsest/gui/state/plan"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/store"
)

// MostSweepCells bounds a sweep of the window: more can't be looked at. The verb
// has no such bound.
const MostSweepCells = 2500

// Sweep is a sweep under way or the latest one.
type Sweep struct {
	Axes  replay.Axes
	Base  model.Policy // the parameters that the axes move
	Over  []*Entry
	Texts bool // the real summaries are made, offline
	Facts bool // what was needed later is counted

	Done, Total    int
	Started, Ended time.Time    // Ended is zero while it runs
	Grid           *replay.Grid // as far as it is done; nil before anything is
	Estimated      bool         // token numbers of some history are estimates
	NoFixed        bool         // the fixed part of some history is not in its file
	Err            error

	of     *session.Session // the history that Base belongs to
	was    []swept          // the histories as they were, beside Over
	cancel context.CancelFunc
	sofar  atomic.Pointer[underWay]
	looked int // replays that were done when it was last looked at
}

// swept is a history as it was when it was swept; the zero value is one that was not open.
type swept struct {
	s        *session.Session
	messages int
	tokens   int64
	policy   model.Policy
}

func sweptOf(s *session.Session) swept {
	w := swept{s: s}
	if s != nil {
		w.messages, w.policy = len(s.Thread().History), s.Policy()
		for _, m := range s.Thread().History {
			w.tokens += int64(s.Tokens(m))
		}
	}
	return w
}

// Outdated says what is not any more as it was when the latest sweep was begun: "history"
// (of a session that was open then, or how its tokens are counted), "pins", "settings"
// other than those of the axes; "" where all is.
func Outdated(d *Desk) string {
	w := d.Sweep()
	if w == nil {
		return ""
	}
	for i, e := range w.Over {
		was, s := w.was[i], e.Session
		if was.s == nil || s == nil {
			continue
		}
		if s != was.s {
			if now := sweptOf(s); now.messages != was.messages || now.tokens != was.tokens {
				return "history"
			}
		}
		p := s.Policy()
		if !slices.Equal(p.Pins, was.policy.Pins) {
			return "pins"
		}
		if was.s == w.of && !plan.Same(w.Axes.Set(p, 0), w.Axes.Set(w.Base, 0)) {
			return "settings"
		}
	}
	return ""
}

// underWay is a sweep whose histories are open.
type underWay struct {
	grid               func() *replay.Grid // as far as it is done
	estimated, noFixed bool
}

// leastNews is the share of all replays after which a sweep under way is looked at again:
// each look is drawn.
const leastNews = 40

// Made is how the summaries of the sweep were made.
func (w *Sweep) Made() figures.Texts {
	return figures.Texts{Made: w.Texts, StandIn: session.StandIn(w.Base.Strategy) != "", Estimated: w.Estimated, NoFixed: w.NoFixed}
}

// Running reports whether the sweep is under way.
func (w *Sweep) Running() bool { return w != nil && w.Ended.IsZero() }

// Sweep is the sweep under way or the latest one; nil: none yet.
func (d *study) Sweep() *Sweep { return d.sweep }

// RunSweep replays histories under every value of two or three axes, beginning with the parameters on the screen. One under way is stopped
// and thrown away. The context windows, fixed parts and pins of other histories
// are their own. Facts are looked for where that takes no indexing: without real
// texts only if all histories are indexed already, and then as if the summaries
// held nothing.
func (d *study) RunSweep(axes replay.Axes, over []*Entry, texts bool) {
	s := d.desk.Session()
	if s == nil || len(over) == 0 {
		return
	}
	d.StopSweep()
	stop, cancel := context.WithCancel(context.Background())
	w := &Sweep{Axes: axes, Base: d.desk.Planning.Params(), Over: slices.Clone(over), Texts: texts,
		Started: time.Now(), of: s, cancel: cancel}
	w.Total = (1 + axes.Cells()) * len(over)
	over = w.Over
	for _, e := range over {
		w.was = append(w.was, sweptOf(e.Session))
	}
	if w.Facts = texts; !texts {
		w.Facts = !slices.ContainsFunc(over, func(e *Entry) bool {
			return e.Session == nil || e.Session.Insight.KnownFacts() == nil
		})
	}
	read, facts, estimated, noFixed := reader(d.desk, over), w.Facts, false, false
	d.sweep = w
	d.Notify(TopicSweep)
	base := d.desk.Planning.Params()
	sched.Run(d.Sched, "sweep", func(ctx context.Context, progress func(sched.Progress)) (*replay.Grid, error) {
		ctx, done := context.WithCancel(ctx)
		defer done()
		defer context.AfterFunc(stop, done)()
		open, shut, err := read(ctx)
		defer shut()
		if err != nil {
			return nil, err
		}
		policies := make([]model.Policy, len(open))
		for i, o := range open {
			if policies[i] = base; o != s {
				policies[i] = o.Adapt(base)
			}
			estimated, noFixed = estimated || o.Estimated(), noFixed || policies[i].Fixed == 0
		}
		subjects, o := session.Subjects(open, policies, texts)
		o.Progress = func(done, total int) { progress(sched.Progress{Done: int64(done), Total: int64(total)}) }
		o.Watch = func(sofar func() *replay.Grid) { w.sofar.Store(&underWay{sofar, estimated, noFixed}) }
		if !facts {
			o.Judge = nil
		}
		return replay.Sweep(ctx, subjects, axes, o)
	}, func(g *replay.Grid, err error) {
		cancel()
		w.Grid, w.Ended, w.Estimated, w.NoFixed = g, time.Now(), estimated, noFixed
		w.sofar.Store(nil)
		if w.Err = err; err == nil {
			w.Done = w.Total
		}
		if errors.Is(err, context.Canceled) && g != nil {
			w.Err = nil // what was done before it was stopped counts
		} else if err != nil {
			d.Fail(err)
		}
		d.Notify(TopicSweep)
	})
}

// reader returns what opens histories of the list beside the window; those that are
// open in it are used as they are. shut closes what was opened.
func reader(d *Desk, over []*Entry) func(ctx context.Context) (open []*session.Session, shut func(), err error) {
	each := make([]opener, len(over))
	for i, e := range over {
		each[i] = openerOf(d, e, session.Options{Model: d.asks.Model, Factors: d.factors})
	}
	return func(ctx context.Context) (open []*session.Session, shut func(), err error) {
		var all []func()
		shut = func() {
			for _, f := range all {
				f()
			}
		}
		for _, o := range each {
			s, shutOne, err := o(ctx)
			all = append(all, shutOne)
			if err != nil {
				return nil, shut, err
			}
			open = append(open, s)
		}
		return open, shut, nil
	}
}

// opener opens one history beside the window; shut closes what was opened for it.
type opener func(ctx context.Context) (s *session.Session, shut func(), err error)

// openerOf returns what opens a history of the list, which is used as it is where it
// is open and counted.
func openerOf(d *Desk, e *Entry, opt session.Options) opener {
	s, from, reading, ref, st := e.Session, source{e.Path, e.data}, e.reading, e.Ref, d.core.Store
	resume := d.paramsLeft(pathKey(e.Path, e.Ref))
	return func(ctx context.Context) (*session.Session, func(), error) {
		if s != nil {
			return s, func() {}, nil
		}
		f, err := from.openRemembered(ctx, st, opt, reading)
		if err != nil {
			return nil, func() {}, err
		}
		s, err := f.Session(ctx, ref, nil)
		if err == nil {
			resume(s) // its pins are its own
		}
		return s, func() { _ = f.Close() }, err
	}
}

// StopSweep ends the sweep under way; what it has done by then is kept.
func (d *study) StopSweep() {
	if d.sweep.Running() {
		d.sweep.cancel()
	}
}

// Policy is the parameters of a cell.
func (w *Sweep) Policy(cell int) model.Policy { return w.Axes.Set(w.Base, cell) }

// Current is the cell whose parameters these are; −1: none.
func (w *Sweep) Current(p model.Policy) int {
	for cell := range w.Axes.Cells() {
		if plan.Same(w.Policy(cell), p) {
			return cell
		}
	}
	return -1
}

// From reports whether these are the parameters that the sweep began with.
func (w *Sweep) From(p model.Policy) bool { return plan.Same(w.Base, p) }

// LoadCell makes the parameters of a cell those on the screen; undoable. A
// history other than the one that was swept keeps its context window, fixed part
// and pins.
func (d *study) LoadCell(cell int) {
	s, w := d.desk.Session(), d.sweep
	if s == nil || w == nil || cell < 0 || cell >= w.Axes.Cells() {
		return
	}
	d.desk.Planning.Set(func(q *model.Policy) { *q = w.CellFor(s, cell) })
}

// CellFor is the parameters of a cell on a history, whose pins stay as they are.
func (w *Sweep) CellFor(s *session.Session, cell int) model.Policy {
	if s == w.of {
		p := w.Policy(cell)
		p.Pins = s.Policy().Pins
		return p
	}
	return w.Axes.Set(s.Adapt(w.Base), cell)
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
	state.Run(d.core, "cell needs", func(ctx context.Context) (*session.Needed, error) {
		_, n, err := s.Insight.Live(ctx, p, texts)
		return n, err
	}, func(n *session.Needed) {
		if n != nil {
			done(n)
		}
	})
}

// Sweepable lists the histories of the list that can be read, the one looked at first.
func (d *study) Sweepable() []*Entry {
	var out []*Entry
	for _, e := range d.desk.entries {
		switch {
		case e.State == Unavailable || e.State == Loading || e.State == Ready && e.Session == nil:
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
	sched.Run(d.Sched, "export", func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		return session.WriteFile(ctx, path, force, func(out io.Writer) error {
			if form == SweepCSV {
				return w.Grid.WriteCSV(out)
			}
			return state.WriteJSON(out, struct {
				Grid   *replay.Grid `json:"grid"`
				Texts  bool         `json:"texts"`
				Policy model.Policy `json:"policy"`
			}{w.Grid, w.Texts, w.Base})
		})
	}, done)
}

// CheckSweep says why axes can't be swept; nil when they can.
func CheckSweep(axes replay.Axes) error {
	if n := axes.Cells(); n > MostSweepCells {
		return fmt.Errorf("%d cells; at most %d can be looked at here", n, MostSweepCells)
	}
	return axes.Check()
}

// sweepProgress notes how far the sweep is.
func (d *study) sweepProgress(p sched.Progress) {
	w := d.sweep
	if !w.Running() {
		return
	}
	w.Done, w.Total = int(p.Done), int(p.Total)
	if now := w.sofar.Load(); now != nil && (w.Done-w.looked)*leastNews >= w.Total {
		w.looked, w.Grid, w.Estimated, w.NoFixed = w.Done, now.grid(), now.estimated, now.noFixed
	}
	d.Notify(TopicSweep)
}

// ReadAxis reads the values of an axis in a chosen unit as a person writes them:
// "60..92/9", "60–92", "8k, 12k, 20k".
func (d *study) ReadAxis(p replay.Param, u model.Unit, text string) (replay.Axis, error) {
	a, err := replay.ReadAxis(p, u, strings.NewReplacer("–", "..", "…", "..").Replace(text))
	if p == replay.AxisPreset && err == nil {
		return presetAxis(d.desk.Planning.Presets(), a.Names)
	}
	return a, err
}

// presetAxis is an axis of presets, of no names all that are built in or saved.
func presetAxis(own []store.Preset, names []string) (replay.Axis, error) {
	all := map[string]model.Policy{}
	var known []string
	add := func(name string, p model.Policy) {
		all[name] = p
		known = append(known, name)
	}
	for _, p := range compaction.Presets() {
		add(p.ID, p.Policy)
	}
	for _, p := range own {
		add(p.Name, p.Policy)
	}
	for _, l := range compaction.LookAlikes() {
		all[l.ID] = l.Policy
	}
	if len(names) == 0 {
		names = known
	}
	policies := make([]model.Policy, len(names))
	for i, name := range names {
		p, ok := all[name]
		if !ok {
			return replay.Axis{}, fmt.Errorf("there is no preset %q", name)
		}
		p.Preset = name
		policies[i] = p
	}
	return replay.PresetAxis(names, policies), nil
}

// AxisText writes the values of an axis so that ReadAxis reads them again.
func AxisText(a replay.Axis) string {
	if len(a.Names) > 0 {
		return strings.Join(a.Names, ",")
	}
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
	return replay.FirstAxes(context.Background(), d.desk.Session().History(), d.desk.Planning.Params())
}

// AxisAround is an axis with values that the history looked at reaches, around the
// one that is set.
func (d *study) AxisAround(param replay.Param, u model.Unit) replay.Axis {
	if param == replay.AxisPreset {
		a, _ := presetAxis(d.desk.Planning.Presets(), nil)
		return a
	}
	return replay.AxisAround(d.desk.Session().History(), param, u, d.desk.Planning.Params())
}
