package desk

import (
	"context"
	"slices"
	"time"

	"palimpsest/compaction/session/doors"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/model"
	"palimpsest/model/store"
)

// running are the sessions of agents that run now: those that gateways and hooks
// report, and open files that grow; and the batches that programs with the same
// database work on.
type running struct {
	subject
	live    []model.LiveSession
	batches []model.BatchRun
	stop    func() // calls off the next look; nil: nobody looks
}

// look is what was found to run.
type look struct {
	live    []model.LiveSession
	batches []model.BatchRun
}

// How often is looked at what runs: seldom while nothing does.
const (
	lookOften  = time.Second
	lookSeldom = 5 * time.Second
)

// Live lists the sessions that run, the one that came first on top: a row stays where it is.
func (d *running) Live() []model.LiveSession { return d.live }

// LiveAt is the running session of a transcript.
func (d *running) LiveAt(path string) (model.LiveSession, bool) {
	i := slices.IndexFunc(d.live, func(s model.LiveSession) bool { return s.Path == path })
	if i < 0 {
		return model.LiveSession{}, false
	}
	return d.live[i], true
}

// WatchLive looks at what runs from now on.
func (d *running) WatchLive() {
	if d.stop == nil {
		d.stop = func() {}
		d.LookLive()
	}
}

// LookLive looks at what runs, once, in the background.
func (d *running) LookLive() {
	var grew []model.LiveSession
	for _, e := range d.desk.entries {
		if s := e.sessions[e.Ref]; s != nil && !e.grew.IsZero() {
			g := figures.Live(s, d.desk.Planning.Params())
			g.ID, g.Changed = e.Path, e.grew
			grew = append(grew, g)
		}
	}
	st := d.Store
	sched.Run(d.Sched, "live", func(ctx context.Context, _ func(sched.Progress)) (look, error) {
		now := time.Now()
		if st == nil {
			return look{live: model.Running(grew, now)}, nil
		}
		list, err := st.Live(ctx, now.Add(-model.LiveFor))
		if err != nil {
			return look{}, err
		}
		batches, err := st.Batches(ctx)
		batches = slices.DeleteFunc(batches, func(b model.BatchRun) bool { return !b.Shown(now) })
		return look{model.Running(append(list, grew...), now), batches}, err
	}, func(l look, err error) {
		if err == nil { // the database says itself that it can't be read
			d.takeLive(l.live)
			d.takeBatches(l.batches)
		}
		if d.stop != nil {
			after := lookSeldom
			if len(d.live) > 0 || slices.ContainsFunc(d.batches, func(b model.BatchRun) bool { return b.Works(time.Now()) }) {
				after = lookOften
			}
			d.stop = d.Sched.After(after, d.LookLive)
		}
	})
}

// takeLive shows what runs: rows that were there stay in their order.
func (d *running) takeLive(list []model.LiveSession) {
	place := func(s *model.LiveSession) int {
		if i := slices.IndexFunc(d.live, func(o model.LiveSession) bool { return o.Path == s.Path }); i >= 0 {
			return i
		}
		return len(d.live)
	}
	slices.SortStableFunc(list, func(a, b model.LiveSession) int { return place(&a) - place(&b) })
	same := slices.EqualFunc(d.live, list, func(a, b model.LiveSession) bool {
		return a.ID == b.ID && a.Changed.Equal(b.Changed) && a.Paused == b.Paused && a.Wish == b.Wish
	})
	d.live = list
	if !same {
		d.Notify(TopicFiles)
	}
}

// Steer changes what a gateway does with a session from its next call on; its agent is
// not interrupted.
func (d *running) Steer(s model.LiveSession, paused bool, wish model.LiveWish) {
	st := d.Store
	if st == nil || !s.Restorable() || wish != model.RestoreNext && !s.Steered() {
		return
	}
	state.Do(d.core, "steer:"+s.ID, func(ctx context.Context) error { return st.SetLive(ctx, s.ID, paused, wish) }, d.LookLive)
}

// Doors looks at what the program does beside agents, as the verb doctor does.
func Doors(d *Desk, why func(error) string, done func([]doors.Diagnosis)) {
	st, unopened := d.core.Store, d.openErr
	db := doors.Database{Path: d.StorePath(), Why: why, Sessions: func(ctx context.Context) ([]model.LiveSession, bool, error) {
		if st == nil {
			return nil, false, unopened
		}
		list, err := st.Live(ctx, time.Time{})
		return list, true, err
	}}
	state.Run(d.core, "doors", func(ctx context.Context) ([]doors.Diagnosis, error) { return doors.Find(ctx, db) }, done)
}

// Batches lists the batches that go on, have just ended or were left half done, the one
// that began last first.
func (d *running) Batches() []model.BatchRun { return d.batches }

// Batch is a run of that list.
func (d *running) Batch(id string) (model.BatchRun, bool) {
	i := slices.IndexFunc(d.batches, func(b model.BatchRun) bool { return b.ID == id })
	if i < 0 {
		return model.BatchRun{}, false
	}
	return d.batches[i], true
}

// takeBatches shows how far batches are, and the records that they have made meanwhile.
func (d *running) takeBatches(list []model.BatchRun) {
	now := time.Now()
	finished := func(list []model.BatchRun) (n int) {
		for i := range list {
			n += list[i].Finished()
		}
		return n
	}
	more := finished(list) > finished(d.batches)
	// One that nobody works on any more is not noted again: what shows it has to hear of it.
	same := slices.EqualFunc(d.batches, list, func(a, b model.BatchRun) bool {
		return a.ID == b.ID && a.Changed.Equal(b.Changed) && a.Stopping == b.Stopping && b.Works(now)
	})
	d.batches = list
	if !same {
		d.Notify(TopicFiles)
	}
	if more {
		d.desk.RecordList.LoadRecords()
	}
}

// StopBatch asks for the end of a batch: what has begun is done, nothing else is begun.
func (d *running) StopBatch(id string) { d.changeBatch(id, (*store.Store).StopBatch) }

// ForgetBatch takes a batch from the list; its records stay.
func (d *running) ForgetBatch(id string) { d.changeBatch(id, (*store.Store).ForgetBatch) }

func (d *running) changeBatch(id string, do func(st *store.Store, ctx context.Context, id string) error) {
	st := d.Store
	if st == nil {
		return
	}
	state.Do(d.core, "batch:"+id, func(ctx context.Context) error { return do(st, ctx, id) }, d.LookLive)
}
