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
	started time.Time
	took    time.Duration
	cause   model.Cause
	instead string // what was done in place of the policy's strategy, and why
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

// Progress tells how far a compaction is. done and total count messages of the
// phase; total is 0 where there is nothing to count.
type Progress func(p Phase, done, total int)

func (p Progress) tell(ph Phase, done, total int) {
	if p != nil {
		p(ph, done, total)
	}
}

// Draft plans with a policy and makes the summary text; nothing is changed and
// nothing is stored. A draft whose plan does not apply says why in its plan.
//
// When the text can't be made, the policy's OnFailure decides: another draft
// that says what it stands for, or the summariser's error.
func (s *Session) Draft(ctx context.Context, p model.Policy, o compaction.Options, pr Progress) (*Draft, error) {
	d, err := s.draft(ctx, p, o, pr)
	if err == nil || ctx.Err() != nil {
		return d, err
	}
	q, instead, ok := compaction.Instead(p, func() model.Size { return s.Plan(p, o).Before })
	if !ok {
		return nil, err
	}
	d, again := s.draft(ctx, q, o, pr)
	if again != nil {
		return nil, errors.Join(err, again)
	}
	d.instead = fmt.Sprintf("%s, because the summary failed: %v", instead, err)
	return d, nil
}

func (s *Session) draft(ctx context.Context, p model.Policy, o compaction.Options, pr Progress) (*Draft, error) {
	started := s.file.opt.Now()
	pr.tell(PhaseRange, 0, 0)
	line, version, stack := s.lineFor(p)
	d, err := compaction.MakeDraft(ctx, line, p, o, func(ctx context.Context, pl *compaction.Plan) (compaction.Text, error) {
		return s.summarise(ctx, pl, stack, pr)
	})
	if err != nil {
		return nil, err
	}
	pr.tell(PhaseCheck, 0, 0)
	if d.Plan.Outcome == compaction.WouldApply {
		if n := compaction.NewFaults(s.thread, lineItems(line), d.Plan.Apply("draft")); n > 0 {
			return nil, fmt.Errorf("the plan would break %d tool calls; this is a fault of the program", n)
		}
	}
	return &Draft{Draft: d, version: version, started: started, took: s.file.opt.Now().Sub(started), cause: causeOf(o)}, nil
}

// undrafted is what stands for a draft that could not be made.
func (s *Session) undrafted(p model.Policy, o compaction.Options) *Draft {
	return &Draft{Draft: &compaction.Draft{Plan: s.Plan(p, o)}, started: s.file.opt.Now(), cause: causeOf(o)}
}

func causeOf(o compaction.Options) model.Cause {
	if o.Manual {
		return model.CauseManual
	}
	return model.CauseAutomatic
}

// Edit is the draft with a text written by hand.
func (s *Session) Edit(d *Draft, text string) *Draft {
	e := *d
	e.Draft = d.Draft.Edit(compaction.Text{Text: text, Tokens: s.CountText(text)})
	return &e
}

func (s *Session) snapshot() (int, []*model.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version, append([]*model.Record(nil), s.stack...)
}

func lineItems(l *compaction.Line) []model.Item {
	items := make([]model.Item, l.Len())
	for i := range items {
		items[i] = l.Item(i)
	}
	return items
}

// summarise reads what the plan takes and makes the text by the plan's
// strategy.
func (s *Session) summarise(ctx context.Context, pl *compaction.Plan, stack []*model.Record, pr Progress) (compaction.Text, error) {
	return s.summariseWith(ctx, pl, s.file.opt.Summarise, func(uid string) string {
		if r := recordOf(stack, uid); r != nil {
			return r.Summary
		}
		return ""
	}, pr)
}

// summariseWith makes the text with a given function; former gives the texts of
// earlier summaries by the record that the plan's line names.
func (s *Session) summariseWith(ctx context.Context, pl *compaction.Plan, write func(context.Context, summarize.Request) (summarize.Result, error),
	former func(record string) string, pr Progress) (compaction.Text, error) {
	entries, err := s.entries(ctx, pl, former, pr)
	if err != nil {
		return compaction.Text{}, err
	}
	pr.tell(PhaseSummarise, 0, 0)
	q := summarize.Request{Entries: entries, Strategy: pl.Policy.Strategy, Budget: pl.Budget, Count: s.CountText}
	if q.Strategy == model.Ledger {
		if q.Facts, err = s.ledgerFacts(ctx, pl, former); err != nil {
			return compaction.Text{}, err
		}
	}
	r, err := write(ctx, q)
	if err != nil {
		return compaction.Text{}, err
	}
	return compaction.Text{Text: r.Text, Tokens: s.CountText(r.Text), KeyPoints: r.KeyPoints}, nil
}

func (s *Session) entries(ctx context.Context, pl *compaction.Plan, former func(record string) string, pr Progress) ([]summarize.Entry, error) {
	entries := make([]summarize.Entry, 0, pl.Removed.Messages)
	var failed error
	pl.Takes(func(i int) {
		if failed != nil {
			return
		}
		if len(entries)%64 == 0 {
			failed = ctx.Err()
			pr.tell(PhaseRead, len(entries), pl.Removed.Messages)
		}
		e, err := s.entry(pl.Line, i, former)
		if err != nil {
			failed = err
		}
		entries = append(entries, e)
	})
	return entries, failed
}

// entry decodes one message that goes. Summaries, ours or found in the file,
// come as former summaries.
func (s *Session) entry(l *compaction.Line, i int, former func(record string) string) (summarize.Entry, error) {
	it := l.Item(i)
	e := summarize.Entry{Num: standsAt(l, i) + 1} // copies a found compaction kept have no number of their own
	if it.Msg < 0 {
		e.Former = former(it.Record)
		return e, nil
	}
	e.Msg = &s.thread.Messages[it.Msg]
	parts, err := s.file.Doc.Parts(e.Msg)
	if err != nil {
		return e, fmt.Errorf("read message %d: %w", e.Num, err)
	}
	e.Parts = parts
	if e.Msg.Kind == model.KindSummary {
		for _, p := range parts {
			if p.Kind == model.PartText {
				e.Former += p.Text
			}
		}
	}
	return e, nil
}
