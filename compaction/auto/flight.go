package auto

import (
	"context"
	"errors"
	"time"

	"palimpsest/compaction"
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
	count    func(string) int    // tokens
	redact   func(string) string // of the compactor
	version  int
	began    time.Time
	taken    []held // in the order of the list
	lang     summarize.Lang
}

// BeforeCall (autoCompress of the document) returns the list to send. If the configuration asks for it, the
// list is compacted first; whatever happens in that, the call can be made,
// unless Refused says that the list does not fit. When ctx ends the list is
// returned as it is then.
//
// With a journal it returns when the history is written as it is now. If that
// fails, Err says so: the call can be made, and the next entry holds what is
// missing.
func (a *Compactor) BeforeCall(ctx context.Context) Result {
	return saved(ctx, a, beforeCall(ctx, a))
}

func beforeCall(ctx context.Context, a *Compactor) Result {
	r := a.automatic(ctx)
	for range mostRounds {
		next, again := a.anotherRound(ctx, &r)
		if !again {
			break
		}
		r = next
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.holdLimits(&r)
	a.mem.sent = a.mem.current()
	r = a.completed(r)
	a.startBackground(ctx)
	return r
}

// mostRounds bounds how often a list is compacted before one call.
const mostRounds = 4

// anotherRound compacts a list once more that was compacted and still can't be
// sent: its summary is longer than was expected.
func (a *Compactor) anotherRound(ctx context.Context, r *Result) (Result, bool) {
	a.mu.Lock()
	over := r.Compressed && !r.Joined && a.mem.limits(&a.cfg).Exceeded(a.mem.usage(&a.cfg).size())
	a.mu.Unlock()
	if !over {
		return Result{}, false
	}
	next := a.automatic(ctx)
	next.OriginalCount, next.Before = r.OriginalCount, r.Before
	return next, next.Compressed
}

// automatic compacts if it is time to, or waits for somebody who does.
func (a *Compactor) automatic(ctx context.Context) Result {
	a.mu.Lock()
	d := a.decider.decide(false, 0)
	a.log.checked(d)
	r := newResult(d)
	if !d.Acts {
		a.mu.Unlock()
		return r
	}
	if f := a.flight; f != nil {
		a.mu.Unlock()
		return f.join(ctx, r)
	}
	ctx, j := a.begin(ctx, d, false)
	a.mu.Unlock()
	return a.run(ctx, j)
}

// join waits for another goroutine's compaction.
func (f *flight) join(ctx context.Context, r Result) Result {
	select {
	case <-f.done:
		r = f.result
	case <-ctx.Done():
		r.Err = ErrCancelled
	}
	r.Joined = true
	return r
}

// CompactNow compacts by hand (compress of the document): whatever the triggers are, and
// without waiting after misses, everything before the recent messages at once.
// An automatic compaction under way is cancelled for it.
func (a *Compactor) CompactNow(ctx context.Context) Result {
	r := a.manual(ctx)
	a.mu.Lock()
	r = a.completed(r)
	a.mu.Unlock()
	return saved(ctx, a, r)
}

func (a *Compactor) manual(ctx context.Context) Result {
	a.mu.Lock()
	for a.flight != nil {
		f := a.flight
		a.mu.Unlock()
		if f.manual {
			return f.join(ctx, Result{})
		}
		f.cancel()
		select {
		case <-f.done:
		case <-ctx.Done():
			return Result{Err: ErrCancelled}
		}
		a.mu.Lock()
	}
	d := a.decider.decide(true, 0)
	r := newResult(d)
	switch {
	case !d.Acts:
		r.Err = ErrNothing
	case !a.decider.active() && (a.cfg.OnFailure == model.KeepEverything || a.cfg.OnFailure == model.TruncateAtHard):
		r.Err = ErrInactive
	}
	if r.Err != nil {
		a.mu.Unlock()
		return r
	}
	ctx, j := a.begin(ctx, d, true)
	a.mu.Unlock()
	return a.run(ctx, j)
}

// completed is a result with the list as it is now.
func (a *Compactor) completed(r Result) Result {
	r.Messages, r.Places = messagesOf(a.mem.runtime), make([]int, len(a.mem.runtime))
	for i := range r.Places {
		r.Places[i] = a.mem.runtime[i].hist
	}
	r.NewCount, r.After, r.OK = len(r.Messages), a.mem.usage(&a.cfg), r.Err == nil
	return r
}

// startBackground starts a compaction that no call waits for, when usage is
// between the lower mark and the trigger.
func (a *Compactor) startBackground(ctx context.Context) {
	if a.cfg.BackgroundMargin <= 0 || a.flight != nil {
		return
	}
	d := a.decider.decide(false, a.cfg.BackgroundMargin)
	if !d.Acts || !d.ByShare || d.noModel {
		return
	}
	ctx, j := a.begin(context.WithoutCancel(ctx), d, false)
	go a.run(ctx, j)
}

// begin takes the snapshot of a compaction.
func (a *Compactor) begin(ctx context.Context, d Decision, manual bool) (context.Context, *job) {
	ctx, cancel := context.WithCancel(ctx)
	a.flight = &flight{done: make(chan struct{}), cancel: cancel, manual: manual}
	a.metrics.Triggers++
	a.log.triggered(d)
	taken := except(a.mem.runtime, d.take, d.kept)
	j := &job{
		flight: a.flight, decision: d, cfg: a.cfg, count: a.counter(), redact: a.redact,
		version: a.mem.version, taken: taken, began: a.clock.Now(),
	}
	a.log.taking(j)
	return ctx, j
}

// run makes the summary and applies it. Whatever happens in it, the flight
// ends.
func (a *Compactor) run(ctx context.Context, j *job) (r Result) {
	r = newResult(j.decision)
	defer j.cancel()
	defer func() {
		if v := recover(); v != nil {
			r.Summary, r.Err = "", &compaction.PanicError{Value: v}
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		defer func() {
			if v := recover(); v != nil { // a count that was handed in
				r.Err = &compaction.PanicError{Value: v}
			}
			a.flight = nil
			j.result = r
			close(j.done)
		}()
		a.finish(ctx, j, &r)
	}()
	r.Summary, r.Err = a.summary(ctx, j, &r)
	return r
}

// summary makes the summary: by the model, or without it when that failed and
// the configuration says how.
func (a *Compactor) summary(ctx context.Context, j *job, r *Result) (string, error) {
	list := entries(j.taken, j.redact)
	if j.lang = j.cfg.languageOf(list); j.cfg.CountCompat.Text {
		j.lang = summarize.Chinese
	}
	if !j.cfg.asks() {
		text, err := j.make(list, j.cfg.Strategy)
		return j.redact(text), err
	}
	text, err := "", error(ErrInactive)
	if !j.decision.noModel && a.client != nil && j.cfg.model() != "" {
		if text, err = a.fromModel(ctx, j, list, r); err == nil {
			return j.withLedger(text, list)
		}
		if cancelled(ctx, err) {
			return "", err
		}
	}
	fallback, also := j.fallback(list)
	if also != nil {
		return "", errors.Join(err, also)
	}
	if fallback == "" {
		return "", err
	}
	r.Instead = j.cfg.OnFailure
	if j.decision.noModel {
		err = nil // nothing failed this time
	}
	return j.redact(fallback), err
}

// cancelled reports whether the caller's own context ended, and the summariser
// did not fail.
func cancelled(ctx context.Context, err error) bool {
	return errors.Is(err, ErrCancelled) || errors.Is(ctx.Err(), context.Canceled)
}
