package live

import (
	"context"
	"fmt"
	"sync"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
)

// rest is how long the model that writes summaries is left alone after a failure: every
// agent whose trigger fires would wait for it. The zero value asks.
type rest struct {
	mu    sync.Mutex
	until time.Time
	wait  time.Duration
}

// A rest is leastRest the first time, then twice as long as before.
const (
	leastRest = time.Minute
	mostRest  = 32 * time.Minute
)

// left is how long it goes on.
func (r *rest) left(now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(0, r.until.Sub(now))
}

// after takes over how asking ended, and returns how long the rest is that follows.
func (r *rest) after(err error, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.until, r.wait = time.Time{}, 0
	} else if !r.until.After(now) { // of several that failed at once one counts
		r.wait = min(max(2*r.wait, leastRest), mostRest)
		r.until = now.Add(r.wait)
	}
	return r.wait
}

// fits reports whether a request may go as it is.
func (d *decision) fits() bool { return compaction.Fits(&d.policy, int64(d.size.tokens)) }

// rests returns why no model is asked for a summary at this moment; nil: it is asked.
func (c *Compactor) rests() error {
	if left := c.rest.left(c.Now()); left > 0 {
		return fmt.Errorf("the model that writes summaries failed; it is asked again in %s", left.Round(time.Second))
	}
	return nil
}

// waits returns why a request goes as it is while the model that writes summaries rests:
// the policy keeps everything then, and it fits. "": it does not.
func (c *Compactor) waits(d *decision, manual bool) string {
	if why := c.rests(); why != nil && c.Policy.Strategy.Asks() && c.Policy.OnFailure == model.KeepEverything && d.fits() && !manual {
		return why.Error()
	}
	return ""
}

// draft makes what a compaction would put in the place of what goes. Where the model that
// is to write a summary fails, or rests after that, the policy decides; a request that does
// not fit its window, and one that a person wants compacted, get extracts in any case.
func (t *opened) draft(ctx context.Context, d *decision, manual bool) (*session.Draft, error) {
	p, o := t.p, compaction.Options{Manual: manual}
	if !p.Strategy.Asks() {
		return t.s.Draft(ctx, p, o, nil)
	}
	why := t.c.rests()
	if why == nil {
		asking := p
		asking.OnFailure = model.KeepEverything // so that a failure is seen here
		draft, err := t.s.Draft(ctx, asking, o, nil)
		if err == nil && draft.Plan.Outcome != compaction.WouldApply {
			return draft, nil // nobody was asked
		}
		wait := t.c.rest.after(err, t.c.Now())
		if err == nil {
			return draft, nil
		}
		t.c.Log.Warn("a summary could not be made; no model is asked for a while", "for", wait, "why", err)
		why = err
	}
	if p.OnFailure == model.KeepEverything && (manual || !d.fits()) {
		p.OnFailure = model.ExtractInstead
	}
	return t.s.Instead(ctx, p, o, why, nil)
}
