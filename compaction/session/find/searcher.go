package find

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/query"
)

// Searcher finds messages of one thread.
type Searcher struct {
	doc    *model.Document
	thread *model.Thread
	list   []int32       // the stored messages that are searched
	nums   []int32       // by stored message: its number in the history; 0: none
	caller []int32       // by stored message: the one that makes its call; -1: none
	clean  []atomic.Bool // by stored message: its bytes spell nothing that a needle misses
}

// scattered are the formats in which the text of a message may lie elsewhere than its
// pieces, or is put in words by the reader: their messages are decoded one by one.
var scattered = map[model.Format]bool{model.FormatInspect: true, model.FormatPi: true}

// New prepares a thread of a document for searches.
func New(d *model.Document, t *model.Thread) *Searcher {
	s := &Searcher{doc: d, thread: t, nums: numbers(t), caller: session.Callers(t), clean: make([]atomic.Bool, len(t.Messages))}
	for i := range t.Messages {
		if s.searched(int32(i)) {
			s.list = append(s.list, int32(i))
		}
	}
	return s
}

// searched reports whether a stored message is one that is found: it is in the history, or a
// summary that a compaction put in, or a prompt that was not sent yet.
func (s *Searcher) searched(stored int32) bool {
	m := &s.thread.Messages[stored]
	return s.nums[stored] > 0 || m.Kind == model.KindSummary || m.Kind == model.KindOther && m.Origin == model.OriginTyped
}

// apart reports whether the bytes of a message say nothing of its text.
func (s *Searcher) apart(m *model.Message) bool {
	return scattered[s.doc.Format] || len(m.Pieces) == 0 ||
		slices.ContainsFunc(m.Pieces, func(p model.Piece) bool { return p.End() > s.doc.Size }) // unpacked from a string
}

// Found is a message that meets a query.
type Found struct {
	Stored int32
	query.Hit
	Snippet Snippet
	Known   *Known // what was known of it; nil: nothing
}

// Known is what a plan and its history say of a message; the zero value: nothing.
type Known struct {
	Tokens int
	Live   bool
	Fate   model.Fate
	Pinned bool
}

// subject is what a query asks about a stored message, with what is known of it;
// nil: nothing is known.
func (s *Searcher) subject(stored int32, k *Known) query.Subject {
	m := &s.thread.Messages[stored]
	sub := query.Subject{Num: int(s.nums[stored]), Msg: m, Summary: m.Kind == model.KindSummary}
	if m.Answers != "" {
		sub.Tool = s.thread.NameOf(stored, s.caller[stored])
	}
	if k != nil {
		sub.Tokens, sub.Live, sub.Fate, sub.Pinned = k.Tokens, k.Live, k.Fate, k.Pinned
	}
	return sub
}

// Each calls found for every message that meets a query, from one goroutine at a time
// and in no order. known is what is known of a stored message beside its text, asked
// from several goroutines; nil: nothing. The error is the context's or the source's.
func (s *Searcher) Each(ctx context.Context, m *query.Matcher, known func(stored int32) Known, found func(Found)) error {
	files, err := s.filesOf(ctx, m)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	return s.walk(ctx, m.Rarest(), func(w *worker, stored int32) error {
		f := Found{Stored: stored}
		if known != nil {
			k := known(stored)
			f.Known = &k
		}
		sub := s.subject(stored, f.Known)
		sub.Files = func(part string) bool { return files[part][stored] || files[part][s.caller[stored]] }
		if !m.May(&sub) {
			return nil
		}
		var parts []model.Part
		if m.Reads() {
			var err error
			if parts, err = s.doc.Parts(sub.Msg); err != nil {
				return err
			}
		}
		hit, ok := m.Match(&sub, parts, &w.scratch)
		if !ok {
			return nil
		}
		if f.Hit = hit; len(hit.Places) > 0 {
			f.Snippet = SnippetOf(w.scratch.First(), hit.Places)
		} else {
			f.Snippet = Snippet{Text: sub.Msg.Preview}
		}
		mu.Lock()
		defer mu.Unlock()
		found(f)
		return nil
	})
}

// filesOf lists, for each path that a query asks for, the messages whose calls name it.
func (s *Searcher) filesOf(ctx context.Context, m *query.Matcher) (map[string]map[int32]bool, error) {
	files := map[string]map[int32]bool{}
	for _, t := range m.Query().Terms {
		for _, v := range t.Values {
			if t.Key != query.File || files[v.Text] != nil {
				continue
			}
			of := map[int32]bool{}
			var mu sync.Mutex
			err := s.walk(ctx, query.FileNeedle(v.Text), func(_ *worker, stored int32) error {
				msg := &s.thread.Messages[stored]
				if len(msg.Calls) == 0 {
					return nil
				}
				parts, err := s.doc.Parts(msg)
				if err == nil && slices.ContainsFunc(parts, func(p model.Part) bool {
					return p.Kind == model.PartCall && query.NamesFile(p.Text, v.Text)
				}) {
					mu.Lock()
					of[stored] = true
					mu.Unlock()
				}
				return err
			})
			if err != nil {
				return nil, err
			}
			files[v.Text] = of
		}
	}
	return files, nil
}

// visitor looks at a message that may be a hit.
type visitor = func(w *worker, stored int32) error

// worker looks through one message after the other.
type worker struct {
	s        *Searcher
	needle   query.Needle // nil: every message may be a hit
	raw, low []byte       // a piece, and the same with small letters
	scratch  query.Scratch
}

// batch is how many messages a worker takes at a time.
const batch = 64

// walk visits every message that may hold a needle; nil: every one that is searched.
// visit is called from as many goroutines as there are cores.
func (s *Searcher) walk(ctx context.Context, n query.Needle, visit visitor) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 1+len(s.list)/batch) {
		wg.Go(func() {
			w := &worker{s: s, needle: n}
			for from := int(next.Add(batch)) - batch; from < len(s.list); from = int(next.Add(batch)) - batch {
				for _, stored := range s.list[from:min(from+batch, len(s.list))] {
					may, err := w.may(stored)
					if err == nil && may {
						err = visit(w, stored)
					}
					if err != nil {
						stop(err)
					}
					if ctx.Err() != nil {
						return
					}
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// may reports whether a message may hold the needle: its bytes do, or they hide its text.
func (w *worker) may(stored int32) (bool, error) {
	m := &w.s.thread.Messages[stored]
	if w.needle == nil || w.s.apart(m) {
		return true, nil
	}
	clean, hides := &w.s.clean[stored], false
	for _, p := range m.Pieces {
		var err error
		if w.raw, err = w.s.doc.AppendBytes(w.raw[:0], p.Span); err != nil {
			return false, err
		}
		if w.holds() {
			return true, nil
		}
		hides = hides || !clean.Load() && query.Escaped(w.raw, 0) >= 0
	}
	clean.Store(!hides)
	return hides, nil
}

// holds reports whether the needle is in the piece at hand.
func (w *worker) holds() bool {
	w.low = slices.Grow(w.low[:0], len(w.raw))[:len(w.raw)]
	query.Lower(w.low, w.raw)
	return slices.ContainsFunc(w.needle, func(alt []byte) bool { return bytes.Contains(w.low, alt) })
}
