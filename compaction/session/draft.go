package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// Draft is a draft of this session: a plan with its text, and the state it was
// made on.
type Draft struct {
	*compaction.Draft
	version int
	took    time.Duration
	cause   model.Cause
	tallies []model.FactTally // what survives, see [Insight.Tally]; nil: the index says it

	Instead string // what was done in place of the policy's strategy, and why; "": nothing was

	// Flaws is what is wrong with the answer of a model; such a draft is applied
	// only after Accept.
	Flaws    []summarize.Flaw
	Asked    *model.Asked // the enquiry that a model answered; nil: none was asked
	Accepted bool         // somebody wants the draft in spite of its flaws
}

// Phase is what a compaction is busy with.
type Phase string

const (
	PhaseRange     Phase = "range"     // choosing what goes
	PhaseRead      Phase = "read"      // reading the originals
	PhaseSummarise Phase = "summarise" // making the text
	PhaseCheck     Phase = "check"     // size, groups, provider rules
	PhaseSave      Phase = "save"      // record and originals
)

// Progress is called with how far a compaction is. done and total count messages of the
// phase; total is 0 where there is nothing to count.
type Progress func(p Phase, done, total int)

func (p Progress) report(ph Phase, done, total int) {
	if p != nil {
		p(ph, done, total)
	}
}

// Draft plans with a policy and makes the summary text; nothing is changed and
// nothing is stored. A draft whose plan does not apply says why in its plan.
//
// When the text can't be made, the policy's OnFailure decides: another draft
// that says what it is instead of, or the summariser's error.
func (s *Session) Draft(ctx context.Context, p model.Policy, o compaction.Options, pr Progress) (*Draft, error) {
	d, err := s.draft(ctx, p, o, pr)
	if err == nil || ctx.Err() != nil {
		return d, err
	}
	return s.Instead(ctx, p, o, err, pr)
}

// Instead makes the draft that a policy wants when a summary can't be made,
// which failed with err. When the policy keeps everything that is the error
// itself.
func (s *Session) Instead(ctx context.Context, p model.Policy, o compaction.Options, err error, pr Progress) (*Draft, error) {
	q, instead, ok := compaction.Instead(p, func() *compaction.Line { return s.Plan(p, o).Line })
	if !ok {
		return nil, err
	}
	d, again := s.draft(ctx, q, o, pr)
	if again != nil {
		return nil, errors.Join(err, again)
	}
	d.Instead = fmt.Sprintf("%s, because the summary failed: %v", instead, err)
	d.Asked = rejectedAnswer(err)
	return d, nil
}

// rejectedAnswer is what a record keeps of an answer that was not taken.
func rejectedAnswer(err error) *model.Asked {
	flaws := flawsOf(err)
	if len(flaws) == 0 {
		return nil
	}
	a := &model.Asked{}
	for _, f := range flaws {
		a.Flaws = append(a.Flaws, string(f.Code))
	}
	return a
}

// draftByModel asks a model for a draft that nobody reads first: flaws are a
// failure.
func (s *Session) draftByModel(ctx context.Context, p model.Policy, o compaction.Options, pr Progress) (*Draft, error) {
	e, err := s.Enquire(ctx, p, o, Asking{}, pr)
	if err != nil {
		return nil, err
	}
	pr.report(PhaseSummarise, 0, 0)
	if e.Enquiry != nil && s.file.opt.Sending != nil {
		k := s.keeper(e)
		for _, q := range e.Questions {
			if _, ok := k.known(ctx, AnswerKey(k.m, q, e.Ceiling)); ok {
				e.Known++
			}
		}
		s.file.opt.Sending(e)
	}
	d, err := s.Ask(ctx, e, func(h summarize.AskProgress) {
		if h.Delta == "" {
			pr.report(PhaseSummarise, h.Done, h.Calls)
		}
	})
	if err != nil || len(d.Flaws) == 0 {
		return d, err
	}
	if s.file.opt.AcceptFlaws {
		return s.Accept(d), nil
	}
	return nil, &FlawedError{d.Flaws}
}

