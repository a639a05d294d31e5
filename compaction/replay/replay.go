package replay

import (
	"context"
	"fmt"
	"math"
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
	legal, _ := w.Policy()
	tl := &Timeline{Policy: legal, Calls: make([]Call, 0, len(h.Calls())), prepared: w, history: h, Texts: o.Summarise != nil}
	r := &run{h: h, track: h.Track(w), o: o, policy: legal, prepared: w, limit: hardLimit(h, &legal),
		lastFired: math.MinInt / 2, Timeline: tl}
	defer r.track.Release()
	for i := range h.Calls() {
		if i%callsPerCheck == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if err := r.call(ctx, i); err != nil {
			return nil, err
		}
	}
	r.track.Advance(h.Len())
	if o.Live {
		if err := r.last(ctx); err != nil {
			return nil, err
		}
		for i := range r.track.Line().Len() {
			tl.Live = append(tl.Live, r.track.Line().Item(i))
		}
	}
	t := &tl.Totals
	t.Calls, t.After = len(h.Calls()), r.track.Line().Usage()
	if legal.Strategy.Asks() {
		t.ModelInput, t.ModelOutput = t.SummaryInput, t.SummaryOutput
	}
	tl.Warnings = r.warnings()
	return tl, nil
}

// callsPerCheck is the most calls between two checks of the context: few enough to
// stop within a frame, also when each of them fires.
const callsPerCheck = 1 << 12

// run is the working state of one replay.
type run struct {
	*Timeline // as far as it is made

	h     *compaction.History
	track *compaction.Track
	o     Options

	policy   model.Policy
	prepared *compaction.PreparedPolicy
	limit    int64 // tokens a request may hold; [math.MaxInt64]: unknown, or nothing would help
	back     compaction.BackOff
	failing  bool     // the latest summary could not be made
	texts    []string // of summaries, by number
	larger   int      // summaries that were not smaller than their range

	lastFired int   // call of the latest firing
	sent      int64 // tokens of the call before
	entries   int   // entries of the call before
	pause     int   // the next one of the history's pauses
}

// call checks the policy before a call, and counts what the call sends.
func (r *run) call(ctx context.Context, i int) error {
	at := r.h.Calls()[i]
	r.track.Advance(int(at))
	line, near := r.track.Line(), r.track.Nearest()
	c := Call{At: at, State: Waits, Recorded: r.h.Recorded(i), Clause: int16(min(near.Clause, math.MaxInt16)), Missing: near.Missing}
	read, err := r.sent, error(nil)
	switch left := r.back.Left(int(at)); {
	case line.Usage().Tokens > r.limit:
		c.State, read, err = r.attemptToFit(ctx, i)
	case near.Fires() && left > 0:
		c.State, c.Missing = BackedOff, int64(left)
		r.Totals.BackedOff++
	case near.Fires():
		c.State, read, err = r.attempt(ctx, i)
	}
	if err != nil {
		return err
	}
	c.Tokens = line.Usage().Tokens
	r.countSent(i, c.Tokens, read)
	r.Calls = append(r.Calls, c)
	return nil
}

// countSent adds what a call sends to the totals, of which it reads so many tokens from the
// prompt cache.
func (r *run) countSent(i int, sent, read int64) {
	t := &r.Totals
	t.Input += sent
	t.Uncompacted += r.h.Before(int(r.h.Calls()[i])) + r.h.Fixed(&r.policy)
	t.Largest = max(t.Largest, sent)
	t.CacheRead += read
	t.CacheWrite += sent - read
	if pauses := r.h.Pauses(); r.pause < len(pauses) && int(pauses[r.pause]) == i {
		t.Expired += read
		r.pause++
	}
	if window := int64(r.policy.Window); window > 0 && sent > window {
		t.Over++
	}
	r.sent, r.entries = sent, r.track.Line().Len()
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
	_, _, err := act(ctx, len(r.h.Calls()))
	return err
}

// attempt lets the policy act. It returns the tokens that the call then reads from
// the prompt cache.
func (r *run) attempt(ctx context.Context, i int) (State, int64, error) {
	at := r.track.Line().At()
	d, err := r.draft(ctx)
	if ctx.Err() != nil {
		return Failed, 0, ctx.Err()
	}
	r.back, r.failing = r.back.After(d, err, at, r.policy.BackOff), err != nil
	if err != nil {
		return r.fail(i, err), r.sent, nil
	}
	if d.Plan.Outcome != compaction.WouldApply {
		return r.refuse(i, d.Plan.Why), r.sent, nil
	}
	f, read := r.fire(i, d.Plan, d.Text.Text)
	r.countFiring(f)
	r.lastFired = i
	return Fired, read, nil
}

// fail notes that no summary could be made before a call.
func (r *run) fail(i int, err error) State {
	r.Totals.Failed++
	r.Refusals = append(r.Refusals, Refusal{Call: i, Why: compaction.Reason{Code: "summary-failed"}, Err: err})
	return Failed
}

// refuse notes why nothing was done before a call at which a clause fires.
func (r *run) refuse(i int, why compaction.Reason) State {
	r.Totals.Refused++
	if why.Code == "not-smaller" {
		r.larger++
	}
	r.Refusals = append(r.Refusals, Refusal{Call: i, Why: why})
	return Refused
}

// fire carries out a plan before call i. It returns the tokens that the call then
// reads from the prompt cache.
func (r *run) fire(i int, pl *compaction.Plan, text string) (*Firing, int64) {
	f := Firing{Call: i, At: r.track.Line().At(), Range: pl.Covered(), Formers: pl.Formers(), Passes: pl.Passes,
		Before: pl.Before, After: pl.After, Removed: pl.Removed, Cleared: pl.ClearedN, Text: text, Again: i-r.lastFired <= Soon}
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
			f.Context.Stands = append(f.Context.Stands, model.Item{Msg: -1, Record: f.Record})
		}
	}
	r.Firings = append(r.Firings, f)
	return &r.Firings[len(r.Firings)-1], read
}

// draft is what the live system would apply, with its text if there is one.
func (r *run) draft(ctx context.Context) (*compaction.Draft, error) {
	if r.o.Summarise == nil {
		return &compaction.Draft{Plan: r.track.Plan(compaction.Options{})}, nil
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
		if q, what, ok := compaction.Instead(r.policy, r.track.Line); ok {
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
	t := &r.Totals
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
