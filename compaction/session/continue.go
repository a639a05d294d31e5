package session

import (
	"context"
	"slices"

	"palimpsest/model"
	"palimpsest/model/tokens"
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
	ref, ok := f.sameThread(former.CountedThread)
	if !ok {
		return nil, &model.Problem{Code: "thread-gone", What: "The thread is not in the file any more.",
			Why: "The file was reordered while it grew.", Next: "Choose another thread."}
	}
	return f.prepare(ctx, ref, former.CountedThread, nil)
}

// sameThread finds a thread in a longer document: where it was, unless threads
// that begin earlier came in before it.
func (f *File) sameThread(former *CountedThread) (Ref, bool) {
	same := func(r Ref) bool {
		t := threadAt(f.Doc, r)
		return t != nil && t.Kind == former.thread.Kind && t.ID == former.thread.ID
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

// counted looks up the counts of messages that a longer thread has as well. A nil
// thread has counted nothing.
func (t *CountedThread) counted(enc tokens.Encoding) func(*model.Message) (int32, bool) {
	if t == nil || t.sketch || t.counter.Encoding() != enc {
		return func(*model.Message) (int32, bool) { return 0, false }
	}
	at := make(map[model.Span]int32, len(t.thread.Messages))
	for i := range t.thread.Messages {
		if p := t.thread.Messages[i].Pieces; len(p) > 0 {
			at[p[0].Span] = int32(i)
		}
	}
	return func(m *model.Message) (int32, bool) {
		if len(m.Pieces) == 0 {
			return 0, false
		}
		i, ok := at[m.Pieces[0].Span]
		if !ok || !sameContent(&t.thread.Messages[i], m) {
			return 0, false
		}
		return t.counts.raw[i], true
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
