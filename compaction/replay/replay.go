package replay

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"palimpsest/compaction"
	"palimpsest/model"
)

// Summariser makes the text of a firing. former returns the text of a summary made
// earlier in the same replay, by the record that the plan's line names. The plan
// and its line must not be used after it returns.
type Summariser func(ctx context.Context, p *compaction.Plan, former func(record string) string) (compaction.Text, error)

// Options of a replay.
type Options struct {
	// Summarise makes the real texts; nil: a summary has the size that the plan
	// estimates.
	Summarise Summariser
	// Context asks for the [Context] of each firing.
	Context bool
	// Live asks for the list of a request after the last message, before which the
	// policy is checked once more: [Timeline.Live].
	Live bool
}

// Run replays a history under a policy. A failing summariser is handled as the
// policy's OnFailure says and noted in the timeline; the error is that of the
// context alone.
func Run(ctx context.Context, h *compaction.History, p model.Policy, o Options) (*Timeline, error) {
	w := compaction.Prepare(p)
	r := &run{h: h, track: h.Track(w)}
	defer r.track.Release()
	legal, _ := w.Policy()
	tl := &Timeline{Policy: legal, Calls: make([]Call, 0, len(h.Calls())), prepared: w, history: h,
		Texts: o.Summarise != nil}
	if err := r.walk(ctx, w, o, tl); err != nil {
		return nil, err
	}
	tl.Totals = r.totals
	tl.Warnings = r.warnings()
	return tl, nil
}

// run is the working state of one replay. A sweep reuses it for the next one of the
// same history.
type run struct {
	h     *compaction.History
	track *compaction.Track
	o     Options

	policy   model.Policy
	prepared *compaction.PreparedPolicy
	limit    int64 // tokens a request may hold; [math.MaxInt64]: unknown, or nothing would help
	back     compaction.BackOff
	failing  bool             // the latest summary could not be made
	made     compaction.Draft // of the plan of a firing without a text
	texts    []string         // of summaries, by number

	firings  []Firing // behind them, up to the capacity, they are empty
	unkept   Firing   // one that is not kept
	refusals []Refusal
	causes   causes
	totals   Totals
	larger   int // summaries that were not smaller than their range

	lastFired int                // call of the latest firing
	stride    int                // calls between the latest two
	beyond    int64              // what a call sends beyond the history before it; negative once messages went
	sent      int64              // tokens of the call before
	entries   int                // entries of the call before
	near      compaction.Nearest // of the call that was not skipped, for a timeline
	pause     int                // the next one of the history's pauses
}

// callsPerCheck is the most calls between two checks of the context: few enough to
// stop within a frame, also when each of them fires.
const callsPerCheck = 1 << 12

// walk replays the whole history; tl keeps its calls, nil: only the totals count.
func (r *run) walk(ctx context.Context, w *compaction.PreparedPolicy, o Options, tl *Timeline) error {
	policy, _ := w.Policy()
	clear(r.firings)
	*r = run{h: r.h, track: r.track, o: o, policy: policy, prepared: w, texts: r.texts[:0], firings: r.firings[:0],
		lastFired: math.MinInt / 2, beyond: r.h.Fixed(&policy), limit: hardLimit(r.h, &policy)}
	r.track.Reset(w)
	calls := r.h.Calls()
	for i, look := 0, 0; i < len(calls); {
		if i >= look {
			if err := ctx.Err(); err != nil {
				return err
			}
			look = i + callsPerCheck
		}
		if at := int(calls[i]); at > r.track.Certain() {
			r.track.Advance(at)
		}
		var acts bool
		if i, acts = r.skip(i, min(look, len(calls)), tl); !acts {
			continue
		}
		if err := r.attemptAt(ctx, i, int(calls[i]), tl); err != nil {
			return err
		}
		i++
	}
	r.track.Advance(r.h.Len())
	if o.Live && tl != nil {
		if err := r.last(ctx); err != nil {
			return err
		}
		for i := range r.track.Line().Len() {
			tl.Live = append(tl.Live, r.track.Line().Item(i))
		}
	}
	r.totals.Calls, r.totals.After = len(calls), r.track.Line().Usage()
	if policy.Strategy.Asks() {
		r.totals.ModelInput, r.totals.ModelOutput = r.totals.SummaryInput, r.totals.SummaryOutput
	}
	if tl != nil {
		tl.Firings, tl.Refusals, tl.causes, r.firings = r.firings, r.refusals, r.causes, nil
	}
	return nil
}

// last is the check before a request after the last message, which is no call of
// the history.
func (r *run) last(ctx context.Context) error {
	line := r.track.Line()
	act := r.attempt
	switch {
	case line.Usage().Tokens > r.limit:
		act = r.attemptToFit
	case !r.track.Nearest().Fires() || r.back.Left(line.At()) > 0:
		return nil
	}
	_, _, err := act(ctx, len(r.h.Calls()), true)
	return err
}

// attemptAt lets the policy act before a call, at which a clause fires and no
// back-off holds.
func (r *run) attemptAt(ctx context.Context, i, at int, tl *Timeline) error {
	r.track.Advance(at)
	act := r.attempt
	if r.tokens(i) > r.limit {
		act = r.attemptToFit
	}
	state, read, err := act(ctx, i, tl != nil)
	if err != nil {
		return err
	}
	r.beyond = r.track.Line().Usage().Tokens - r.h.Before(at)
	r.countSent(i, i+1, read)
	if tl != nil {
		tl.Calls = append(tl.Calls, r.callAt(i, state, r.near))
	}
	return nil
}

