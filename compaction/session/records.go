package session

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Records is the stack of records that are applied to a session, and what changes
// it. Every change is stored before it takes effect.
type Records struct {
	s        *Session
	changing sync.Mutex      // held while a record is made, stored and put on the stack or off it
	stack    []*model.Record // bottom first; guarded by the session's mu
	base     string          // record the file was written from, for verbs
}

// Apply stores exactly the draft and puts its record on the stack. A draft of an
// earlier state is refused, and so is one whose plan does not apply; when the
// store fails the session is unchanged.
func (rs *Records) Apply(ctx context.Context, d *Draft) (*model.Record, error) {
	rs.changing.Lock()
	defer rs.changing.Unlock()
	made, err := rs.Applied(d)
	if err != nil {
		return nil, err
	}
	if err := SaveAll(ctx, made); err != nil {
		return nil, err
	}
	return made.Record, nil
}

// Unsaved is a record that was made and is not stored yet. Nothing rests on it.
type Unsaved struct {
	Record *model.Record
	of     *Records
	aside  bool // it is put on no stack
}

// Applied makes the record of a draft that may be applied now.
func (rs *Records) Applied(d *Draft) (Unsaved, error) {
	rec, _, err := rs.prepare(d)
	return Unsaved{Record: rec, of: rs}, err
}

// SaveAll stores records of one file, all or none, and puts those that were applied on
// their stacks.
func SaveAll(ctx context.Context, list ...Unsaved) error {
	if err := saveAll(ctx, list); err != nil {
		return err
	}
	for _, u := range list {
		if u.aside || u.Record.Outcome != model.Applied {
			continue
		}
		s := u.of.s
		s.mu.Lock()
		u.of.stack = append(u.of.stack, u.Record)
		s.version++
		s.mu.Unlock()
	}
	return nil
}

// prepare makes the record of a draft that may be applied now, and the overlay
// with it on top.
func (rs *Records) prepare(d *Draft) (*model.Record, Overlay, error) {
	if err := transcript.Confirmed(rs.s.file.Doc); err != nil {
		return nil, Overlay{}, err
	}
	version, o := rs.s.snapshot()
	if err := mayApply(d, version, o); err != nil {
		return nil, o, err
	}
	rec, err := rs.record(d, o, model.Applied, "")
	if err != nil {
		return nil, o, err
	}
	return rec, o.push(rec), nil
}

// mayApply returns why a draft can't be applied to the session as it is now.
func mayApply(d *Draft, version int, o Overlay) error {
	p := &model.Problem{What: "The draft was not applied."}
	switch {
	case o.sketch:
		p.Code, p.Why, p.Next = "counting", "The tokens of this history are still being counted.", "Try again when they are."
	case d.Plan.Outcome != compaction.WouldApply:
		p.Code, p.Why, p.Next = "refused", d.Plan.Why.String()+".", "Change the parameters."
	case len(d.Flaws) > 0 && !d.Accepted:
		p.Code, p.Why, p.Next = "flawed", (&FlawedError{d.Flaws}).Error()+".", "Read it; edit it, ask again, or accept it as it is."
	case version != d.version:
		p.Code, p.Why, p.Next = "stale-draft", "The session changed since it was made.", "Preview again."
	case o.Later(d.Plan) != nil:
		p.Code, p.Why = "later-record", fmt.Sprintf("Record %s was made later in the history and would be lost behind it.", o.top())
		p.Next = "Plan at the end of the history, or restore that record first."
	default:
		return nil
	}
	return p
}

// Note stores how a compaction ended that changed nothing: refused, failed or
// cancelled. d may be nil when not even a plan was made.
func (rs *Records) Note(ctx context.Context, d *Draft, p model.Policy, outcome model.Outcome, reason string) (*model.Record, error) {
	made, err := rs.Noted(d, p, outcome, reason)
	if err != nil {
		return nil, err
	}
	return made.Record, SaveAll(ctx, made)
}

// Noted makes the record that [Records.Note] stores.
func (rs *Records) Noted(d *Draft, p model.Policy, outcome model.Outcome, reason string) (Unsaved, error) {
	if d == nil {
		d = rs.s.failedDraft(p, compaction.Options{Manual: true})
	}
	rec, err := rs.record(d, rs.s.Overlay(), outcome, reason)
	return Unsaved{Record: rec, of: rs}, err
}

