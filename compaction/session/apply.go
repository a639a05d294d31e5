package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Apply stores exactly the draft and puts its record on the session's stack. A
// draft of an earlier state is refused, and so is one whose plan does not
// apply; when the store fails the session is unchanged.
func (s *Session) Apply(ctx context.Context, d *Draft) (*model.Record, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	rec, _, err := s.prepare(d)
	if err != nil {
		return nil, err
	}
	if err := s.save(ctx, rec); err != nil {
		return nil, err
	}
	s.push(rec)
	return rec, nil
}

// prepare makes the record of a draft that may be applied now, and the stack
// with it on top.
func (s *Session) prepare(d *Draft) (*model.Record, []*model.Record, error) {
	if err := transcript.Confirmed(s.file.Doc); err != nil {
		return nil, nil, err
	}
	if s.sketch {
		return nil, nil, &model.Problem{Code: "counting", What: "The draft was not applied.", Why: "The tokens of this history are still being counted.",
			Next: "Try again when they are."}
	}
	if d.Plan.Outcome != compaction.WouldApply {
		return nil, nil, &model.Problem{Code: "refused", What: "The draft was not applied.", Why: d.Plan.Why.String() + ".", Next: "Change the parameters."}
	}
	if len(d.Flaws) > 0 && !d.accepted {
		return nil, nil, &model.Problem{Code: "flawed", What: "The draft was not applied.", Why: (&FlawedError{d.Flaws}).Error() + ".",
			Next: "Read it; edit it, ask again, or accept it as it is."}
	}
	version, stack := s.snapshot()
	if version != d.version {
		return nil, nil, &model.Problem{Code: "stale-draft", What: "The draft was not applied.",
			Why: "The session changed since it was made.", Next: "Preview again."}
	}
	if k := len(stack); k > 0 && d.Plan.Line.At() < stack[k-1].At {
		return nil, nil, &model.Problem{Code: "later-record", What: "The draft was not applied.",
			Why:  fmt.Sprintf("Record %s was made later in the history and would be lost behind it.", stack[k-1].ID),
			Next: "Plan at the end of the history, or restore that record first."}
	}
	rec, err := s.record(d, stack, model.Applied, "")
	if err != nil {
		return nil, nil, err
	}
	return rec, append(stack, rec), nil
}

func (s *Session) push(rec *model.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stack = append(s.stack, rec)
	s.version++
}

// Note stores how a compaction ended that changed nothing: refused, failed or
// cancelled. d may be nil when not even a plan was made.
func (s *Session) Note(ctx context.Context, d *Draft, p model.Policy, outcome model.Outcome, reason string) (*model.Record, error) {
	_, stack := s.snapshot()
	if d == nil {
		d = s.undrafted(p, compaction.Options{Manual: true})
	}
	rec, err := s.record(d, stack, outcome, reason)
	if err != nil {
		return nil, err
	}
	return rec, s.save(ctx, rec)
}

// Compact is draft and apply in one step, with a record whatever the outcome.
// The record tells the outcome; the error is the failure behind it, nil for
// applied and refused. A record that could not be stored is an error without
// record.
func (s *Session) Compact(ctx context.Context, p model.Policy, o compaction.Options, pr Progress) (*model.Record, error) {
	if err := transcript.Confirmed(s.file.Doc); err != nil {
		return nil, err
	}
	d, err := s.Draft(ctx, p, o, pr)
	if err != nil {
		return s.noteError(ctx, s.undrafted(p, o), p, err)
	}
	if d.Plan.Outcome != compaction.WouldApply {
		return s.Note(ctx, d, p, model.Refused, Refusal(d.Plan))
	}
	pr.tell(PhaseSave, 0, 0)
	rec, err := s.Apply(ctx, d)
	if errors.Is(err, context.Canceled) {
		return s.noteError(ctx, d, p, err)
	}
	return rec, err
}