func (s *Session) draft(ctx context.Context, p model.Policy, o compaction.Options, pr Progress) (*Draft, error) {
	if p.Strategy.Asks() {
		return s.draftByModel(ctx, p, o, pr)
	}
	started := s.file.opt.Now()
	pr.report(PhaseRange, 0, 0)
	line, version, over := s.lineFor(p)
	d, err := compaction.MakeDraft(ctx, line, p, o, func(ctx context.Context, pl *compaction.Plan) (compaction.Text, error) {
		return summariser{s: s, former: over.summary, pr: pr}.write(ctx, pl, s.file.opt.Summarise)
	})
	if err != nil {
		return nil, err
	}
	pr.report(PhaseCheck, 0, 0)
	if err := s.checkCalls(d.Plan); err != nil {
		return nil, err
	}
	out := newDraft(d, version, o)
	out.took = s.file.opt.Now().Sub(started)
	return out, nil
}

// newDraft is a draft of the session at a version.
func newDraft(d *compaction.Draft, version int, o compaction.Options) *Draft {
	if o.Manual {
		return &Draft{Draft: d, version: version, cause: model.CauseManual}
	}
	return &Draft{Draft: d, version: version, cause: model.CauseAutomatic}
}

// checkCalls checks that a plan breaks no tool call.
func (t *CountedThread) checkCalls(pl *compaction.Plan) error {
	if pl.Outcome != compaction.WouldApply {
		return nil
	}
	items := make([]model.Item, pl.Line.Len())
	for i := range items {
		items[i] = pl.Line.Item(i)
	}
	if n := compaction.NewFaults(t.thread, items, pl.Apply("draft")); n > 0 {
		return fmt.Errorf("the plan would break %d tool calls; this is a fault of the program", n)
	}
	return nil
}

// failedDraft takes the place of a draft that could not be made.
func (s *Session) failedDraft(p model.Policy, o compaction.Options) *Draft {
	d := newDraft(&compaction.Draft{Plan: s.Plan(p, o)}, 0, o)
	if p.Strategy.Asks() {
		if m, err := s.file.opt.model(); err == nil {
			s.mu.Lock()
			d.Asked = &model.Asked{Host: m.Host, Model: m.Name, Sent: s.sent}
			s.mu.Unlock()
		}
	}
	return d
}

// Edit is the draft with a text written by hand.
func (s *Session) Edit(d *Draft, text string) *Draft {
	e := *d
	e.Draft = d.Draft.Edit(compaction.Text{Text: text, Tokens: s.CountText(text)})
	e.Flaws = nil // of the model's text; this one a person wrote
	return &e
}

// Witnessed is the draft of a compaction that another program makes, with the reason that
// its record gives, and with that program's summary, unless it is "": not known.
func Witnessed(s *Session, d *Draft, text, reason string) *Draft {
	e := *d
	e.Instead = reason
	if text != "" {
		e.Draft = d.Draft.Edit(compaction.Text{Text: text, Tokens: s.CountText(text)})
		e.Draft.Edited, e.Draft.Text.KeyPoints = false, nil
		pl := *e.Plan
		pl.Policy.Strategy = model.ModelText
		e.Draft.Plan = &pl
	}
	return &e
}

// Renew is the draft on the present state of its session, when that was another one
// and is again what it was when the draft was made: after an undo, say. It is the
// draft itself where nothing changed, and nil where its plan would be another one now.
func (d *Draft) Renew(s *Session) *Draft {
	line, version, _ := s.lineFor(d.Plan.Policy)
	if version == d.version {
		return d
	}
	was := d.Plan
	again, err := compaction.MakeDraft(context.Background(), line, was.Policy, compaction.Options{Manual: true},
		func(context.Context, *compaction.Plan) (compaction.Text, error) { return d.Text, nil })
	if err != nil || line.At() != was.Line.At() || again.Plan.Taken != was.Taken || again.Plan.Before != was.Before {
		return nil
	}
	again.Edited = d.Edited
	e := *d
	e.Draft, e.version = again, version
	return &e
}

// Accept is the draft, which has flaws, for somebody who read it and wants it all
// the same.
func (s *Session) Accept(d *Draft) *Draft {
	a := *d
	a.Accepted = true
	return &a
}
