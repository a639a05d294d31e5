package auto

import (
	"context"
	"errors"
	"slices"

	"palimpsest/compaction/summarize"
)

// finish ends a flight: the summary is applied, or what went wrong is noted.
func (a *Compactor) finish(ctx context.Context, j *job, r *Result) {
	failed := r.Err != nil
	if failed && (r.Summary != "" || !cancelled(ctx, r.Err)) {
		a.missed()
	}
	if failed || r.Summary == "" {
		a.log.failed(j, r.Err)
	}
	if r.Summary == "" {
		return
	}
	if err := a.apply(j, r); err != nil {
		if err == ErrNotSmaller && !failed {
			a.missed()
		}
		r.Err = errors.Join(r.Err, err)
		a.metrics.Refused++
		a.log.failed(j, err)
		return
	}
	r.After = a.mem.usage(&a.cfg)
	byShare, byCount := a.cfg.fires(r.After, 0)
	a.decider.useless = byShare || byCount
	switch {
	case a.decider.useless && !failed: // it would fire again at once (spec F58, F59)
		a.missed()
	case !failed && !j.decision.noModel:
		a.decider.back = backOff{}
	}
	a.log.applied(j, r)
}

// missed counts a summary that failed or was of no use.
func (a *Compactor) missed() { a.decider.back.miss(len(a.mem.history), a.clock.Now()) }

// apply puts the summary in the place of the messages it was made of. What came
// since the snapshot stays behind it; if the beginning of the list changed,
// nothing is done (spec F62).
func (a *Compactor) apply(j *job, r *Result) error {
	if a.mem.version != j.version {
		return ErrChanged
	}
	sum := j.message(r.Summary)
	if !j.decision.exact && (sum.tokens >= countTokens(j.taken) || len(j.taken) < 2) {
		return ErrNotSmaller
	}
	take := j.decision.take
	before, used := len(a.mem.runtime), a.mem.used()
	record := Record{
		Time: a.clock.Now(), Summary: r.Summary, Range: take,
		OriginalCount: before, NewCount: before - len(j.taken) + 1,
	}
	if take.To > take.From {
		record.History = a.mem.historyRange(take.From, take.To)
	}
	a.mem.records = append(a.mem.records, record)
	a.setList(slices.Concat(a.mem.runtime[:take.From], []held{sum}, a.mem.runtime[take.To:]))
	r.Compressed, r.OriginalCount, r.NewCount, r.Record = true, before, record.NewCount, &record
	m := &a.metrics
	m.Applied++
	m.MessagesBefore += before
	m.MessagesAfter += len(a.mem.runtime)
	m.TokensBefore += used
	m.TokensAfter += a.mem.used()
	if r.Instead != "" {
		m.Instead++
	}
	return nil
}

// setList replaces the runtime list. What was reported of it holds no more.
func (a *Compactor) setList(list []held) {
	a.mem.replace(list)
	a.mem.meter.clear(a.cfg.ShareCompat.UsageAfter)
	a.mem.touch(a.clock.Now())
}

// message is the summary as a message of the list (spec C6, D11).
func (j *job) message(text string) held {
	h := held{msg: ChatMessage{Role: "system", Content: summarize.Heading(j.lang) + "\n" + text}, hist: -1, summary: true}
	if j.cfg.SummaryFromUser {
		h.msg.Role = "user"
	}
	h.tokens = h.msg.tokens(j.count)
	return h
}