// attempt lets the policy act. It returns the tokens that the call then reads from
// the prompt cache.
func (r *run) attempt(ctx context.Context, i int, keep bool) (State, int64, error) {
	at := r.track.Line().At()
	d, err := r.draft(ctx)
	if ctx.Err() != nil {
		return Failed, 0, ctx.Err()
	}
	r.back, r.failing = r.back.After(d, err, at, r.policy.BackOff), err != nil
	if err != nil {
		r.countFailed(i, err, keep)
		return Failed, r.sent, nil
	}
	if d.Plan.Outcome != compaction.WouldApply {
		r.countRefused(i, d.Plan.Why, keep)
		return Refused, r.sent, nil
	}
	f, read := r.fire(i, d.Plan, d.Text.Text, keep)
	r.countFiring(f)
	r.lastFired = i
	return Fired, read, nil
}

func (r *run) countFailed(i int, err error, keep bool) {
	r.totals.Failed++
	if keep {
		r.refuse(r.causes.failure(i, err))
	}
}

func (r *run) countRefused(i int, why compaction.Reason, keep bool) {
	r.totals.Refused++
	if why.Code == "not-smaller" {
		r.larger++
	}
	if keep {
		r.refuse(r.causes.refusal(i, why))
	}
}

// fire carries out a plan before call i. It returns the tokens that the call then
// reads from the prompt cache.
func (r *run) fire(i int, pl *compaction.Plan, text string, keep bool) (*Firing, int64) {
	at := r.track.Line().At()
	detailed := keep || r.o.Context // a sweep without a judge needs only the totals
	f := r.nextFiring(i, detailed)
	f.Call, f.Removed, f.Text, f.Again = i, pl.Removed, text, i-r.lastFired <= Soon
	if detailed {
		f.At, f.Range, f.Formers = at, pl.Covered(), pl.Formers()
		f.Passes, f.Before, f.After, f.Cleared = pl.Passes, pl.Before, pl.After, pl.ClearedN
	}
	if pl.Insert >= 0 {
		f.Summary = pl.Summary
	}
	var read int64
	read, f.Resent = r.cacheAfter(pl)
	if r.o.Context {
		f.Context = Leaves(pl)
	}
	if f.Record = r.track.Apply(pl, f.Summary, utf8.RuneCountInString(text)); f.Record != "" {
		if r.o.Summarise != nil {
			r.texts = append(r.texts, text)
		}
		if f.Context != nil {
			f.Context.Stands = append(f.Context.Stands, f.Record)
		}
	}
	return f, read
}

// nextFiring is an empty firing, in its place in the list if it is kept.
func (r *run) nextFiring(call int, keep bool) *Firing {
	if !keep {
		r.unkept = Firing{}
		return &r.unkept
	}
	r.firings = growFor(r.firings, call, len(r.h.Calls()))
	r.firings = r.firings[:len(r.firings)+1]
	return &r.firings[len(r.firings)-1]
}

// refuse keeps a refusal.
func (r *run) refuse(f Refusal) {
	r.refusals = append(growFor(r.refusals, int(f.Call), len(r.h.Calls())), f)
}

// draft is what the live system would apply, with its text if there is one.
func (r *run) draft(ctx context.Context) (*compaction.Draft, error) {
	if r.o.Summarise == nil {
		r.made.Plan = r.track.Attempt()
		return &r.made, nil
	}
	return r.draftOr(ctx, func(p model.Policy) (*compaction.Draft, error) {
		return r.track.Draft(ctx, p, compaction.Options{}, r.summarise)
	})
}

// summarise makes the text of a plan.
func (r *run) summarise(ctx context.Context, pl *compaction.Plan) (compaction.Text, error) {
	return r.o.Summarise(ctx, pl, r.former)
}

// draftOr is the draft of a policy; if its summary fails, what the policy says
// instead.
func (r *run) draftOr(ctx context.Context, try func(model.Policy) (*compaction.Draft, error)) (*compaction.Draft, error) {
	d, err := try(r.policy)
	if err != nil && ctx.Err() == nil {
		if q, what, ok := compaction.Instead(r.policy, r.track.Line().Usage); ok {
			var again error
			if d, again = try(q); again != nil {
				err = fmt.Errorf("%w; %s instead: %w", err, what, again)
			} else {
				err = nil
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// former is the text of an earlier summary of this replay.
func (r *run) former(record string) string {
	k, err := strconv.Atoi(record)
	if err != nil || k < 1 || k > len(r.texts) {
		return ""
	}
	return r.texts[k-1]
}

func (r *run) countFiring(f *Firing) {
	t := &r.totals
	t.Resent += f.Resent
	if !f.Compacts() {
		t.Truncations++
		t.LeftOut += f.LeftOut
		return
	}
	t.Firings++
	if f.Again {
		t.Thrash++
	}
	if f.Record != "" {
		t.Summaries++
		t.SummaryInput += f.Removed.Tokens
		t.SummaryOutput += int64(f.Summary)
	}
}

// growFor makes room for one more. A list that is full after done of total calls
// grows to the length that it will reach if the rest is like them, so that it is
// copied only a few times.
func growFor[T any](list []T, done, total int) []T {
	if n := len(list); n == cap(list) {
		toCome := n * (total - done) / (done + 1)
		list = slices.Grow(list, max(minRoom, toCome+toCome/16, n/8))
	}
	return list
}

// minRoom is the first length of such a list, enough to estimate the rest from.
const minRoom = 256
