package replay

import (
	"context"
	"slices"
	"strconv"

	"palimpsest/compaction"
	"palimpsest/model"
)

// define is a replay by its definition, against which [Run] is tested: before
// every model call
//
//  1. the live list grows by the messages that came since the call before;
//  2. a line is built of it, and a plan made;
//  3. if the plan applies, its result is the live list from now on;
//  4. the live list is sent.
//
// Nothing but the list, the summaries and the back-off is kept from one call to
// the next. It is slow and no part of the program.
func define(ctx context.Context, th *model.Thread, tokens []int32, p model.Policy, sum Summariser) *Timeline {
	p, _ = compaction.Normalise(p)
	d := &definition{ctx: ctx, th: th, tokens: tokens, policy: p, summarise: sum, summaries: map[string]compaction.Text{},
		live: []model.Item{}, lastFired: -1000, tl: &Timeline{Policy: p}}
	step := int32(0)
	for at, stored := range th.History {
		m := &th.Messages[stored]
		if m.Kind == model.KindAssistant && (m.Step == 0 || m.Step != step) {
			d.call(at, m)
		}
		step = m.Step
	}
	d.grow(len(th.History))
	d.total(d.line(len(th.History)).Usage())
	return d.tl
}

// definition is the state of such a replay.
type definition struct {
	ctx       context.Context
	th        *model.Thread
	tokens    []int32
	policy    model.Policy
	summarise Summariser

	live      []model.Item               // the live list; never nil, which would ask for the file's own
	grown     int                        // messages of the history that are or were in it
	summaries map[string]compaction.Text // by record
	sent      []model.Item               // by the call before
	back      compaction.BackOff
	failing   bool
	lastFired int // call
	tl        *Timeline
}

func (d *definition) call(at int, m *model.Message) {
	d.grow(at)
	l, c := d.line(at), Call{At: int32(at)}
	if m.Usage != nil {
		c.Recorded = int64(m.Usage.Input)
	}
	left := d.back.Left(at)
	pl := l.Plan(d.policy, compaction.Options{Wait: left})
	c.Clause, c.Missing = nearestOf(pl.Clauses)
	limit := int64(d.policy.Window - d.policy.Reserve)
	switch {
	case d.policy.Window > 0 && limit > int64(d.policy.Fixed) && l.Usage().Tokens > limit:
		c.State = d.attemptToFit(l, left, at)
	case pl.Outcome != compaction.WouldWait:
		c.State = d.attempt(l, pl, at)
	case pl.Why.Code == "back-off":
		c.State, c.Missing = BackedOff, int64(left)
	default:
		c.State = Waits
	}
	d.send(c)
}

// grow appends the messages before a position to the live list.
func (d *definition) grow(at int) {
	for ; d.grown < at; d.grown++ {
		d.live = append(d.live, model.Item{Msg: d.th.History[d.grown]})
	}
}

func (d *definition) line(at int) *compaction.Line {
	return compaction.NewLine(compaction.Source{Thread: d.th, At: at, Items: d.live, Fixed: d.policy.Fixed,
		Tokens: func(i int32, cleared bool) int32 {
			if cleared {
				return min(d.tokens[i], compaction.NoteTokens)
			}
			return d.tokens[i]
		},
		SummaryTokens: func(record string) int32 { return int32(d.summaries[record].Tokens) },
		SummaryChars: func(it model.Item) int {
			switch s := d.summaries[it.Record]; {
			case it.Msg >= 0:
				return int(d.tokens[it.Msg]) * 3
			case s.Text != "":
				return len([]rune(s.Text))
			default:
				return s.Tokens * 3
			}
		}})
}

