package session

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"palimpsest/compaction"
	"palimpsest/compaction/auto"
	"palimpsest/compaction/steps"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// embeddedDocument is the history of an agent that runs elsewhere, in the format
// that its program saves; nil: its events are of a conversation of agents.
func embeddedDocument(ctx context.Context, from model.Journal, id string) ([]byte, error) {
	var document func([]model.Event) ([]byte, error)
	var all []model.Event
	for e, err := range model.EventsOf(ctx, from.Events, id, 0) {
		switch {
		case err != nil:
			return nil, err
		case document != nil:
		case e.Kind == model.EventAgentState:
			document = auto.StateOf
		case e.Kind == model.EventSteps:
			document = steps.SnapshotOf
		default:
			return nil, nil
		}
		all = append(all, *e)
	}
	if document == nil {
		return nil, nil
	}
	b, err := document(all)
	if err != nil {
		return nil, &model.Problem{Code: "damaged-conversation", What: fmt.Sprintf("The history of agent %s can't be read.", id),
			Why: err.Error(), Next: "Put back a backup of the database.", Err: err}
	}
	return b, nil
}

// EmbeddedRecord is the record of a compaction that a running agent made of the
// history a journal keeps under this ID, and its originals: the history as it was
// before, in the format that the agent saves. It is like that of a compaction of
// such a file.
func EmbeddedRecord(ctx context.Context, id string, c *model.Compacted, opt Options) (*model.Record, model.Originals, error) {
	name := ConversationName(id)
	src := model.Originals{Source: bytes.NewReader(c.Document), Size: int64(len(c.Document)), SHA256: sha256.Sum256(c.Document)}
	d, err := transcript.Read(ctx, name, src.Source, src.Size, transcript.Options{Format: c.Format})
	if err != nil {
		return nil, src, err
	}
	opt.Verb = true // the agent's own list has the summary already
	f := NewFile(d, opt)
	s, err := f.Session(ctx, Ref{Thread: c.Thread}, nil)
	if err != nil {
		return nil, src, err
	}
	r := &model.Record{UID: f.opt.UID(), Time: c.Time.UTC(), Cause: c.Cause, Policy: c.Policy, Strategy: c.Policy.Strategy,
		Model: c.Model, At: len(s.thread.History), Outcome: c.Outcome, Reason: c.Reason, Duration: c.Duration, Verb: true,
		KeyPoints: c.KeyPoints}
	r.Before = s.Overlay().Size(c.Policy)
	r.After, r.Compactable = r.Before, s.Overlay().newLine(0).Compactable()
	s.describeSource(r)
	r.Base = s.Records.baseOf(s.Overlay())
	if c.Outcome != model.Applied {
		return r, src, nil
	}
	if c.LeftOut && r.Reason == "" {
		r.Reason = "left out at the hard limit"
	}
	r.Summary, r.Output = c.Summary, name
	r.OutputSHA = f.summaryHash(r.Summary)
	if err := describeTaken(s, r, c); err != nil {
		return nil, src, err
	}
	if c.SentAfter != "" {
		r.Before.Tokens, r.After.Tokens = int64(s.CountText(c.SentBefore)), int64(s.CountText(c.SentAfter))
	}
	src.Texts = s.coveredTexts(r)
	return r, src, nil
}

// describeTaken sets what a record says of what went. Pieces of the live list are
// counted in the order in which they are in the document.
func describeTaken(s *Session, r *model.Record, c *model.Compacted) error {
	l := s.Overlay().newLine(0)
	taken, err := takenPieces(s, l, c)
	if err != nil {
		return err
	}
	fate := model.Summarised
	if c.LeftOut {
		fate = model.Dropped
	}
	var gone []int32
	for i := range l.Len() {
		m, h, place := l.Item(i).Msg, l.History(i), placeOf(l, i)
		run := model.RecordRun{From: place, To: place, Fate: model.Kept.String(), Tokens: int64(l.Tokens(i))}
		if h >= 0 {
			run.To++
		}
		if !taken[i] {
			if l.Copy(i) {
				run.Copies = 1
			}
			r.Live = append(r.Live, model.Item{Msg: m})
			r.Runs = appendRun(r.Runs, run)
			continue
		}
		if len(gone) == 0 {
			r.Live = append(r.Live, model.Item{Msg: -1, Record: r.UID})
		}
		run.Fate, run.Reason = fate.String(), r.Reason
		r.Runs = appendRun(r.Runs, run)
		gone = append(gone, m)
		r.Covered++
		r.After.Tokens -= run.Tokens
		switch rec := s.lineage.records[m]; {
		case h >= 0 && r.Range.To == 0:
			r.Range = model.Range{From: h, To: h + 1}
		case h >= 0:
			r.Range.To = h + 1
		case rec != nil:
			r.Parents = append(r.Parents, rec.ID)
		}
	}
	r.Runs = numbered(s.CountedThread, r.Runs)
	r.Formers = formersIn(r.Runs)
	r.After.Messages += 1 - r.Covered
	r.After.Tokens += int64(s.CountText(r.Summary))
	r.RangeSHA, err = s.bytesHash(gone)
	return err
}

// appendRun adds an entry to the runs, to the last one if it goes on with it.
func appendRun(runs []model.RecordRun, r model.RecordRun) []model.RecordRun {
	if k := len(runs) - 1; k >= 0 && r.To > r.From && runs[k].To > runs[k].From && runs[k].To == r.From && runs[k].Fate == r.Fate {
		runs[k].To, runs[k].Tokens = r.To, runs[k].Tokens+r.Tokens
		return runs
	}
	return append(runs, r)
}

// takenPieces reports which entries of the live list went: those of which no
// piece stays. A piece within another is a part of it.
func takenPieces(s *Session, l *compaction.Line, c *model.Compacted) ([]bool, error) {
	type piece struct {
		model.Span
		entry int
	}
	var pieces []piece
	for i := range l.Len() {
		for _, p := range s.thread.Messages[l.Item(i).Msg].Pieces {
			pieces = append(pieces, piece{p.Span, i})
		}
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.Off, b.Off) })
	taken, stays := make([]bool, l.Len()), make([]bool, l.Len())
	k, end := -1, int64(-1)
	for _, p := range pieces {
		if p.Off >= end {
			k, end = k+1, p.End()
		}
		if k >= c.Take.From && k < c.Take.To && !slices.Contains(c.Kept, k) {
			taken[p.entry] = true
		} else {
			stays[p.entry] = true
		}
	}
	if c.Take.From < 0 || c.Take.To > k+1 || c.Take.From >= c.Take.To {
		return nil, fmt.Errorf("the compaction takes entries %d to %d of %d", c.Take.From, c.Take.To, k+1)
	}
	for i := range taken {
		taken[i] = taken[i] && !stays[i]
	}
	return taken, nil
}