func (s *Session) noteError(ctx context.Context, d *Draft, p model.Policy, err error) (*model.Record, error) {
	outcome, reason := Ending(err)
	rec, noteErr := s.Note(context.WithoutCancel(ctx), d, p, outcome, reason)
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

// Refusal says why a plan does not apply. When no clause fires it tells how far
// each one is, in their order.
func Refusal(pl *compaction.Plan) string {
	if pl.Outcome != compaction.WouldWait || pl.Why.Code != "not-triggered" || len(pl.Clauses) == 0 {
		return strings.TrimPrefix(pl.Why.String(), "refused: ")
	}
	far := make([]string, len(pl.Clauses))
	for i, c := range pl.Clauses {
		far[i] = c.Reason().String()
	}
	return strings.Join(far, "; ")
}

func (s *Session) save(ctx context.Context, rec *model.Record) error {
	st := s.file.opt.Store
	if st == nil {
		rec.ID = "R-" + rec.UID[:8]
		return nil
	}
	src := s.originals()
	src.Texts = s.coveredTexts(rec)
	if err := st.SaveRecord(ctx, rec, src); err != nil {
		return fmt.Errorf("save the record: %w", err)
	}
	return nil
}

func (s *Session) originals() model.Originals {
	d := s.file.Doc
	return model.Originals{Source: d.Source, Size: d.Size, SHA256: d.SHA256}
}

// record makes the self-contained record of a draft.
func (s *Session) record(d *Draft, stack []*model.Record, outcome model.Outcome, reason string) (*model.Record, error) {
	doc, pl := s.file.Doc, d.Plan
	r := &model.Record{
		UID: s.file.opt.UID(), Time: d.started.UTC(), Session: s.file.Title(s.ref.Conversation),
		Path: doc.Path, Format: doc.Format, FieldMap: transcript.MapOf(doc), SourceSHA: doc.Hash(), SourceSize: doc.Size,
		Conversation: s.ref.Conversation, Thread: s.ref.Thread, Agent: s.thread.AgentID,
		Cause: d.cause, Policy: pl.Policy, Strategy: pl.Policy.Strategy,
		At: pl.Line.At(), Before: pl.Before, After: pl.Before, Counted: s.counter.Name(),
		Duration: d.took, Outcome: outcome, Reason: reason, Runs: recordRuns(pl),
		Verb: s.file.opt.Verb, Base: s.base,
	}
	if k := len(stack); k > 0 {
		r.Base = stack[k-1].ID
	}
	if d.asked != nil {
		a := *d.asked
		a.Accepted = d.accepted && len(d.Flaws) > 0
		r.Asked, r.Model, r.Prompt = &a, a.Model, a.Template
	}
	if outcome != model.Applied {
		return r, nil
	}
	r.Reason = d.instead
	r.After, r.Summary, r.KeyPoints, r.Edited = pl.After, d.Text.Text, d.Text.KeyPoints, d.Edited
	r.Live = pl.Apply(r.UID)
	if v := s.Survive(pl, d.Text.Text); v != nil {
		r.Facts, r.FactsBy = Tallies(v), facts.Standard.Name()
	}
	r.Covered = pl.Removed.Messages
	r.Range, r.Parents = covered(pl, stack)
	var err error
	r.RangeSHA, err = s.coveredHash(pl)
	return r, err
}

// covered is the range of history indices a plan takes and the records whose
// summaries it takes along.
func covered(pl *compaction.Plan, stack []*model.Record) (model.Range, []string) {
	r := model.Range{From: -1}
	var parents []string
	pl.Takes(func(i int) {
		if h := pl.Line.History(i); h >= 0 {
			if r.From < 0 {
				r.From = h
			}
			r.To = h + 1
			return
		}
		for _, rec := range stack {
			if rec.UID == pl.Line.Item(i).Record {
				parents = append(parents, rec.ID)
			}
		}
	})
	r.From = max(r.From, 0)
	return r, parents
}

// Covers is the range of history indices that a plan takes; what it keeps or
// pins inside is told by its runs.
func Covers(pl *compaction.Plan) model.Range {
	r, _ := covered(pl, nil)
	return r
}

// coveredHash is the SHA-256 over the source bytes of everything that goes, in
// the order of the list.
func (s *Session) coveredHash(pl *compaction.Plan) (string, error) {
	var taken []int32
	pl.Takes(func(i int) {
		if it := pl.Line.Item(i); it.Msg >= 0 {
			taken = append(taken, it.Msg)
		}
	})
	return s.bytesHash(taken)
}

// recordRuns tells a plan's fates in history indices. Entries the history does
// not hold (summaries) are runs with From == To, at the place where they stand.
func recordRuns(pl *compaction.Plan) []model.RecordRun {
	out := make([]model.RecordRun, 0, len(pl.Runs))
	l := pl.Line
	for _, r := range pl.Runs {
		start := -1
		flush := func(end int) {
			if start < 0 || end <= start {
				return
			}
			out = append(out, model.RecordRun{From: l.History(start), To: l.History(end-1) + 1,
				Fate: r.Fate.String(), Reason: compaction.Reason{Code: r.Why}.String(), Tokens: l.Span(start, end)})
			start = -1
		}
		for i := r.From; i < r.To; i++ {
			h := l.History(i)
			switch {
			case h < 0:
				flush(i)
				out = append(out, model.RecordRun{From: standsAt(l, i), To: standsAt(l, i), Fate: r.Fate.String(),
					Reason: compaction.Reason{Code: r.Why}.String(), Tokens: l.Span(i, i+1)})
			case start < 0:
				start = i
			case h != l.History(i-1)+1:
				flush(i)
				start = i
			}
		}
		flush(r.To)
	}
	return out
}

// standsAt is the history index of the message an entry stands before.
func standsAt(l *compaction.Line, i int) int {
	for ; i < l.Len(); i++ {
		if h := l.History(i); h >= 0 {
			return h
		}
	}
	return l.At()
}

// RecordRuns tells a plan's fates in history indices, as records and the JSON
// output do.
func RecordRuns(pl *compaction.Plan) []model.RecordRun { return recordRuns(pl) }

// Part is one session's share of a file that is written with several changes.
type Part struct {
	Session *Session
	Draft   *Draft
}

// ApplyTo applies drafts of different conversations of one file and writes the file
// they leave, as one act: it is written beside its place and read back, then
// the records are stored with its hash, then it takes its name. If anything
// fails before that, no file appears. The records that were stored are given
// in the order of the parts, also beside an error; nil stands for one that was
// not. A redacted file is not noted as what the records leave.
func ApplyTo(ctx context.Context, path string, force bool, parts []Part, opts ...ExportOption) ([]*model.Record, *Written, error) {
	recs := make([]*model.Record, len(parts))
	stacks := make([][]*model.Record, len(parts))
	changes := make([]*transcript.Change, len(parts))
	x := exportingOf(opts)
	for i, p := range parts {
		rec, stack, err := p.Session.prepare(p.Draft)
		if err != nil {
			return recs, nil, err
		}
		stacks[i], changes[i] = stack, p.Session.change(stack)
		if !x.redact {
			rec.Output = absolute(path)
		}
	}
	file := parts[0].Session.file
	sum := sha256.New()
	var links []transcript.Relink
	out, err := file.write(ctx, path, force, x, func(w io.Writer) error {
		rw, err := transcript.RewriteAll(file.Doc, changes...)
		if err != nil {
			return err
		}
		links = rw.Relinked
		return rw.Edits.Write(io.MultiWriter(w, sum))
	}, func(tmp string) error {
		back, err := file.readBack(ctx, tmp)
		if err != nil {
			return err
		}
		defer back.Close()
		for i, p := range parts {
			if err := p.Session.checkIn(back.Doc, stacks[i]); err != nil {
				return err
			}
		}
		return nil
	}, func() error {
		if err := grown(file.Doc, path); err != nil {
			return err
		}
		for i, p := range parts {
			rec := stacks[i][len(stacks[i])-1]
			if !x.redact {
				rec.OutputSHA = hex.EncodeToString(sum.Sum(nil))
			}
			if err := p.Session.save(ctx, rec); err != nil {
				return err
			}
			p.Session.push(rec)
			recs[i] = rec
		}
		return nil
	})
	if out != nil {
		out.Relinked = links
	}
	return recs, out, err
}

// grown refuses to replace a source that has become longer since it was read:
// what was added would be lost.
func grown(d *model.Document, path string) error {
	in, err := os.Stat(d.Path)
	if err != nil {
		return nil // the source is gone: nothing of it can be replaced
	}
	out, err := os.Stat(path)
	if err != nil || !os.SameFile(in, out) || in.Size() == d.Size {
		return nil
	}
	return &model.Problem{Code: "source-grew", What: fmt.Sprintf("%s was not replaced.", path),
		Why: "It was written to while it was being compacted, and the new messages would be lost.", Next: "Compact it again when its agent has stopped, or write to another file."}
}

// randomUID is a version 4 UUID.
func randomUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, by its contract
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
