package replay

import (
	"context"
	"math"

	"palimpsest/compaction"
	"palimpsest/model"
)

// A list that can't be sent is handled as package auto does it for a running agent:
//
//	1. it is compacted, whether or not a clause fires, with a shorter tail if need be;
//	2. if no summary can be made, its oldest messages are left out;
//	3. if that does not help, the call is too large, and counted.
//
// Room is kept for the notice that the library puts in the place of what it leaves
// out; it is not in the list. Large tool results are not shortened.

// noticeTokens is the room for the notice.
const noticeTokens = 256

// hardLimit is what a request of a policy may hold of a history.
func hardLimit(h *compaction.History, p *model.Policy) int64 {
	n := int64(p.Window - p.Reserve)
	if p.Window <= 0 || n <= h.Fixed(p) { // whatever is left out
		return math.MaxInt64
	}
	return n
}

// attemptToFit lets the policy act before a call whose list can't be sent.
func (r *run) attemptToFit(ctx context.Context, i int) (State, int64, error) {
	at := r.track.Line().At()
	m := compaction.LimitsOf(&r.policy, r.track.Line())
	why, failed := compaction.Reason{Code: "back-off", N: int64(r.back.Left(at))}, error(nil)
	if !r.failing || r.back.Left(at) == 0 {
		d, err := r.draftToFit(ctx, m)
		if ctx.Err() != nil {
			return Failed, 0, ctx.Err()
		}
		r.back, r.failing = r.back.After(d, err, at, r.policy.BackOff), err != nil
		if err == nil && d.Plan.Outcome == compaction.WouldApply {
			f, read := r.fire(i, d.Plan, d.Text.Text)
			if f.AtLimit = true; d.Plan.Insert < 0 && f.Removed.Messages > 0 && r.policy.Strategy != model.Drop {
				r.countLeftOut(f) // what the policy does instead of a summary
				return Truncated, read, nil
			}
			r.countFiring(f)
			r.lastFired = i
			return Fired, read, nil
		}
		if failed = err; err == nil {
			why = d.Plan.Why
		}
	}
	m.Tokens = max(1, m.Tokens-noticeTokens)
	if pl := r.track.DropToFit(m); pl.Outcome == compaction.WouldApply {
		f, read := r.fire(i, pl, "")
		f.AtLimit = true
		r.countLeftOut(f)
		return Truncated, read, nil
	}
	if failed != nil {
		return r.fail(i, failed), r.sent, nil
	}
	return r.refuse(i, why), r.sent, nil
}

// countLeftOut counts a firing whose messages have no summary.
func (r *run) countLeftOut(f *Firing) {
	f.LeftOut = f.Removed.Messages
	r.countFiring(f)
}

// draftToFit is what the live system would apply to a list that can't be sent.
func (r *run) draftToFit(ctx context.Context, m compaction.Limits) (*compaction.Draft, error) {
	if r.o.Summarise == nil {
		return &compaction.Draft{Plan: r.track.PlanToFit(m)}, nil
	}
	return r.draftOr(ctx, func(p model.Policy) (*compaction.Draft, error) {
		return r.track.DraftToFit(ctx, p, m, r.summarise)
	})
}
