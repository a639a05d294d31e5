package auto

import (
	"context"
	"errors"
	"slices"

	"palimpsest/compaction/summarize"
)

// land ends a flight: the summary is applied, or what went wrong is noted.
func (a *AutoCompactor) land(ctx context.Context, j *job, r *AutoResult) {
	now := a.clock.Now()
	if r.Summary == "" {
		if r.Err != nil && !cancelled(ctx, r.Err) {
			a.back.miss(len(a.mem.history), now)
		}
		a.logFailed(j, r.Err)
		return
	}
	missed := r.Err != nil
	if missed {
		a.back.miss(len(a.mem.history), now)
		a.logFailed(j, r.Err)
	}
	if err := a.apply(j, r); err != nil {
		if err == ErrAutoNotSmaller && !missed {
			a.back.miss(len(a.mem.history), now)
		}
		r.Err = errors.Join(r.Err, err)
		a.metrics.Refused++
		a.logFailed(j, err)
		return
	}
	after := a.usage()
	r.After = after
	byShare, byCount := a.cfg.fires(after, 0)
	a.useless = byShare || byCount
	switch {
	case a.useless && !missed: // it would fire again at once (spec F58, F59)
		a.back.miss(len(a.mem.history), now)
	case !missed && !j.decision.plain:
		a.back.reset()
	}
	a.logDone(j, r)
}

// apply puts the summary in the place of what it stands for. What came since
// the snapshot stays behind it; if the beginning of the list changed, nothing
// is done (spec F62).
func (a *AutoCompactor) apply(j *job, r *AutoResult) error {
	if a.mem.version != j.version {
		return ErrAutoChanged
	}
	sum := a.summaryMessage(j, r.Summary)
	gone := countTokens(j.taken)
	if !j.decision.exact && (sum.tokens >= gone || len(j.taken) < 2) {
		return ErrAutoNotSmaller
	}
	take := j.decision.take
	before, counted := len(a.mem.runtime), a.meter.used(a.mem.counted)
	record := AutoRecord{
		Time: a.clock.Now(), Summary: r.Summary, Range: take,
		OriginalCount: before, NewCount: before - len(j.taken) + 1,
	}
	if take.To > take.From {
		record.History = a.mem.historyRange(take.From, take.To)
	}
	a.mem.records = append(a.mem.records, record)
	a.mem.replace(slices.Concat(a.mem.runtime[:take.From], []held{sum}, a.mem.runtime[take.To:]))
	a.meter.clear(j.cfg.ShareCompat.UsageAfter)
	a.state.touch(record.Time)
	r.Compressed, r.OriginalCount, r.NewCount, r.Record = true, before, record.NewCount, &record
	m := &a.metrics
	m.Applied++
	m.MessagesBefore += before
	m.MessagesAfter += len(a.mem.runtime)
	m.TokensBefore += counted
	m.TokensAfter += a.meter.used(a.mem.counted)
	if r.Instead != "" {
		m.Instead++
	}
	return nil
}

// summaryMessage is the message that stands for what went (spec C6, D11).
func (a *AutoCompactor) summaryMessage(j *job, text string) held {
	h := held{msg: ChatMessage{Role: "system", Content: summarize.Heading(j.lang) + "\n" + text}, hist: -1, summary: true}
	if j.cfg.SummaryFromUser {
		h.msg.Role = "user"
	}
	h.tokens = h.msg.tokens(a.counterOf(j))
	return h
}
