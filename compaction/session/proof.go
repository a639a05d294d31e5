package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"palimpsest/compaction"
	"palimpsest/model"
)

// Below is the records that a record was made on, bottom first.
func Below(ctx context.Context, st Store, rec *model.Record) ([]*model.Record, error) {
	stack, err := StackOf(ctx, st, rec)
	if err != nil {
		return nil, err
	}
	return stack[:len(stack)-1], nil
}

// Taken is what a record took out of the list that the records below it left,
// in the order of the list: messages, and summaries of these records. The
// session must be of the record's history.
func (s *Session) Taken(below []*model.Record, rec *model.Record) []model.Item {
	if rec.Outcome != model.Applied || rec.Cause == model.CauseRestore || rec.At > len(s.thread.History) {
		return nil
	}
	stays := make(map[int32]bool, len(rec.Live))
	summaries := map[string]bool{}
	for _, it := range rec.Live {
		if it.Msg < 0 {
			summaries[it.Record] = true
		} else {
			stays[it.Msg] = true
		}
	}
	var out []model.Item
	for _, it := range s.liveItems(below, rec.At) {
		if it.Msg < 0 && !summaries[it.Record] || it.Msg >= 0 && !stays[it.Msg] {
			out = append(out, it)
		}
	}
	return out
}

// PlanOf is the plan of a record's policy on the list that the records below it
// left: what its trigger measured and what its rules decided.
func (s *Session) PlanOf(below []*model.Record, rec *model.Record) *compaction.Plan {
	at := min(rec.At, len(s.thread.History))
	line := compaction.NewLine(compaction.Source{
		Thread: s.thread, At: at, Items: s.liveItems(below, at), Fixed: max(0, rec.Policy.Fixed),
		Tokens:        s.itemTokens,
		SummaryTokens: func(id string) int32 { return s.summaryTokens(below, id) },
		SummaryChars:  func(it model.Item) int { return s.summaryChars(below, it) },
	})
	return line.Plan(rec.Policy, compaction.Options{Manual: rec.Cause == model.CauseManual})
}

// Hashes is a SHA-256 as it was noted and as it is now, in hexadecimal.
type Hashes struct{ Recorded, Computed string }

// Equal reports whether both are known and the same.
func (h Hashes) Equal() bool { return h.Recorded != "" && h.Recorded == h.Computed }

// Proof sets what a record says of its originals beside what they are.
type Proof struct {
	Source   Hashes // of the whole input file
	Range    Hashes // of the bytes of the messages it took
	Messages int    // that it took, all of them read
}

// Complete reports whether the originals are those that the record was made of.
func (p Proof) Complete() bool { return p.Source.Equal() && p.Range.Equal() }

// Prove reads the originals of a record from the session's source and computes
// their hashes. The source may have grown since: its beginning is what counts.
func (s *Session) Prove(ctx context.Context, below []*model.Record, rec *model.Record) (Proof, error) {
	p := Proof{Source: Hashes{Recorded: rec.SourceSHA}, Range: Hashes{Recorded: rec.RangeSHA}}
	sum := sha256.New()
	size := min(rec.SourceSize, s.file.Doc.Size)
	if _, err := io.Copy(sum, &contextReader{ctx, io.NewSectionReader(s.file.Doc.Source, 0, size)}); err != nil {
		return p, fmt.Errorf("read the originals: %w", err)
	}
	p.Source.Computed = hex.EncodeToString(sum.Sum(nil))
	taken := messagesOf(s.Taken(below, rec))
	p.Messages = len(taken)
	var err error
	p.Range.Computed, err = s.bytesHash(taken)
	return p, err
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
func (s *Session) bytesHash(messages []int32) (string, error) {
	sum := sha256.New()
	for _, m := range messages {
		for _, p := range s.thread.Messages[m].Pieces {
			b, err := s.file.Doc.Bytes(p.Span)
			if err != nil {
				return "", fmt.Errorf("read the covered bytes: %w", err)
			}
			sum.Write(b)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// contextReader reads until its context is done.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}
