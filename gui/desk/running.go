package desk

import (
	"context"
	"slices"
	"time"

	"palimpsest/compaction/session/figures"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// running are the sessions of agents that run now: those that gateways and hooks
// report, and open files that grow.
type running struct {
	subject
	live []model.LiveSession
	stop func() // calls off the next look; nil: nobody looks
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
			g := figures.Live(s, d.desk.Params())
			g.ID, g.Changed = e.Path, e.grew
			grew = append(grew, g)
		}
	}
	st := d.store
	sched.Run(d.sched, "live", func(ctx context.Context, _ func(sched.Progress)) ([]model.LiveSession, error) {
		now := time.Now()
		if st == nil {
			return model.Running(grew, now), nil
		}
		list, err := st.Live(ctx, now.Add(-model.LiveFor))
		return model.Running(append(list, grew...), now), err
	}, func(list []model.LiveSession, err error) {
		if err == nil { // the database says itself that it can't be read
			d.takeLive(list)
		}
		if d.stop != nil {
			after := lookSeldom
			if len(d.live) > 0 {
				after = lookOften
			}
			d.stop = d.sched.After(after, d.LookLive)
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
		d.notify(TopicFiles)
	}
}

// Steer changes what a gateway does with a session from its next call on; its agent is
// not interrupted.
func (d *running) Steer(s model.LiveSession, paused bool, wish model.LiveWish) {
	st := d.store
	if st == nil || !s.Steered() {
		return
	}
	sched.Do(d.sched, "steer:"+s.ID, func(ctx context.Context, _ func(sched.Progress)) error {
		return st.SetLive(ctx, s.ID, paused, wish)
	}, func(err error) {
		if err != nil {
			d.desk.Fail(err)
		}
		d.LookLive()
	})
}
