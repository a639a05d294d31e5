package compaction

import (
	"slices"

	"palimpsest/model"
)

// A firing takes messages from the oldest end in passes, until no clause fires and
// the target is met:
//
//	S  U  A  A  R  A  U  A  A  R  │ A  U  A
//	   low                        high: the recent tail begins
//	   [ pass 1 ][ pass 2 ]         each at most a batch, ending at a legal cut
//	   [───── removal ────]         what all passes take, less what is protected
//
// All passes together are one range, one summary, one record.

// removal is what goes when everything unprotected before an entry is taken. A
// plan compares a few of them, each more than once, so they are added up once.
type removal struct {
	to      int        // the entry
	removed model.Size // messages that go
	formers model.Size // the former summaries among them
	opened  int        // the compactions among them that only their provider can read
	saved   int64      // what clearing would have freed of it
	summary int64      // tokens of its summary
}

// removal adds up what goes before an entry.
func (b *Planner) removal(to int) removal {
	l := b.l
	t := removal{to: to, removed: model.Size{Messages: to - b.low, Tokens: l.Span(b.low, to)}, saved: b.savedBefore(to)}
	for _, k := range b.kept {
		if k.from >= to {
			break
		}
		t.removed.Messages -= k.to - k.from
		t.removed.Tokens -= l.Span(k.from, k.to)
	}
	for _, i := range l.summaries {
		switch goes := int(i) >= b.low && int(i) < to && !b.protected(int(i)); {
		case goes && slices.Contains(b.opened, i):
			t.opened++
		case goes:
			t.formers.Messages++
			t.formers.Tokens += int64(l.tokens[i])
		}
	}
	t.summary = b.summaryTokens(&t)
	return t
}

// summarises reports whether a text takes the place of what goes.
func (t *removal) summarises(p *model.Policy) bool {
	n := t.removed.Messages
	if p.Checkpoints == model.LoseCheckpoints {
		n -= t.opened
	}
	return n > 0 && p.Strategy != model.Drop
}

// summaryTokens estimates the summary: the former summaries it takes in and a share
// of the rest, at most the budget. Old results count as cleared, so that the next
// check, which finds them cleared, estimates the same.
func (b *Planner) summaryTokens(t *removal) int64 {
	if !t.summarises(b.p) {
		return 0
	}
	if b.o.SummaryTokens > 0 {
		return int64(b.o.SummaryTokens)
	}
	guess := t.formers.Tokens + (t.removed.Tokens-t.formers.Tokens-t.saved)/planShare
	if n := budgetTokens(b.plan.Budget); n > 0 {
		guess = min(guess, int64(n))
	}
	return guess
}

// passes extends what is taken until no clause fires and the target is met.
func (b *Planner) passes() {
	pl := b.plan
	if b.p.Strategy == model.ClearOnly {
		b.conclude(len(b.cleared) > 0, b.notCleared)
		return
	}
	if !b.o.Manual && len(b.cleared) > 0 && b.satisfied(&b.removed) {
		b.conclude(true, Reason{})
		return
	}
	refused := b.nothingLeft()
	for pl.Passes == 0 || !b.satisfied(&b.removed) {
		t, ok, why := b.pass()
		if !ok {
			if pl.Passes == 0 {
				refused = why
			}
			break
		}
		b.removed = t
		pl.Passes++
	}
	b.conclude(pl.Passes > 0 || len(b.cleared) > 0, refused)
}

func (b *Planner) conclude(acts bool, otherwise Reason) {
	b.plan.Outcome = WouldApply
	if !acts {
		b.plan.Outcome, b.plan.Why = WouldRefuse, otherwise
	}
}

func (b *Planner) nothingLeft() Reason {
	if b.high <= b.low {
		return Reason{Code: "nothing", N: int64(b.l.Len())}
	}
	return Reason{Code: "all-kept"}
}

// pass finds what the next pass takes: everything before the largest legal cut
// within the batch; if that frees less than the minimum gain, before the smallest
// legal cut beyond the batch that frees enough and does not reach into the tail. It
// returns false and the reason if there is none.
func (b *Planner) pass() (removal, bool, Reason) {
	l := b.l
	if b.removed.to >= b.high {
		return removal{}, false, b.nothingLeft()
	}
	last := l.CutBefore(b.high)
	if last <= b.removed.to {
		return removal{}, false, b.nothingLeft()
	}
	to := last
	if b.p.Batch.N > 0 {
		if to = l.CutBefore(min(l.batchTo(b.removed.to, b.p.Batch), b.high)); to <= b.removed.to {
			to = l.CutAfter(b.removed.to + 1)
		}
	}
	t := b.removal(to)
	if ok, why := b.gainsEnough(&t); ok {
		return t, true, Reason{}
	} else if to >= last {
		return removal{}, false, why
	}
	whole := b.removal(last)
	if ok, why := b.gainsEnough(&whole); !ok { // a longer pass never frees less: when all is not enough, nothing is
		return removal{}, false, why
	}
	for to = l.CutAfter(to + 1); to < last; to = l.CutAfter(to + 1) {
		t = b.removal(to)
		if ok, _ := b.gainsEnough(&t); ok {
			return t, true, Reason{}
		}
	}
	return whole, true, Reason{}
}

// gainsEnough reports whether a longer removal than the present one frees the
// minimum gain.
func (b *Planner) gainsEnough(t *removal) (bool, Reason) {
	switch {
	case t.removed.Messages == 0:
		return false, b.nothingLeft()
	case t.opened > b.removed.opened: // of a size that is not known: what goes with it can't be measured
		return true, Reason{}
	case t.removed.Messages == t.formers.Messages: // summarising summaries again frees nothing for long
		return false, Reason{Code: "only-former"}
	case b.steps != (StepWindow{}): // which asks for no gain
		return true, Reason{}
	}
	msgs := b.messagesFreed(t) - b.messagesFreed(&b.removed)
	toks := b.tokensFreed(t) - b.tokensFreed(&b.removed)
	if least := max(0, b.p.MinGain.Messages); msgs < least {
		return false, Reason{Code: "gain-messages", N: int64(msgs), M: int64(least)}
	}
	if least := max(1, int64(b.p.MinGain.Tokens)); toks < least {
		return false, Reason{Code: "gain-tokens", N: toks, M: least}
	}
	return true, Reason{}
}

// messagesFreed is how many fewer messages there are after a removal, former
// summaries not counted: that they could be merged is no reason to compact.
func (b *Planner) messagesFreed(t *removal) int {
	n := t.removed.Messages - t.formers.Messages
	if n > 0 && b.p.Strategy != model.Drop {
		n-- // the summary is a new message
	}
	return n
}

// tokensFreed is how many tokens a removal frees if former summaries keep their
// present size: that a summary could be made shorter a second time is no reason
// to compact.
func (b *Planner) tokensFreed(t *removal) int64 {
	fresh := t.removed.Tokens - t.formers.Tokens - t.saved
	return fresh - max(0, t.summary-t.formers.Tokens)
}
