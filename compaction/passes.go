package compaction

import (
	"palimpsest/model"
)

// removal is what goes when everything unprotected before an entry is taken. A
// plan weighs a few of them, each more than once, so that they are added up once.
type removal struct {
	to      int // the entry
	removed model.Size
	formers model.Size // the former summaries among them
	saved   int64      // what clearing would have freed of it
	summary int64      // tokens of the summary that stands for it
}

// removal adds up what goes.
func (b *planner) removal(to int) removal {
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
		if int(i) >= b.low && int(i) < to && !b.protected(int(i)) {
			t.formers.Messages++
			t.formers.Tokens += int64(l.tokens[i])
		}
	}
	t.summary = b.summaryTokens(&t)
	return t
}

// summaryTokens is what the summary is taken for: the former summaries carried
// on and a share of the rest, at most the budget. The guess goes by what the
// messages weigh once old results are cleared, so that the next check, which
// finds them cleared, guesses the same.
func (b *planner) summaryTokens(t *removal) int64 {
	if b.p.Strategy == model.Drop || t.removed.Messages == 0 {
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
