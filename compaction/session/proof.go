package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"palimpsest/compaction"
	"palimpsest/model"
)

// Taken is what a record took out of the list that the records of the overlay
// left, in the order of the list: messages, and summaries of these records. The
// overlay must be of the record's history.
func (o Overlay) Taken(rec *model.Record) []model.Item {
	if rec.Outcome != model.Applied || rec.Cause == model.CauseRestore || rec.At > len(o.thread.History) {
		return nil
	}
	type entry struct {
		stored  int32
		summary string
	}
	stays := make(map[entry]bool, len(rec.Live))
	for _, it := range rec.Live {
		stays[entry{it.Msg, it.Record}] = true
	}
	return slices.DeleteFunc(o.upTo(rec.At).Items(), func(it model.Item) bool { return stays[entry{it.Msg, it.Record}] })
}

// Gone is why a message of the history is not among those that plans are made on.
type Gone struct {
	Later  bool          // it comes after the position that plans are made at
	Record *model.Record // the record in force that took it; nil: none did
	Found  int           // number of the compaction in the file that took it, from 1; 0: none did
}

// Gone is why a message is not in the live list, given its place in the history.
func (s *Session) Gone(at int) Gone {
	o := s.Overlay()
	if at >= o.at {
		return Gone{Later: true}
	}
	stored := o.thread.History[at]
	for i, r := range o.stack {
		took := func(it model.Item) bool { return it.Record == "" && it.Msg == stored }
		if r.At <= o.at && slices.ContainsFunc(s.With(o.stack[:i]).Taken(r), took) {
			return Gone{Record: r}
		}
	}
	for i, f := range o.found {
		if at < f.At && f.At <= o.at && !f.Clearing {
			return Gone{Found: i + 1}
		}
	}
	return Gone{}
}

// PlanOf is the plan of a record's policy on the list that the records of the
// overlay left: what its trigger measured and what its rules decided.
func (o Overlay) PlanOf(rec *model.Record) *compaction.Plan {
	return o.upTo(rec.At).newLine(rec.Policy.Fixed).Plan(rec.Policy, compaction.Options{Manual: rec.Cause == model.CauseManual})
}

// Hashes is a SHA-256 as it was noted and as it is now, in hexadecimal.
type Hashes struct{ Recorded, Computed string }

// Equal reports whether both are known and the same.
func (h Hashes) Equal() bool { return h.Recorded != "" && h.Recorded == h.Computed }

// Proof compares what a record says of its originals with what they are.
type Proof struct {
	Source   Hashes // of the whole input file
	Range    Hashes // of the bytes of the messages it took
	Messages int    // that it took, all of them read
	Formers  int    // former summaries that it took
}

// Prove reads the originals of a record, made on those of the overlay, from the
// source and computes their hashes. The source may have grown since: its
// beginning is what counts.
func (o Overlay) Prove(ctx context.Context, rec *model.Record) (Proof, error) {
	p := Proof{Source: Hashes{Recorded: rec.SourceSHA}, Range: Hashes{Recorded: rec.RangeSHA}}
	doc := o.file.Doc
	file, size := doc.File()
	var err error
	if p.Source.Computed, err = hashOf(ctx, file, min(rec.SourceSize, size)); err != nil {
		return p, fmt.Errorf("read the originals: %w", err)
	}
	taken := o.Taken(rec)
	for _, it := range taken {
		if it.Msg < 0 || o.thread.Messages[it.Msg].Kind == model.KindSummary {
			p.Formers++
		} else {
			p.Messages++
		}
	}
	p.Range.Computed, err = o.bytesHash(messagesOf(taken))
	return p, err
}

// Refuted reads the originals of stored records, and says of each compaction that took
// other messages than it claims which it is. One that stands on a record which is not
// there can't be looked at.
func Refuted(ctx context.Context, st Store, records iter.Seq2[*model.Record, error]) (found []string, err error) {
	var s *Session // of the record before
	defer func() {
		if s != nil {
			s.file.Close()
		}
	}()
	for rec, err := range records {
		if err != nil {
			return nil, err
		}
		stack, err := StackOf(ctx, st, rec)
		if err != nil || rec.Outcome != model.Applied || rec.Cause == model.CauseRestore || rec.RangeSHA == "" {
			continue
		}
		if s == nil || s.file.Doc.Hash() != rec.SourceSHA || s.ref != (Ref{rec.Conversation, rec.Thread}) {
			f, err := OpenOriginals(ctx, st, rec)
			if err != nil {
				return nil, err
			}
			if s != nil {
				s.file.Close()
			}
			if s, err = f.OriginalSession(ctx, rec); err != nil {
				return nil, errors.Join(err, f.Close())
			}
		}
		p, err := s.With(stack[:len(stack)-1]).Prove(ctx, rec)
		if err != nil {
			return nil, err
		}
		if !p.Range.Equal() {
			found = append(found, fmt.Sprintf("%s took other messages than it says: their SHA-256 is %.12s, it says %.12s",
				rec.ID, p.Range.Computed, rec.RangeSHA))
		} else if p.Messages+p.Formers != rec.Covered || p.Formers != rec.Formers {
			found = append(found, fmt.Sprintf("%s took %d messages and %d summaries, not %d and %d as it says", rec.ID,
				p.Messages, p.Formers, rec.Covered-rec.Formers, rec.Formers))
		}
	}
	return found, nil
}

// messagesOf are the stored messages among the entries of a list.
func messagesOf(items []model.Item) []int32 {
	out := make([]int32, 0, len(items))
	for _, it := range items {
		if it.Msg >= 0 {
			out = append(out, it.Msg)
		}
	}
	return out
}

// bytesHash is the SHA-256 over the source bytes of messages, in their order.
func (t *CountedThread) bytesHash(messages []int32) (string, error) {
	sum := sha256.New()
	for _, m := range messages {
		for _, p := range t.thread.Messages[m].Pieces {
			b, err := t.file.Doc.Bytes(p.Span)
			if err != nil {
				return "", fmt.Errorf("read the covered bytes: %w", err)
			}
			sum.Write(b)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// hashOf is the SHA-256 of the first bytes of a source as records spell it.
func hashOf(ctx context.Context, src io.ReaderAt, size int64) (string, error) {
	sum, _, err := model.HashOf(ctx, src, size, nil)
	return hex.EncodeToString(sum[:]), err
}

// contextWriter counts what it writes and stops when its context does.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
	n   int64
}

// Write implements io.Writer.
func (c *contextWriter) Write(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
