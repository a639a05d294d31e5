package desk

import (
	"context"
	"errors"
	"maps"
	"slices"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/model/tokens"
	"palimpsest/model/transcript"
)

// Factors are those a person set for models whose vocabulary is not public.
func (d *fileList) Factors() tokens.Factors { return d.factors }

// SetFactors sets and keeps them. Open histories that are weighed otherwise by
// them are weighed again, with their parameters and records; no message is
// counted again.
func (d *fileList) SetFactors(x tokens.Factors) {
	d.useFactors(x)
	d.Keep(session.FactorsSetting, x)
}

// loadFactors reads them, and limits of models, from the database.
func (d *fileList) loadFactors() {
	st := d.Store
	type kept struct {
		factors tokens.Factors
		limits  map[string]int
	}
	state.Run(d.core, "loadFactors", func(ctx context.Context) (x kept, err error) {
		_, err = st.Setting(ctx, session.FactorsSetting, &x.factors)
		_, err2 := st.Setting(ctx, session.LimitsSetting, &x.limits)
		return x, errors.Join(err, err2)
	}, func(x kept) {
		d.limits = x.limits
		tokens.SetOwnLimits(x.limits)
		d.useFactors(x.factors)
	})
}

func (d *fileList) useFactors(x tokens.Factors) {
	d.factors = x
	for _, e := range d.entries {
		d.reweigh(e)
	}
}

// RememberLimit keeps the limit of a model, for files that are opened from now on.
func (d *fileList) RememberLimit(name string, limit int) {
	x := map[string]int{}
	maps.Copy(x, d.limits)
	x[name], d.limits = limit, x
	tokens.SetOwnLimits(x)
	d.Keep(session.LimitsSetting, x)
}

// reweigh opens the threads of an entry again with the present factors, as if its
// file had grown by nothing. While the file is being read on, it waits.
func (d *fileList) reweigh(e *Entry) {
	if e.State != Ready || e.looking || e.held != nil {
		return
	}
	from, x := e.File, d.factors
	var sessions []*session.Session
	changes := false
	for _, s := range e.sessions {
		sessions = append(sessions, s)
		changes = changes || s.AffectedBy(x)
	}
	if !changes {
		if !maps.Equal(from.Factors(), x) {
			e.File = from.WithFactors(x)
		}
		return
	}
	e.looking = true
	sched.Run(d.Sched, "factors:"+e.Path, func(ctx context.Context, _ func(sched.Progress)) (*grown, error) {
		return reweighed(ctx, from, x, sessions)
	}, func(g *grown, err error) {
		e.looking = false
		if e.File != from || !slices.Contains(d.entries, e) {
			return // it was closed or opened again meanwhile
		}
		if err != nil {
			d.Fail(err)
			return
		}
		g.follower = e.follower
		d.desk.takeGrown(e, g)
	})
}

func reweighed(ctx context.Context, from *session.File, x tokens.Factors, sessions []*session.Session) (*grown, error) {
	g := &grown{change: transcript.FileGrown, from: from, file: from.WithFactors(x), sessions: map[*session.Session]*session.Session{}}
	for _, s := range sessions {
		var err error
		if g.sessions[s], err = g.file.Continue(ctx, s); err != nil {
			return nil, err
		}
	}
	return g, nil
}
