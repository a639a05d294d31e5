package compaction

import (
	"context"

	"palimpsest/model"
)

// PlanToFit is [Planner.PlanToFit] on the line now, at which the list can't be
// sent as it is. It is overwritten by the next PlanToFit or DropToFit.
func (t *Track) PlanToFit(m Limits) *Plan {
	return t.fitting.PlanToFit(&t.line, t.prepared.policy, Options{}, m)
}

// DraftToFit is [Track.Draft] of PlanToFit under p, which is the track's policy,
// perhaps with another strategy.
func (t *Track) DraftToFit(ctx context.Context, p model.Policy, m Limits, sum Summariser) (*Draft, error) {
	p, o := t.fitting.toFit(&t.line, p, Options{}, m)
	return MakeDraft(ctx, &t.line, p, o, sum)
}

// DropToFit is [Planner.DropToFit] on the line now.
func (t *Track) DropToFit(m Limits) *Plan { return t.fitting.DropToFit(&t.line, t.prepared.policy, m) }

// LimitsOf are those of a policy on a list: its context window less its reserve,
// with room for as many messages as it waits for after an attempt that did not
// help.
func LimitsOf(p *model.Policy, l *Line) Limits {
	out := Limits{Tokens: max(0, int64(p.Window-p.Reserve))}
	if n := l.Len(); n > 0 {
		out.Growth = l.before(n) / int64(n) * int64(max(0, p.BackOff))
	}
	return out
}
