package compaction

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"palimpsest/model"
)

// Text is a summary text, measured.
type Text struct {
	Text      string
	Tokens    int
	KeyPoints []string
}

// Summariser makes the summary of what a plan takes. It gets the plan and reads
// the texts itself. It must not keep the plan after it returns, and honours ctx.
type Summariser func(ctx context.Context, p *Plan) (Text, error)

// ErrEmpty says that a summariser gave no text.
var ErrEmpty = errors.New("the summary is empty")

// Draft is a plan with its summary text: exactly what applying will store.
type Draft struct {
	Plan   *Plan
	Text   Text
	Edited bool

	planned *Plan // before the text was measured
}

// MakeDraft plans and has the summary made. The plan is first made with an
// estimated summary; if the real text is larger and a clause would still fire,
// it is made again with the real size, so that an automatic check on the result
// does nothing.
//
// A plan that does not apply is returned as a draft without text. The error is
// the summariser's; then nothing is to be applied.
func MakeDraft(ctx context.Context, l *Line, p model.Policy, o Options, sum Summariser) (*Draft, error) {
	pl := l.Plan(p, o)
	var text Text
	for range maxReplans {
		if pl.Outcome != WouldApply || pl.Insert < 0 {
			return &Draft{Plan: pl}, nil
		}
		var err error
		if text, err = sum(ctx, pl); err != nil {
			return nil, fmt.Errorf("summarise: %w", err)
		}
		if strings.TrimSpace(text.Text) == "" {
			return nil, ErrEmpty
		}
		o.SummaryTokens = max(1, text.Tokens)
		again := l.Plan(p, o)
		if again.Outcome != WouldApply {
			return finish(refuse(pl, again.Why), text), nil
		}
		if again.Taken.To > pl.Taken.To {
			pl = again
			continue
		}
		return finish(pl, text), nil
	}
	return &Draft{Plan: refuse(pl, Reason{Code: "grows", N: int64(text.Tokens)}), Text: text}, nil
}

// maxReplans bounds how often a text may turn out too large for its plan; each
// time the range grows.
const maxReplans = 8

// finish puts the real size of the summary into the plan and refuses a draft
// that would not make the list smaller.
func finish(pl *Plan, text Text) *Draft {
	d := &Draft{Plan: pl.resized(text.Tokens), Text: text, planned: pl}
	switch removed := d.Plan.Removed.Tokens; {
	case strings.TrimSpace(text.Text) == "":
		d.Plan = refuse(d.Plan, Reason{Code: "empty"})
	case d.Plan.openedAt() > 0: // whose size is not known
	case int64(text.Tokens) >= removed && pl.Steps == (StepWindow{}):
		d.Plan = refuse(d.Plan, Reason{Code: "not-smaller", N: int64(text.Tokens), M: removed})
	}
	return d
}

// refuse is the plan refused for a reason. Its fates still show what was tried.
func refuse(pl *Plan, why Reason) *Plan {
	q := *pl
	q.Outcome, q.Why = WouldRefuse, why
	return &q
}

// Edit is the draft with another text, marked as edited by hand. It must have a
// text already.
func (d *Draft) Edit(text Text) *Draft {
	e := finish(d.planned, text)
	e.Edited = true
	e.Text.KeyPoints = d.Text.KeyPoints
	return e
}

// Apply returns the live list that results: without what is taken, with the
// summary of record in the place of the first message taken, and cleared results
// marked. The plan must be one that applies.
func (p *Plan) Apply(record string) []model.Item {
	out := make([]model.Item, 0, p.After.Messages)
	for _, r := range p.Runs.All() {
		if p.Insert >= r.From && p.Insert < r.To {
			out = append(out, model.Item{Msg: -1, Record: record})
		}
		if r.Goes() {
			continue
		}
		for i := r.From; i < r.To; i++ {
			it := p.Line.Item(i)
			it.Cleared = it.Cleared || r.Fate == model.Cleared
			out = append(out, it)
		}
	}
	return out
}

// ClearedNote is the text in place of a cleared tool result of so many tokens.
func ClearedNote(tokens int) string {
	return fmt.Sprintf("[tool result cleared by compaction: about %d tokens]", tokens)
}

// Takes calls f for every entry the plan summarises or drops, in order.
func (p *Plan) Takes(f func(entry int)) {
	for _, r := range p.Runs.All() {
		if !r.Goes() {
			continue
		}
		for i := r.From; i < r.To; i++ {
			f(i)
		}
	}
}
