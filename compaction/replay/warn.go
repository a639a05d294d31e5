package replay

import (
	"palimpsest/compaction"
	"palimpsest/model"
)

// warnings lists what a person should know about these parameters on this history:
// first about the parameters alone, then about what happened.
func (r *run) warnings() []compaction.Reason {
	_, out := r.prepared.Policy()
	// A plan that waits has only the warnings about the parameters.
	out = append(out, r.track.Plan(compaction.Options{Wait: 1}).Warnings...)
	say := func(yes bool, code string, n, m int64) {
		if yes {
			out = append(out, compaction.Reason{Code: code, N: n, M: m})
		}
	}
	t, window := &r.Totals, int64(r.policy.Window)
	fired := t.Firings+t.Truncations+t.Refused+t.BackedOff+t.Failed > 0
	say(len(r.policy.Triggers) == 0, "no-trigger", 0, 0)
	if at, only := tokenLimit(&r.policy); only && window > 0 && at > window {
		say(true, "unreachable", at, window)
	}
	say(!fired && t.Calls > 0 && len(r.policy.Triggers) > 0, "never-fires", int64(t.Calls), t.Largest)
	say(t.Thrash > 0, "thrash", int64(t.Thrash), int64(t.Firings))
	say(t.Refused > 0, "refused-calls", int64(t.Refused), int64(t.Calls))
	say(r.larger > 0, "summary-larger", int64(r.larger), 0)
	say(t.Failed > 0, "failed-calls", int64(t.Failed), 0)
	say(t.LeftOut > 0, "left-out", int64(t.LeftOut), int64(t.Truncations))
	say(t.Over > 0, "calls-over-window", int64(t.Over), window)
	return out
}

// tokenLimit is the lowest clause in tokens that is no share of the window, and
// whether all clauses are such.
func tokenLimit(p *model.Policy) (low int64, only bool) {
	for _, c := range p.Triggers {
		if c.Share > 0 || c.At.Unit != model.Tokens {
			return 0, false
		}
		if at := int64(c.At.N); low == 0 || at < low {
			low = at
		}
	}
	return low, len(p.Triggers) > 0
}