// Compact is draft and apply in one step, with a record whatever the outcome.
// The record holds the outcome; the error is the failure behind it, nil for
// applied and refused. A record that could not be stored is an error without
// record.
func (rs *Records) Compact(ctx context.Context, p model.Policy, o compaction.Options, pr Progress) (*model.Record, error) {
	if err := transcript.Confirmed(rs.s.file.Doc); err != nil {
		return nil, err
	}
	d, err := rs.s.Draft(ctx, p, o, pr)
	if err != nil {
		return rs.noteError(ctx, rs.s.failedDraft(p, o), p, err)
	}
	if d.Plan.Outcome != compaction.WouldApply {
		return rs.Note(ctx, d, p, model.Refused, Refusal(d.Plan, rs.s.Estimated()))
	}
	pr.report(PhaseSave, 0, 0)
	rec, err := rs.Apply(ctx, d)
	if errors.Is(err, context.Canceled) {
		return rs.noteError(ctx, d, p, err)
	}
	return rec, err
}

func (rs *Records) noteError(ctx context.Context, d *Draft, p model.Policy, err error) (*model.Record, error) {
	outcome, reason := Ending(err)
	rec, noteErr := rs.Note(context.WithoutCancel(ctx), d, p, outcome, reason)
	return rec, errors.Join(err, noteErr)
}

// Ending is the outcome and reason to note for an error that ended a
// compaction.
func Ending(err error) (model.Outcome, string) {
	if errors.Is(err, context.Canceled) {
		return model.Cancelled, "stopped before it was done"
	}
	return model.Failed, err.Error()
}

// Refusal returns why a plan does not apply. When no clause fires that is how far
// each one is, in their order. Estimated is whether its tokens are.
func Refusal(pl *compaction.Plan, estimated bool) string {
	sizes := compaction.SizesOf(estimated, &pl.Policy)
	if pl.Outcome != compaction.WouldWait || pl.Why.Code != "not-triggered" || len(pl.Clauses) == 0 {
		return strings.TrimPrefix(pl.Why.Text(sizes), "refused: ")
	}
	far := make([]string, len(pl.Clauses))
	for i, c := range pl.Clauses {
		far[i] = c.Reason().Text(sizes)
	}
	return strings.Join(far, "; ")
}

// saveAll stores records; with undone one is a restore that switches those off.
func saveAll(ctx context.Context, list []Unsaved, undone ...string) error {
	var recs []*model.Record
	for _, u := range list {
		if u.of.s.file.opt.Store == nil {
			u.Record.ID = "R-" + u.Record.UID[:8]
			continue
		}
		recs = append(recs, u.Record)
	}
	if len(recs) == 0 {
		return nil
	}
	f := list[0].of.s.file
	err := f.opt.Store.SaveRecords(ctx, recs, func(i int) model.Originals {
		src := model.Originals{SHA256: f.Doc.SHA256, Texts: list[i].of.s.coveredTexts(list[i].Record)}
		src.Source, src.Size = f.Doc.File()
		return src
	}, undone...)
	if err != nil {
		return fmt.Errorf("save the record: %w", err)
	}
	return nil
}

// coveredTexts are the texts of the messages that a record took out of the
// history, one a message, for the search after them. Only a record that was
// applied took any.
func (t *CountedThread) coveredTexts(rec *model.Record) iter.Seq2[string, error] {
	if rec.Outcome != model.Applied {
		return nil
	}
	return func(yield func(string, error) bool) {
		for _, run := range rec.Runs {
			if !run.Taken() {
				continue
			}
			for _, stored := range t.thread.History[run.From:run.To] {
				text, err := t.searchText(stored)
				if !yield(text, err) || err != nil {
					return
				}
			}
		}
	}
}

// describeSource sets what a record says of the thread it was made of.
func (t *CountedThread) describeSource(r *model.Record) {
	doc := t.file.Doc
	r.Session, r.Path, r.Format, r.FieldMap = t.file.Title(t.ref.Conversation), doc.Path, doc.Format, transcript.MapOf(doc)
	r.SourceSHA = doc.Hash()
	_, r.SourceSize = doc.File()
	r.Conversation, r.Thread, r.Agent = t.ref.Conversation, t.ref.Thread, t.thread.AgentID
	r.Counted = t.counter.Name()
	if r.Fitted = nil; t.fit.Calls > 0 {
		r.Fitted = &model.Fitted{Factor: t.fit.Factor, Calls: t.fit.Calls, Unseen: t.fit.UnseenAt(r.At)}
	}
}

