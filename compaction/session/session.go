package session

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"palimpsest/compaction"
	"palimpsest/model"
)

// Session is one thread of a file that is worked on. It joins the parts:
//
//	Session              parameters, position, plan, drafts
//	├─ *CountedThread    the messages and their tokens; immutable
//	├─ Records           the stack of records: apply, restore, apply again
//	├─ Insight           facts of the history, replays of it
//	└─ Overlay()         the thread as the records leave it now; immutable
type Session struct {
	*CountedThread
	Records *Records
	Insight *Insight

	mu       sync.Mutex // guards what follows, and the stack of Records
	at       int        // history position the plans are made at
	policy   model.Policy
	version  int // grows with every change of at or the stack
	line     *compaction.Line
	lineOf   lineKey
	position []int32      // entry of each history position in the line; -1: not live
	sent     []model.Sent // by the last enquiry, where that is kept

	steps stepLayers // has a lock of its own
}

type lineKey struct{ version, fixed int }

// Session opens one thread. It counts every message of it, which takes a
// moment for a large one; progress may be nil, and is called by several
// goroutines at once.
func (f *File) Session(ctx context.Context, ref Ref, progress func(done, total int)) (*Session, error) {
	s, err := f.prepare(ctx, ref, nil, progress)
	if err != nil {
		return nil, err
	}
	return s, s.begin(ctx)
}

// prepare makes the session of a thread without its records. Messages that a
// former session of the same thread has counted are not counted again.
func (f *File) prepare(ctx context.Context, ref Ref, former *CountedThread, progress func(done, total int)) (*Session, error) {
	t := f.thread(ref)
	if err := trace(ctx, t); err != nil {
		return nil, err
	}
	c, err := t.count(ctx, former, progress)
	if err != nil {
		return nil, err
	}
	c.estimated = c.estimated || former != nil && former.counts.estimated && !former.sketch
	t.setCounts(c)
	return newSession(t), nil
}

func newSession(t *CountedThread) *Session {
	s := &Session{CountedThread: t, at: len(t.thread.History), policy: t.adopt(t.file.OpensWith(t.ref))}
	s.Records = &Records{s: s}
	s.Insight = &Insight{s: s, indexing: make(chan struct{}, 1)}
	return s
}

// begin finds the records that apply to the session. A verb begins with the file
// as it is, and notes the record that it was written from.
func (s *Session) begin(ctx context.Context) error {
	st := s.file.opt.Store
	if st == nil || !s.file.opt.Verb {
		return s.Records.load(ctx)
	}
	rec, ok, err := st.ByOutput(ctx, s.file.Doc.Hash())
	if err != nil {
		return fmt.Errorf("look for the record this file was written from: %w", err)
	}
	if ok {
		s.Records.base = rec.ID
	}
	return nil
}

// At is the history position plans are made at: the messages before it have
// been.
func (s *Session) At() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

// SetAt moves that position; it is kept between 0 and the history's length.
func (s *Session) SetAt(at int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at = min(max(at, 0), len(s.thread.History)); at != s.at {
		s.at = at
		s.version++
	}
}

// Stack returns the records that are applied, bottom first.
func (s *Session) Stack() []*model.Record { return s.Overlay().stack }

// Overlay returns the thread as the records leave it, up to the position.
func (s *Session) Overlay() Overlay {
	_, o := s.snapshot()
	return o
}

// snapshot is the overlay with its version.
func (s *Session) snapshot() (int, Overlay) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version, s.overlayLocked()
}

// overlayLocked is Overlay for callers that hold the lock.
func (s *Session) overlayLocked() Overlay {
	return Overlay{CountedThread: s.CountedThread, stack: slices.Clone(s.Records.stack), at: s.at}
}

// Items is the live list as the session's records leave it, up to its position.
func (s *Session) Items() []model.Item { return s.Overlay().Items() }

// SummaryText is the summary of a record of the stack, by its UID.
func (s *Session) SummaryText(uid string) string { return s.Overlay().summary(uid) }

// TakeOver copies the parameters of the session that this one continues, the position,
// and the applied records. Records are left behind, and returned, when the thread no
// longer has the messages that they were made on, as after a rewind: they stay stored
// with all they were made on.
func (s *Session) TakeOver(former *Session) (left []*model.Record) {
	former.mu.Lock()
	policy, stack, at, base := former.policy, slices.Clone(former.Records.stack), former.at, former.Records.base
	former.mu.Unlock()
	if at == len(former.thread.History) {
		at = len(s.thread.History) // it was at the end, and stays there
	}
	if len(stack) > 0 && !extends(former.thread, s.thread) {
		stack, left = nil, stack
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policy = adoptAfter(s.CountedThread, former.CountedThread, policy)
	if at = min(at, len(s.thread.History)); at != s.at || !sameRecords(stack, s.Records.stack) {
		s.version++
	}
	s.Records.stack, s.at, s.Records.base = stack, at, base
	return left
}