// attempt compacts before a call at which a clause fires.
func (d *definition) attempt(l *compaction.Line, pl *compaction.Plan, at int) State {
	draft, err := &compaction.Draft{Plan: pl}, error(nil)
	if d.summarise != nil {
		draft, err = compaction.MakeDraft(d.ctx, l, d.policy, compaction.Options{}, func(ctx context.Context, pl *compaction.Plan) (compaction.Text, error) {
			return d.summarise(ctx, pl, func(record string) string { return d.summaries[record].Text })
		})
	}
	call := len(d.tl.Calls)
	d.back, d.failing = d.back.After(draft, err, at, d.policy.BackOff), err != nil
	switch {
	case err != nil:
		d.tl.Refusals = append(d.tl.Refusals, Refusal{Call: call, Why: compaction.Reason{Code: "summary-failed"}, Err: err})
		return Failed
	case draft.Plan.Outcome != compaction.WouldApply:
		d.tl.Refusals = append(d.tl.Refusals, Refusal{Call: call, Why: draft.Plan.Why})
		return Refused
	}
	d.fire(l, draft, at)
	d.lastFired = call
	return Fired
}

// attemptToFit makes a list that can't be sent fit: it is compacted for any gain;
// if that is not possible, messages are left out.
func (d *definition) attemptToFit(l *compaction.Line, left, at int) State {
	call := len(d.tl.Calls)
	p, m := d.policy, compaction.Limits{Tokens: int64(d.policy.Window - d.policy.Reserve)}
	m.Growth = l.Span(0, l.Len()) / int64(l.Len()) * int64(p.BackOff)
	why, failed := compaction.Reason{Code: "back-off", N: int64(left)}, error(nil)
	if !d.failing || left == 0 {
		draft, err := &compaction.Draft{Plan: new(compaction.Planner).PlanToFit(l, p, compaction.Options{}, m)}, error(nil)
		if d.summarise != nil {
			q, o := draft.Plan.Policy, compaction.Options{Manual: true}
			draft, err = compaction.MakeDraft(d.ctx, l, q, o, func(ctx context.Context, pl *compaction.Plan) (compaction.Text, error) {
				return d.summarise(ctx, pl, func(record string) string { return d.summaries[record].Text })
			})
		}
		d.back, d.failing = d.back.After(draft, err, at, p.BackOff), err != nil
		if err == nil && draft.Plan.Outcome == compaction.WouldApply {
			d.fire(l, draft, at).AtLimit = true
			d.lastFired = call
			return Fired
		}
		if failed = err; err == nil {
			why = draft.Plan.Why
		}
	}
	m.Tokens = max(1, m.Tokens-noticeTokens)
	if pl := new(compaction.Planner).DropToFit(l, p, m); pl.Outcome == compaction.WouldApply {
		f := d.fire(l, &compaction.Draft{Plan: pl}, at)
		f.AtLimit, f.LeftOut = true, f.Removed.Messages
		return Truncated
	}
	if failed != nil {
		d.tl.Refusals = append(d.tl.Refusals, Refusal{Call: call, Why: compaction.Reason{Code: "summary-failed"}, Err: failed})
		return Failed
	}
	d.tl.Refusals = append(d.tl.Refusals, Refusal{Call: call, Why: why})
	return Refused
}

// fire carries out a draft.
func (d *definition) fire(l *compaction.Line, draft *compaction.Draft, at int) *Firing {
	pl, call := draft.Plan, len(d.tl.Calls)
	f := Firing{Call: call, At: at, Passes: pl.Passes, Before: pl.Before, After: pl.After, Removed: pl.Removed,
		Cleared: pl.ClearedN, Text: draft.Text.Text, Again: call-d.lastFired <= Soon}
	if pl.Insert >= 0 {
		f.Record, f.Summary = strconv.Itoa(len(d.summaries)+1), pl.Summary
		d.summaries[f.Record] = compaction.Text{Text: f.Text, Tokens: f.Summary}
	}
	before := d.live
	d.live = pl.Apply(f.Record)
	f.Formers = formersGone(before, d.live)
	f.Range, f.Resent = wentFrom(l, before, d.live), resent(d.line(at), d.sent, d.live)
	d.tl.Firings = append(d.tl.Firings, f)
	return &d.tl.Firings[len(d.tl.Firings)-1]
}

