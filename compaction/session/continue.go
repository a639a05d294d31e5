package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"

	"palimpsest/model"
	"palimpsest/model/tokens"
	"palimpsest/model/transcript"
)

// Longer is the file as a longer document that holds the present one as its
// prefix (see [transcript.Follower]). Sessions are taken along by [File.Continue].
func (f *File) Longer(d *model.Document) *File {
	g := *f
	g.Doc = d
	return &g
}

// Continue makes the session of a thread that has become longer. What was
// counted before is not counted again. The session it continues stays as it is;
// [Session.TakeOver] moves its state along.
func (f *File) Continue(ctx context.Context, former *Session) (*Session, error) {
	ref, ok := f.sameThread(former)
	if !ok {
		return nil, &model.Problem{Code: "thread-gone", What: "The thread is not in the file any more.",
			Why: "The file was reordered while it grew.", Next: "Choose another thread."}
	}
	return f.prepare(ctx, ref, former, nil)
}

// sameThread finds a thread in a longer document: where it was, unless threads
// that begin earlier came in before it.
func (f *File) sameThread(former *Session) (Ref, bool) {
	same := func(r Ref) bool {
		if r.Conversation >= len(f.Doc.Conversations) || r.Thread >= len(f.Doc.Conversations[r.Conversation].Threads) {
			return false
		}
		t := f.Doc.Conversations[r.Conversation].Threads[r.Thread]
		return t.Kind == former.thread.Kind && t.ID == former.thread.ID
	}
	r := former.ref
	if r.Thread == 0 && r.Conversation < len(f.Doc.Conversations) || same(r) {
		return r, true
	}
	for _, ch := range f.Choices() {
		if ch.Conversation == r.Conversation && same(ch.Ref) {
			return ch.Ref, true
		}
	}
	return Ref{}, false
}

// TakeOver gives the session the parameters of the one it continues, their undo
// history, the position, and the records that stand. Records are left behind, and
// returned, when the thread has no longer the messages that they were made on, as
// after a rewind: they stay stored with all they were made on.
func (s *Session) TakeOver(former *Session) (left []*model.Record) {
	former.mu.Lock()
	policy, undo, redo := former.policy, slices.Clone(former.undo), slices.Clone(former.redo)
	stack, at, base := slices.Clone(former.stack), former.at, former.base
	former.mu.Unlock()
	if at == len(former.thread.History) {
		at = len(s.thread.History) // it was at the end, and stays there
	}
	if len(stack) > 0 && !extends(former.thread, s.thread) {
		stack, left = nil, stack
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policy, s.undo, s.redo = s.adopt(policy), undo, redo
	s.stack, s.at, s.base = stack, min(at, len(s.thread.History)), base
	s.version++
	return left
}

// extends reports whether a thread holds all of a shorter one where it was: then
// records on the shorter one say the same of the longer one. The last message
// may have got more parts. A compaction of the file that took effect right behind
// the shorter one contradicts them.
func extends(short, long *model.Thread) bool {
	n := len(short.History)
	if len(long.Messages) < len(short.Messages) || len(long.History) < n || !slices.Equal(short.History, long.History[:n]) {
		return false
	}
	for i := range short.Messages {
		if !sameStart(&short.Messages[i], &long.Messages[i]) {
			return false
		}
	}
	resets := 0
	for resets < len(long.Resets) && long.Resets[resets].At <= n {
		resets++
	}
	return slices.EqualFunc(short.Resets, long.Resets[:resets], func(a, b model.Reset) bool {
		return a.At == b.At && slices.Equal(a.Base, b.Base)
	})
}

func sameStart(a, b *model.Message) bool {
	if len(a.Pieces) == 0 || len(b.Pieces) == 0 {
		return len(a.Pieces) == len(b.Pieces)
	}
	return a.Pieces[0].Span == b.Pieces[0].Span && a.Kind == b.Kind
}

// counted tells what the messages of a session weigh, for a longer thread with
// the same ones. A nil session has counted nothing.
func (s *Session) counted(enc tokens.Encoding) func(*model.Message) (int32, bool) {
	if s == nil || s.sketch || s.counter.Encoding() != enc {
		return func(*model.Message) (int32, bool) { return 0, false }
	}
	at := make(map[model.Span]int32, len(s.thread.Messages))
	for i := range s.thread.Messages {
		if p := s.thread.Messages[i].Pieces; len(p) > 0 {
			at[p[0].Span] = int32(i)
		}
	}
	return func(m *model.Message) (int32, bool) {
		if len(m.Pieces) == 0 {
			return 0, false
		}
		i, ok := at[m.Pieces[0].Span]
		if !ok || !sameContent(&s.thread.Messages[i], m) {
			return 0, false
		}
		return s.counts.raw[i], true
	}
}

// sameContent reports whether two readings of a message have the same pieces,
// whatever copies of them there are.
func sameContent(a, b *model.Message) bool {
	content := func(m *model.Message) []model.Piece {
		return slices.DeleteFunc(slices.Clone(m.Pieces), func(p model.Piece) bool { return p.Duplicate })
	}
	return a.Kind == b.Kind && slices.Equal(content(a), content(b))
}

// prefixRecords finds the records that were made on the file when it was
// shorter and still stand: a record stands on the prefix it was made on.
func (s *Session) prefixRecords(ctx context.Context) ([]model.Record, error) {
	doc := s.file.Doc
	list, err := s.file.opt.Store.PathRecords(ctx, doc.Path)
	if err != nil {
		return nil, err
	}
	stands := map[string]bool{}
	var out []model.Record
	for _, r := range list {
		if r.SourceSHA == doc.Hash() || r.SourceSize >= doc.Size || r.Outcome != model.Applied ||
			r.Conversation != s.ref.Conversation || r.Thread != s.ref.Thread {
			continue
		}
		ok, known := stands[r.SourceSHA]
		if !known {
			if ok, err = s.extendsPrefix(ctx, r.SourceSHA, r.SourceSize); err != nil {
				return nil, err
			}
			stands[r.SourceSHA] = ok
		}
		if ok {
			out = append(out, r)
		}
	}
	return out, nil
}

// extendsPrefix reports whether the document begins with a former file and the
// thread with what it was there.
func (s *Session) extendsPrefix(ctx context.Context, sha string, size int64) (bool, error) {
	doc := s.file.Doc
	prefix := io.NewSectionReader(doc.Source, 0, size)
	sum := sha256.New()
	if _, err := io.Copy(sum, prefix); err != nil {
		return false, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != sha {
		return false, nil
	}
	d, err := transcript.Read(ctx, doc.Path, prefix, size, transcript.Rereading(doc))
	var p *model.Problem
	if errors.As(err, &p) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if s.ref.Conversation >= len(d.Conversations) || s.ref.Thread >= len(d.Conversations[s.ref.Conversation].Threads) {
		return false, nil
	}
	return extends(d.Conversations[s.ref.Conversation].Threads[s.ref.Thread], s.thread), nil
}
