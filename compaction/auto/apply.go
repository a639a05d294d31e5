package auto

import (
	"context"
	"errors"
	"slices"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
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
		a.written.note(a, j, r)
		return
	}
	a.log.made(j, r, a.clock.Now().Sub(j.began))
	if err := a.apply(j, r); err != nil {
		if err == ErrNotSmaller && !failed {
			a.missed()
		}
		r.Err = errors.Join(r.Err, err)
		a.metrics.Refused++
		a.log.failed(j, err)
		a.written.note(a, j, r)
		return
	}
	r.After = a.mem.usage(&a.cfg)
	if !failed && !j.decision.noModel {
		a.decider.back = backOff{}
	}
	a.decider.settled(r.After)
	a.log.applied(j, r)
}

// settled lets the next compaction wait, longer from time to time, if this one
// left a clause firing: it would fire again at once, and help as little. The model did not fail, so its breaker knows nothing of it.
func (d *decider) settled(after Usage) {
	byShare, byCount := d.cfg.fires(after, 0)
	if !byShare && !byCount {
		d.settle = compaction.BackOff{}
		return
	}
	d.settle = d.settle.Failed(len(d.mem.history), d.cfg.BackOff)
}

// missed counts a summary that failed or was not smaller than its range.
func (a *Compactor) missed() { a.decider.back.miss(len(a.mem.history), a.clock.Now()) }

// apply puts the summary in the place of the messages it was made of. What came
// since the snapshot stays behind it; if the beginning of the list changed,
// nothing is done.
func (a *Compactor) apply(j *job, r *Result) error {
	if a.mem.version != j.version {
		return ErrChanged
	}
	sum := j.message(r.Summary)
	a.takeBack(j, sum.tokens)
	if !j.decision.exact && (sum.tokens >= countTokens(j.taken) || len(j.taken) < 2 && !j.decision.ByLimit) {
		return ErrNotSmaller
	}
	take := j.decision.take
	before, used := len(a.mem.runtime), a.mem.used()
	made := a.written.describe(a, j, r)
	record := a.record(r.Summary, take, before-len(j.taken)+1)
	kept := make([]held, 0, len(j.decision.kept))
	for _, i := range j.decision.kept {
		kept = append(kept, a.mem.runtime[i])
	}
	a.mem.records = append(a.mem.records, record)
	a.setList(slices.Concat(a.mem.runtime[:take.From], []held{sum}, kept, a.mem.runtime[take.To:]))
	r.Compressed, r.OriginalCount, r.NewCount, r.Record = true, before, record.NewCount, &record
	made.Take, made.Kept, made.Summary, made.Outcome = take, j.decision.kept, sum.msg.Content, model.Applied
	a.written.add(a, made)
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

// takeBack leaves in the list what was to go only because the summary was expected to be
// longer than it is: as many recent messages as the configuration says, if they fit.
func (a *Compactor) takeBack(j *job, summary int64) {
	d := &j.decision
	if !d.ByLimit || d.exact || j.manual {
		return
	}
	o := compaction.Options{SummaryTokens: int(summary)}
	pl := a.decider.planner.PlanToFit(a.mem.line(), a.decider.policy(d, false, 0), o, a.mem.limits(&a.cfg))
	if pl.Outcome != compaction.WouldApply || pl.Taken.From != d.take.From || pl.Taken.To >= d.take.To {
		return
	}
	kept := protected(pl)
	if taken := except(a.mem.runtime, pl.Taken, kept); summary < countTokens(taken) {
		d.take, d.kept, j.taken = pl.Taken, kept, taken
	}
}

// record describes the replacement of a part of the runtime list, which is still
// as before.
func (a *Compactor) record(text string, take model.Range, newCount int) Record {
	r := Record{Time: a.clock.Now(), Summary: text, Range: take, OriginalCount: len(a.mem.runtime), NewCount: newCount}
	if take.To > take.From {
		r.History = a.mem.historyRange(take.From, take.To)
	}
	return r
}

// setList replaces the runtime list. What was reported of it holds no more.
func (a *Compactor) setList(list []held) {
	a.mem.replace(list)
	a.mem.meter.clear(a.cfg.ShareCompat.UsageAfter)
	a.mem.touch(a.clock.Now())
}

// message is the summary as a message of the list.
func (j *job) message(text string) held {
	h := held{msg: ChatMessage{Role: "system", Content: summarize.Heading(j.lang) + "\n" + text}, hist: -1, summary: true}
	if j.cfg.SummaryFromUser {
		h.msg.Role = "user"
	}
	h.tokens = h.msg.tokens(j.count)
	return h
}
