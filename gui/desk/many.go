package desk

import (
	"context"
	"slices"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
)

// compacting is one compaction of each of several histories. They are opened one
// after another beside the window: first to see what would be done, then to do it.
//
//	Try → a row is ready or refused … → Do → its record … → one step of the undo
type compacting struct {
	subject
	many *Many
}

// Many is several histories that are to be compacted with the same parameters.
type Many struct {
	Rows   []ManyRow
	Policy model.Policy // context window, fixed part and pins are those of each history
	Phase  ManyPhase
	Step   *undo.Step // that takes all of it back; nil: nothing was done

	stopped bool // no other one is begun
}

// ManyPhase is how far it is.
type ManyPhase uint8

// The phases.
const (
	ManyTrying ManyPhase = iota
	ManyTried
	ManyDoing
	ManyDone
)

// ManyRow is one of the histories.
type ManyRow struct {
	Entry *Entry
	State ManyState
	Plan  *compaction.Plan // nil until it was looked into
	Rough bool             // its token numbers are estimates
	Made  *model.Record    // nil until it was compacted
	Err   error            // why it could not be
}

// ManyState is what is known of a row.
type ManyState uint8

// The states.
const (
	ManyWaits   ManyState = iota // it was not looked into yet
	ManyReady                    // it would be compacted
	ManyRefused                  // there is nothing to be done, Plan says why
	ManyFailed                   // Err says why
	ManyMade
)

// Many is what several histories are or were compacted with; nil: nothing yet.
func (d *compacting) Many() *Many { return d.many }

// Running reports whether records are being made.
func (m *Many) Running() bool { return m != nil && m.Phase == ManyDoing }

// Count is how many rows are in a state.
func (m *Many) Count(s ManyState) (n int) {
	for i := range m.Rows {
		if m.Rows[i].State == s {
			n++
		}
	}
	return n
}

// making reports whether records are being made, on which nothing may be undone.
func (d *Desk) making() bool { return d.job.Running() || d.many.Running() }

// TryMany looks what compacting histories with some parameters would come to. Nothing
// is stored. One that is being done goes on, and another can't be begun meanwhile.
func (d *compacting) TryMany(over []*Entry, p model.Policy) {
	if d.many.Running() {
		return
	}
	d.many = &Many{Policy: p}
	for _, e := range over {
		d.many.Rows = append(d.many.Rows, ManyRow{Entry: e})
	}
	d.try(d.many, 0)
}

func (d *compacting) try(m *Many, i int) {
	if i == len(m.Rows) {
		m.Phase = ManyTried
		d.Notify(TopicJob)
		return
	}
	open, row := openerOf(d.desk, m.Rows[i].Entry, d.desk.storing()), &m.Rows[i]
	type tried struct {
		plan  *compaction.Plan
		rough bool
	}
	sched.Run(d.Sched, "many", func(ctx context.Context, _ func(sched.Progress)) (t tried, err error) {
		s, shut, err := open(ctx)
		defer shut()
		if err != nil {
			return t, err
		}
		return tried{s.Plan(s.Adapt(m.Policy), compaction.Options{Manual: true}), s.Estimated()}, nil
	}, func(t tried, err error) {
		row.Plan, row.Rough, row.Err = t.plan, t.rough, err
		switch {
		case err != nil:
			row.State = ManyFailed
		case t.plan.Outcome == compaction.WouldApply:
			row.State = ManyReady
		default:
			row.State = ManyRefused
		}
		d.Notify(TopicJob)
		d.try(m, i+1)
	})
}

// DoMany compacts those histories that are ready, in the background.
func (d *compacting) DoMany() {
	if m := d.many; m != nil && m.Phase == ManyTried && !d.desk.making() {
		m.Phase = ManyDoing
		d.desk.Planning.Commit()
		d.make(m, 0)
	}
}

func (d *compacting) make(m *Many, i int) {
	d.Notify(TopicJob)
	for i < len(m.Rows) && m.Rows[i].State != ManyReady {
		i++
	}
	if i == len(m.Rows) || m.stopped {
		d.madeAll(m)
		return
	}
	open, row := openerOf(d.desk, m.Rows[i].Entry, d.desk.storing()), &m.Rows[i]
	sched.Run(d.Sched, "many", func(ctx context.Context, _ func(sched.Progress)) (*model.Record, error) {
		s, shut, err := open(ctx)
		defer shut()
		if err != nil {
			return nil, err
		}
		return s.Records.Compact(ctx, s.Adapt(m.Policy), compaction.Options{Manual: true}, func(session.Phase, int, int) {})
	}, func(rec *model.Record, err error) {
		row.State, row.Made, row.Err = ManyFailed, rec, err
		if err == nil && rec.Outcome == model.Applied {
			row.State = ManyMade
		}
		d.make(m, i+1)
	})
}

// StopMany ends looking into histories, or compacting them when the one under way is
// done.
func (d *compacting) StopMany() {
	switch m := d.many; {
	case m == nil:
	case m.Phase == ManyTrying:
		d.Sched.Cancel("many")
		m.Phase = ManyDone
	case m.Phase == ManyDoing:
		m.stopped = true
	}
}

// madeAll ends it: what was made is one step.
func (d *compacting) madeAll(m *Many) {
	m.Phase = ManyDone
	var ids []string
	for i := range m.Rows {
		if m.Rows[i].State == ManyMade {
			ids = append(ids, m.Rows[i].Made.ID)
		}
	}
	if len(ids) > 0 {
		list := slices.Clone(ids)
		slices.Reverse(list) // the newest is the first that is taken back
		m.Step = &undo.Step{Kind: undo.Many, Name: strings.Join(ids, ", "), Count: len(ids)}
		m.Step.Change.Back = list
		d.desk.Did(m.Step)
		d.desk.RecordList.RecordsMadeBeside()
	}
	d.Notify(TopicJob)
}
