package session

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// coveredTexts are the texts of the messages that a record took out of the
// history, one a message: what it shall be found by once they are gone. Only a
// record that was applied took any.
func (s *Session) coveredTexts(rec *model.Record) iter.Seq2[string, error] {
	if rec.Outcome != model.Applied {
		return nil
	}
	return func(yield func(string, error) bool) {
		for _, run := range rec.Runs {
			if run.Fate != model.Summarised.String() && run.Fate != model.Dropped.String() {
				continue
			}
			for h := run.From; h < run.To; h++ {
				text, err := s.wholeText(s.thread.History[h])
				if !yield(text, err) || err != nil {
					return
				}
			}
		}
	}
}

// wholeText is all that a stored message says, with the names of the tools it
// calls.
func (s *Session) wholeText(stored int32) (string, error) {
	parts, err := s.file.Doc.Parts(&s.thread.Messages[stored])
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range parts {
		switch p.Kind {
		case model.PartMedia, model.PartOpaque:
			continue
		case model.PartCall:
			b.WriteString(p.Name)
			b.WriteByte('\n')
		}
		b.WriteString(p.Text)
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// Draft is a draft of this session: a plan with its text, and the state it was
// made on.
type Draft struct {
	*compaction.Draft
	version int
	started time.Time
	took    time.Duration
	cause   model.Cause
	instead string // what was done in place of the policy's strategy, and why

	// Flaws is what is wrong with the answer of a model; such a draft is applied
	// only after Accept.
	Flaws    []summarize.Flaw
	asked    *model.Asked // nil: no model was asked
	accepted bool
}

// Instead says what was done in place of the policy's strategy, and why; "" when
// nothing was.
func (d *Draft) Instead() string { return d.instead }

// Asked tells of the enquiry that a model answered; nil when none was.
func (d *Draft) Asked() *model.Asked { return d.asked }

// Accepted reports whether somebody wants the draft in spite of its flaws.
func (d *Draft) Accepted() bool { return d.accepted }

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
	return s.Instead(ctx, p, o, err, pr)
}

// Instead makes the draft that a policy wants when a summary can't be made,
// which failed with err. When the policy keeps everything that is the error
// itself.
func (s *Session) Instead(ctx context.Context, p model.Policy, o compaction.Options, err error, pr Progress) (*Draft, error) {
	q, instead, ok := compaction.Instead(p, func() model.Size { return s.Plan(p, o).Before })
	if !ok {
		return nil, err
	}
	d, again := s.draft(ctx, q, o, pr)
	if again != nil {
		return nil, errors.Join(err, again)
	}
	d.instead = fmt.Sprintf("%s, because the summary failed: %v", instead, err)
	d.asked = unanswered(err)
	return d, nil
}

// unanswered is what a record keeps of an answer that was not taken.
func unanswered(err error) *model.Asked {
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

// unattended asks a model for a draft that nobody reads first: flaws are a
// failure.
func (s *Session) unattended(ctx context.Context, p model.Policy, o compaction.Options, pr Progress) (*Draft, error) {
	e, err := s.Enquire(ctx, p, o, Asking{}, pr)
	if err != nil {
		return nil, err
	}
	pr.tell(PhaseSummarise, 0, 0)
	d, err := s.Ask(ctx, e, func(h summarize.Heard) {
		if h.Delta == "" {
			pr.tell(PhaseSummarise, h.Done, h.Calls)
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
		return s.unattended(ctx, p, o, pr)
	}
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
	if err := s.whole(d.Plan); err != nil {
		return nil, err
	}
	return &Draft{Draft: d, version: version, started: started, took: s.file.opt.Now().Sub(started), cause: causeOf(o)}, nil
}

// whole checks that a plan breaks no tool call.
func (s *Session) whole(pl *compaction.Plan) error {
	if pl.Outcome != compaction.WouldApply {
		return nil
	}
	if n := compaction.NewFaults(s.thread, lineItems(pl.Line), pl.Apply("draft")); n > 0 {
		return fmt.Errorf("the plan would break %d tool calls; this is a fault of the program", n)
	}
	return nil
}

// undrafted is what stands for a draft that could not be made.
func (s *Session) undrafted(p model.Policy, o compaction.Options) *Draft {
	d := &Draft{Draft: &compaction.Draft{Plan: s.Plan(p, o)}, started: s.file.opt.Now(), cause: causeOf(o)}
	if p.Strategy.Asks() && s.file.opt.Model != nil {
		if m, err := s.file.opt.Model(); err == nil && m != nil {
			d.asked = &model.Asked{Host: m.Host, Model: m.Name}
		}
	}
	return d
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
	e.Flaws = nil // of the model's text; this one a person wrote
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
	return s.summariseWith(ctx, pl, s.file.opt.Summarise, summariesOf(stack), pr)
}

// summariesOf gives the text of a record's summary by its UID.
func summariesOf(stack []*model.Record) func(uid string) string {
	return func(uid string) string {
		if r := recordOf(stack, uid); r != nil {
			return r.Summary
		}
		return ""
	}
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
	q := summarize.Request{Entries: entries, Strategy: pl.Policy.Strategy, Budget: pl.Budget, Count: s.CountText,
		TurnsBefore: s.turnsBefore(entries)}
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

// turnsBefore is how many turns of the history were over before the first of
// the entries that has a place in it.
func (s *Session) turnsBefore(entries []summarize.Entry) int {
	at := slices.IndexFunc(entries, func(e summarize.Entry) bool { return e.Former == "" && e.Msg != nil })
	if at < 0 {
		return 0
	}
	h := s.History() // which has them counted: a replay asks at every firing
	n := h.Turns(min(entries[at].Num-1, h.Len()))
	if !entries[at].Msg.Typed() {
		n-- // it goes on with a turn that had begun
	}
	return max(0, n)
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