// record makes the self-contained record of a draft on an overlay.
func (rs *Records) record(d *Draft, o Overlay, outcome model.Outcome, reason string) (*model.Record, error) {
	s, pl := rs.s, d.Plan
	r := &model.Record{
		UID: s.file.opt.UID(), Time: s.file.opt.Now().UTC(),
		Cause: d.cause, Policy: pl.Policy, Strategy: pl.Policy.Strategy,
		At: pl.Line.At(), Before: pl.Before, After: pl.Before, Compactable: pl.Line.Compactable(),
		Duration: d.took, Outcome: outcome, Reason: reason, Runs: numbered(s.CountedThread, RecordRuns(pl)),
		Verb: s.file.opt.Verb, Base: rs.baseOf(o),
	}
	s.describeSource(r)
	if list, ok := compaction.Changed(r.Policy); ok {
		r.Changed = new(len(list))
	}
	if d.Asked != nil {
		a := *d.Asked
		a.Accepted = d.Accepted && len(d.Flaws) > 0
		r.Asked, r.Model, r.Prompt = &a, a.Model, a.Template
	}
	if outcome != model.Applied {
		return r, nil
	}
	r.Reason = d.Instead
	r.After, r.Summary, r.KeyPoints, r.Edited = pl.After, d.Text.Text, d.Text.KeyPoints, d.Edited
	r.Live = pl.Apply(r.UID)
	if r.Facts = d.tallies; r.Facts == nil {
		r.Facts = Tallies(s.Insight.Survive(pl, d.Text.Text))
	}
	if r.Facts != nil {
		r.FactsBy = facts.Extractor
	}
	r.Covered, r.Formers = pl.Removed.Messages, pl.Formers()
	r.Range, r.Parents = pl.Covered(), parents(pl, o)
	var err error
	r.RangeSHA, err = s.bytesHash(takenBy(pl))
	return r, err
}

// baseOf is the record that the next one is made on: at the bottom of the stack
// that which the file was written from.
func (rs *Records) baseOf(o Overlay) string {
	switch {
	case len(o.stack) > 0:
		return o.top()
	case o.lineage.parent != nil:
		return o.lineage.parent.ID
	}
	return rs.base
}

// takenBy are the stored messages that a plan takes, in the order of the list.
func takenBy(pl *compaction.Plan) []int32 {
	var taken []model.Item
	pl.Takes(func(i int) { taken = append(taken, pl.Line.Item(i)) })
	return messagesOf(taken)
}

// parents are the records whose summaries a plan takes along, also those that are in the
// file since it was written from them.
func parents(pl *compaction.Plan, o Overlay) (ids []string) {
	pl.Takes(func(i int) {
		if pl.Line.History(i) >= 0 {
			return
		}
		if rec := o.summaryRecord(pl.Line.Item(i)); rec != nil {
			ids = append(ids, rec.ID)
		}
	})
	return ids
}

// Went is what a plan takes: messages, and former summaries apart from them.
func Went(pl *compaction.Plan) (messages, formers int) {
	formers = pl.Formers()
	return pl.Removed.Messages - formers, formers
}

// RecordRuns are a plan's fates in history indices, as records and the JSON
// output have them. Entries the history does not hold (summaries) are runs with
// From == To, at the place where they are.
func RecordRuns(pl *compaction.Plan) []model.RecordRun {
	out := make([]model.RecordRun, 0, pl.Runs.Len())
	l := pl.Line
	for _, r := range pl.Runs.All() {
		for i, next := r.From, 0; i < r.To; i = next {
			from := placeOf(l, i)
			to := from
			next = i + 1
			copies := 0
			if l.Copy(i) {
				copies = 1
			}
			if l.History(i) >= 0 {
				for next < r.To && l.History(next) == l.History(next-1)+1 {
					next++
				}
				to = from + next - i
			}
			out = append(out, model.RecordRun{From: from, To: to, Fate: r.Fate.String(),
				Reason: compaction.Reason{Code: r.Why}.String(), Tokens: l.Span(i, next), Copies: copies})
		}
	}
	return out
}

// formersIn counts the former summaries among what went.
func formersIn(runs []model.RecordRun) (n int) {
	for _, run := range runs {
		if run.Taken() && run.Messages() == 0 {
			n++
		}
	}
	return n
}

// placeOf is the history index of an entry, or of the next one that has an index.
func placeOf(l *compaction.Line, i int) int {
	for ; i < l.Len(); i++ {
		if h := l.History(i); h >= 0 {
			return h
		}
	}
	return l.At()
}
