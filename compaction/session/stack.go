package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// StackOf is the records a record was made on, bottom first, with the record
// itself on top: what its compacted transcript is made of. At the bottom is the
// file, whatever record that was written from.
func StackOf(ctx context.Context, st Store, rec *model.Record) ([]*model.Record, error) {
	stack := []*model.Record{rec}
	for r := rec; r.Base != ""; {
		below, err := st.Record(ctx, r.Base)
		if err != nil {
			return nil, fmt.Errorf("look for record %s, on which %s is built: %w", r.Base, r.ID, err)
		}
		if !sameSource(below, rec) || len(stack) > 1<<16 {
			break
		}
		stack = append(stack, below)
		r = below
	}
	slices.Reverse(stack)
	return stack, nil
}

// Linked reports whether the ranges of two records mean the same messages: they are
// of one thread of one file, or of files that were written from each other's
// records.
func Linked(ctx context.Context, st Store, a, b *model.Record) bool {
	if a.Thread != b.Thread || a.Conversation != b.Conversation {
		return false
	}
	return reaches(ctx, st, a, b) || reaches(ctx, st, b, a)
}

// reaches reports whether the file of a record is among those that another one goes
// back to.
func reaches(ctx context.Context, st Store, from, to *model.Record) bool {
	for range 1 << 10 {
		if from.Path == to.Path || from.SourceSHA == to.SourceSHA {
			return true
		}
		if from.Base == "" || st == nil {
			return false
		}
		below, err := st.Record(ctx, from.Base)
		if err != nil {
			return false
		}
		from = below
	}
	return false
}

// sameSource reports whether a record was made on the file of another one, or on a beginning
// of it: a session with records may have grown since. A file that was written from the other
// one is another file, and so is a recorded conversation, which is written as a whole each time.
func sameSource(below, rec *model.Record) bool {
	_, recorded := ConversationID(rec.Path)
	return below.SourceSHA == rec.SourceSHA || !recorded &&
		below.Path == rec.Path && below.SourceSize < rec.SourceSize && below.OutputSHA != rec.SourceSHA
}

// ownRecord reports whether a record was made on the thread.
func (t *CountedThread) ownRecord(r *model.Record) bool {
	return r.Conversation == t.ref.Conversation && r.Thread == t.ref.Thread
}

// load finds the records that apply to the thread: the newest one that is on, and
// those it was made on.
func (rs *Records) load(ctx context.Context) error {
	st := rs.s.file.opt.Store
	if st == nil {
		return nil
	}
	list, err := st.SourceRecords(ctx, rs.s.file.Doc.Hash())
	if err != nil {
		return fmt.Errorf("look for records of this file: %w", err)
	}
	earlier, err := rs.prefixRecords(ctx)
	if err != nil {
		return fmt.Errorf("look for records of this file when it was shorter: %w", err)
	}
	list = append(earlier, list...)
	slices.SortStableFunc(list, func(a, b model.Record) int { return a.Time.Compare(b.Time) })
	byID := map[string]*model.Record{}
	var top *model.Record
	for i := range list {
		r := &list[i]
		if rs.s.ownRecord(r) && r.Outcome == model.Applied && r.Cause != model.CauseRestore && !r.Off && !r.Verb {
			byID[r.ID] = r
			top = r
		}
	}
	var stack []*model.Record
	for r := top; r != nil; r = byID[r.Base] {
		stack = append(stack, r)
		if r.Base == "" || byID[r.Base] == nil && madeOnOther(ctx, st, r) {
			slices.Reverse(stack)
			rs.stack = stack
			return nil
		}
	}
	return nil // a record it was made on is gone: the originals are shown
}

// Reload reads anew which records apply to the thread, after others changed them in
// the store.
func (rs *Records) Reload(ctx context.Context) error {
	rs.changing.Lock()
	defer rs.changing.Unlock()
	now := Records{s: rs.s}
	if err := now.load(ctx); err != nil || rs.s.file.opt.Store == nil {
		return err
	}
	rs.s.mu.Lock()
	defer rs.s.mu.Unlock()
	if !sameRecords(rs.stack, now.stack) {
		rs.stack = now.stack
		rs.s.version++
	}
	return nil
}

func sameRecords(a, b []*model.Record) bool {
	return slices.EqualFunc(a, b, func(a, b *model.Record) bool { return a.ID == b.ID })
}

// madeOnOther reports whether the record below one is of another file, which this
// one was written from.
func madeOnOther(ctx context.Context, st Store, rec *model.Record) bool {
	below, err := st.Record(ctx, rec.Base)
	return err == nil && !sameSource(below, rec)
}

// prefixRecords finds the records that were made on the file when it was shorter
// and still apply to its beginning.
func (rs *Records) prefixRecords(ctx context.Context) ([]model.Record, error) {
	doc := rs.s.file.Doc
	list, err := rs.s.file.opt.Store.PathRecords(ctx, doc.Path)
	if err != nil {
		return nil, err
	}
	applies := map[string]bool{} // by the hash of the shorter file
	var out []model.Record
	for _, r := range list {
		if r.SourceSHA == doc.Hash() || r.SourceSize >= doc.Size || r.Outcome != model.Applied || !rs.s.ownRecord(&r) {
			continue
		}
		ok, known := applies[r.SourceSHA]
		if !known {
			if ok, err = rs.s.extendsPrefix(ctx, r.SourceSHA, r.SourceSize); err != nil {
				return nil, err
			}
			applies[r.SourceSHA] = ok
		}
		if ok {
			out = append(out, r)
		}
	}
	return out, nil
}

// extendsPrefix reports whether document and thread only add to a former file of this
// hash and size in bytes.
func (t *CountedThread) extendsPrefix(ctx context.Context, sha string, size int64) (bool, error) {
	doc := t.file.Doc
	if doc.Packed != nil {
		return false, nil // nothing is appended to an archive
	}
	prefix := io.NewSectionReader(doc.Source, 0, size)
	sum, err := hashOf(ctx, prefix, size)
	if err != nil || sum != sha {
		return false, err
	}
	d, err := transcript.Read(ctx, doc.Path, prefix, size, transcript.Rereading(doc))
	var p *model.Problem
	if errors.As(err, &p) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	short := threadAt(d, t.ref)
	return short != nil && extends(short, t.thread), nil
}