// send counts a call, whose prompt cache is the longest common beginning of its
// request and the one before.
func (d *definition) send(c Call) {
	l, t := d.line(int(c.At)), &d.tl.Totals
	c.Tokens = l.Usage().Tokens
	same := 0
	for same < len(d.sent) && same < len(d.live) && d.sent[same] == d.live[same] {
		same++
	}
	read := int64(0)
	if len(d.tl.Calls) > 0 {
		read = int64(d.policy.Fixed) + l.Span(0, same)
	}
	t.CacheRead += read
	if k := len(d.tl.Calls); k > 0 && d.idle(int(d.tl.Calls[k-1].At), int(c.At)) {
		t.Expired += read
	}
	t.CacheWrite += c.Tokens - read
	t.Uncompacted += int64(d.policy.Fixed)
	for _, m := range d.th.History[:c.At] {
		t.Uncompacted += int64(d.tokens[m])
	}
	d.tl.Calls, d.sent = append(d.tl.Calls, c), slices.Clone(d.live)
}

// idle reports whether more than five minutes passed between the answer at one position
// and the request that is answered at the other, which is as old as the message before
// it, or else as its answer, and the file does not report that half of it was cached.
func (d *definition) idle(from, to int) bool {
	time := func(at int) int64 { return d.th.Messages[d.th.History[at]].Time }
	asked := time(to - 1)
	if from == to-1 || asked == 0 {
		asked = time(to)
	}
	if time(from) == 0 || asked-time(from) <= 5*60*1000 {
		return false
	}
	first, second := d.th.Messages[d.th.History[from]].Usage, d.th.Messages[d.th.History[to]].Usage
	return first == nil || second == nil || float64(second.CacheRead) < float64(first.Input)/2
}

// total sums the calls and firings up.
func (d *definition) total(after model.Size) {
	t := &d.tl.Totals
	t.Calls, t.After = len(d.tl.Calls), after
	states := map[State]int{}
	for _, c := range d.tl.Calls {
		states[c.State]++
		t.Input += c.Tokens
		t.Largest = max(t.Largest, c.Tokens)
		if d.policy.Window > 0 && c.Tokens > int64(d.policy.Window) {
			t.Over++
		}
	}
	t.Refused, t.BackedOff, t.Failed = states[Refused], states[BackedOff], states[Failed]
	defer func() {
		if d.policy.Strategy == model.ModelText || d.policy.Strategy == model.ModelNote {
			t.ModelInput, t.ModelOutput = t.SummaryInput, t.SummaryOutput
		}
	}()
	for _, f := range d.tl.Firings {
		t.Resent += f.Resent
		if f.LeftOut > 0 {
			t.Truncations++
			t.LeftOut += f.LeftOut
			continue
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
}

// nearestOf is the first clause that fires, else the one of which the largest
// share is reached, from what a plan says of them. That steps fire above their
// number is said here once more, on purpose: nothing of the gauge is used.
func nearestOf(clauses []compaction.ClauseState) (clause int16, missing int64) {
	clause, best := int16(-1), -1.0
	for i, c := range clauses {
		limit := c.Limit
		if c.Clause.Share == 0 && c.Clause.At.Unit == model.Steps {
			limit++ // fires above
		}
		if c.Fires {
			return int16(i), limit - c.Measure
		}
		if s := float64(c.Measure) / float64(limit); !c.Unknown && s > best {
			clause, missing, best = int16(i), limit-c.Measure, s
		}
	}
	return clause, missing
}

// formersGone counts the summaries that are no longer in the list.
func formersGone(before, after []model.Item) (n int) {
	for _, it := range before {
		if it.Record != "" && !slices.Contains(after, it) {
			n++
		}
	}
	return n
}

// wentFrom spans the history positions of what is no longer in the list.
func wentFrom(l *compaction.Line, before, after []model.Item) model.Range {
	live := map[int32]bool{}
	for _, it := range after {
		live[it.Msg] = true
	}
	var r model.Range
	for i, it := range before {
		if h := l.History(i); it.Msg >= 0 && !live[it.Msg] {
			if r.To == 0 {
				r.From = h
			}
			r.To = h + 1
		}
	}
	return r
}

// resent counts the tokens that the request before held word for word, but that
// are not in the common beginning of the two.
func resent(l *compaction.Line, sent, items []model.Item) int64 {
	had := map[model.Item]bool{}
	for _, it := range sent {
		had[it] = true
	}
	n, same := int64(0), true
	for i, it := range items {
		if same = same && i < len(sent) && sent[i] == it; !same && had[it] {
			n += l.Span(i, i+1)
		}
	}
	return n
}
