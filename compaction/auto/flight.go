package auto

import (
	"context"
	"errors"
	"slices"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// flight is one compaction under way. There is at most one.
type flight struct {
	done   chan struct{}
	cancel context.CancelFunc
	manual bool
	result Result // once done is closed
}

// job is what a flight works on: a snapshot, so that the agent may go on.
type job struct {
	*flight
	decision Decision
	cfg      Config
	before   Usage
	version  int
	taken    []held // in the order of the list
	turns    int    // of the history, over before what is taken
	lang     summarize.Lang
}

// BeforeCall gives the list to send. If the configuration asks for it, the
// list is compacted first; whatever happens in that, the call can be made,
// unless Refused says that the list does not fit. When ctx ends the list is
// given as it is then.
func (a *Compactor) BeforeCall(ctx context.Context) Result {
	r := a.automatic(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.holdLimits(&r)
	a.sent = a.listNow()
	r.Messages = messagesOf(a.mem.runtime)
	r.NewCount, r.After = len(r.Messages), a.usage()
	r.OK = r.Err == nil
	a.besides(ctx)
	return r
}

// automatic compacts if it is time to, or waits for somebody who does.
func (a *Compactor) automatic(ctx context.Context) Result {
	a.mu.Lock()
	d := a.decide(false, 0)
	r := Result{Decision: d, OriginalCount: len(a.mem.runtime), Before: d.Usage}
	if !d.Acts {
		a.mu.Unlock()
		return r
	}
	if f := a.flight; f != nil {
		a.mu.Unlock()
		return joined(ctx, f, r)
	}
	ctx, j := a.begin(ctx, d, false)
	a.mu.Unlock()
	return a.fly(ctx, j)
}

// joined waits for another goroutine's compaction.
func joined(ctx context.Context, f *flight, r Result) Result {
	select {
	case <-f.done:
		r = f.result
	case <-ctx.Done():
		r.Err = ErrCancelled
	}
	r.Joined = true
	return r
}

// CompactNow compacts by hand (spec D21, D26): without asking the triggers and
// without waiting after misses, everything before the recent messages at once.
// An automatic compaction under way is called off for it.
func (a *Compactor) CompactNow(ctx context.Context) Result {
	var r Result
	a.mu.Lock()
	for a.flight != nil {
		f := a.flight
		a.mu.Unlock()
		if f.manual {
			return a.seen(joined(ctx, f, Result{}))
		}
		f.cancel()
		select {
		case <-f.done:
		case <-ctx.Done():
			return a.seen(Result{Err: ErrCancelled})
		}
		a.mu.Lock()
	}
	d := a.decide(true, 0)
	r = Result{Decision: d, OriginalCount: len(a.mem.runtime), Before: d.Usage}
	switch {
	case !d.Acts:
		r.Err = ErrNothing
	case !a.active() && (a.cfg.OnFailure == model.KeepEverything || a.cfg.OnFailure == model.TruncateAtHard):
		r.Err = ErrInactive
	}
	if r.Err != nil {
		a.mu.Unlock()
		return a.seen(r)
	}
	ctx, j := a.begin(ctx, d, true)
	a.mu.Unlock()
	return a.seen(a.fly(ctx, j))
}

// seen completes a result with the list as it is now.
func (a *Compactor) seen(r Result) Result {
	a.mu.Lock()
	defer a.mu.Unlock()
	r.Messages = messagesOf(a.mem.runtime)
	r.NewCount, r.After, r.OK = len(r.Messages), a.usage(), r.Err == nil
	return r
}

// besides starts a compaction that no call waits for, when usage is between the
// lower mark and the trigger (spec K14).
func (a *Compactor) besides(ctx context.Context) {
	if a.cfg.BackgroundMargin <= 0 || a.flight != nil {
		return
	}
	d := a.decide(false, a.cfg.BackgroundMargin)
	if !d.Acts || !d.ByShare || d.plain {
		return
	}
	ctx, j := a.begin(context.WithoutCancel(ctx), d, false)
	go a.fly(ctx, j)
}

// begin takes the snapshot of a compaction.
func (a *Compactor) begin(ctx context.Context, d Decision, manual bool) (context.Context, *job) {
	ctx, cancel := context.WithCancel(ctx)
	f := &flight{done: make(chan struct{}), cancel: cancel, manual: manual}
	a.flight = f
	a.metrics.Triggers++
	a.logTriggered(d)
	taken := slices.Clone(a.mem.runtime[d.take.From:d.take.To])
	return ctx, &job{
		flight: f, decision: d, cfg: a.cfg, before: d.Usage, version: a.mem.version,
		taken: taken, turns: a.mem.turnsBefore(taken),
	}
}

// fly makes the summary and applies it. Whatever happens in it, the flight
// ends.
func (a *Compactor) fly(ctx context.Context, j *job) (r Result) {
	r = Result{Decision: j.decision, OriginalCount: j.before.Messages, Before: j.before}
	defer j.cancel()
	defer func() {
		if v := recover(); v != nil {
			r.Summary, r.Err = "", &panicError{v}
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		defer func() {
			if v := recover(); v != nil { // a count that was handed in
				r.Err = &panicError{v}
			}
			a.flight = nil
			j.result = r
			close(j.done)
		}()
		a.land(ctx, j, &r)
	}()
	r.Summary, r.Err = a.text(ctx, j, &r)
	return r
}

// text makes the summary: by the model, or without it when that failed and the
// configuration says what else stands in.
func (a *Compactor) text(ctx context.Context, j *job, r *Result) (string, error) {
	list := entries(j.taken, a.redact)
	if j.lang = j.cfg.languageOf(list); j.cfg.CountCompat.Text {
		j.lang = summarize.Chinese
	}
	text, err := "", error(ErrInactive)
	if !j.decision.plain && a.client != nil && j.cfg.model() != "" {
		if text, err = a.fromModel(ctx, j, list, r); err == nil {
			return text, nil
		}
		if cancelled(ctx, err) {
			return "", err
		}
	}
	instead, also := j.instead(list, a.counterOf(j))
	if also != nil {
		return "", errors.Join(err, also)
	}
	if instead == "" {
		return "", err
	}
	r.Instead = j.cfg.OnFailure
	if j.decision.plain {
		err = nil // nothing failed this time
	}
	return a.redact(instead), err
}

// counterOf counts for a job, without the lock.
func (a *Compactor) counterOf(j *job) func(string) int {
	if a.count != nil {
		return a.count
	}
	return counterFor(&j.cfg)
}

// cancelled tells the end of the caller's own context from the summariser's
// failures.
func cancelled(ctx context.Context, err error) bool {
	return errors.Is(err, ErrCancelled) || errors.Is(ctx.Err(), context.Canceled)
}
