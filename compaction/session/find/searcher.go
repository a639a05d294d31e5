package find

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"maps"
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
	pieces []piece       // of the messages that are searched, by offset
	loose  []int32       // messages whose bytes say nothing of their text
	nums   []int32       // by stored message: its number in the history; 0: none
	caller []int32       // by stored message: the one that makes its call; -1: none
	clean  []atomic.Bool // by chunk: it spells nothing that a needle misses
}

// piece is where bytes of a message are.
type piece struct {
	off, end int64
	stored   int32
}

// scattered are the formats in which the text of a message may lie elsewhere than its
// pieces, or is put in words by the reader: their messages are decoded one by one.
var scattered = map[model.Format]bool{model.FormatInspect: true, model.FormatPi: true}

// New prepares a thread of a document for searches.
func New(d *model.Document, t *model.Thread) *Searcher {
	s := &Searcher{doc: d, thread: t, nums: numbers(t), caller: session.Callers(t)}
	for i := range t.Messages {
		m := &t.Messages[i]
		if s.searched(int32(i)) {
			s.place(m, int32(i))
		}
	}
	s.untangle()
	if n := len(s.pieces); n > 0 {
		s.clean = make([]atomic.Bool, s.pieces[n-1].end/chunk+1)
	}
	return s
}

// searched reports whether a stored message is one that is found: it is in the history,
// or a summary that a compaction put in.
func (s *Searcher) searched(stored int32) bool {
	return s.nums[stored] > 0 || s.thread.Messages[stored].Kind == model.KindSummary
}

// place notes where the bytes of a message are.
func (s *Searcher) place(m *model.Message, stored int32) {
	apart := scattered[s.doc.Format] || len(m.Pieces) == 0
	for _, p := range m.Pieces {
		apart = apart || p.End() > s.doc.Size // unpacked from a string
	}
	if apart {
		s.loose = append(s.loose, stored)
		return
	}
	for _, p := range m.Pieces {
		s.pieces = append(s.pieces, piece{p.Off, p.End(), stored})
	}
}

// untangle puts the pieces in order. Messages whose pieces lie in one another are
// decoded one by one, because a byte then says not whose it is.
func (s *Searcher) untangle() {
	slices.SortFunc(s.pieces, func(a, b piece) int { return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.end, b.end)) })
	tangled, last := map[int32]bool{}, 0
	for i := 1; i < len(s.pieces); i++ {
		if a, b := s.pieces[last], s.pieces[i]; b.off < a.end && a.stored != b.stored {
			tangled[a.stored], tangled[b.stored] = true, true
		}
		if s.pieces[i].end > s.pieces[last].end {
			last = i
		}
	}
	s.pieces = slices.DeleteFunc(s.pieces, func(p piece) bool { return tangled[p.stored] })
	s.loose = append(s.loose, slices.Sorted(maps.Keys(tangled))...)
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
// from several goroutines; nil: nothing. Only messages that only allows are looked
// at; nil: all. The error is the context's or the source's.
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
			if parts, err = w.doc.Parts(sub.Msg); err != nil {
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

// chunk is how much of a source is looked through at a time: it stays in a core's
// cache, and the first hits of a long history come from the first chunk.
const chunk = 256 << 10

// visitor looks at a message that may be a hit.
type visitor = func(w *worker, stored int32) error

// worker looks through one chunk after the other.
type worker struct {
	s       *Searcher
	needle  query.Needle
	scan    *query.Scan   // of the needle; nil: it is too short
	seen    []atomic.Bool // by stored message: somebody looks at it, or has
	visit   visitor
	doc     model.Document // the searcher's, read through at
	at      ahead
	low     []byte // what is at hand, with small letters
	scratch query.Scratch
}

// ahead is a source of which the bytes from off on were read already.
type ahead struct {
	io.ReaderAt
	off int64
	raw []byte
}

// ReadAt copies what was read, and reads the rest.
func (a *ahead) ReadAt(b []byte, off int64) (int, error) {
	if i := off - a.off; i >= 0 && i+int64(len(b)) <= int64(len(a.raw)) {
		return copy(b, a.raw[i:]), nil
	}
	return a.ReaderAt.ReadAt(b, off)
}

// batch is how many messages without bytes of their own a worker takes at a time.
const batch = 64

// walk visits every message that may hold a needle; nil: every one that is searched.
// visit is called from as many goroutines as there are cores.
func (s *Searcher) walk(ctx context.Context, n query.Needle, visit visitor) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	seen := make([]atomic.Bool, len(s.thread.Messages))
	chunks := int64(len(s.clean))
	if n == nil { // each piece's message is one of a list
		chunks = (int64(len(s.pieces)) + batch - 1) / batch
	}
	loose := (int64(len(s.loose)) + batch - 1) / batch
	scan := query.NewScan(n...)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), int(max(1, chunks+loose))) {
		wg.Go(func() {
			w := &worker{s: s, needle: n, scan: scan, seen: seen, visit: visit, doc: *s.doc, at: ahead{ReaderAt: s.doc.Source}}
			w.doc.Source = &w.at
			for i := next.Add(1) - 1; i < chunks+loose && ctx.Err() == nil; i = next.Add(1) - 1 {
				var err error
				switch {
				case i >= chunks:
					err = w.list(ctx, s.loose[(i-chunks)*batch:min(int64(len(s.loose)), (i-chunks+1)*batch)])
				case n == nil:
					err = w.owners(ctx, s.pieces[i*batch:min(int64(len(s.pieces)), (i+1)*batch)])
				default:
					err = w.chunk(ctx, i)
				}
				if err != nil {
					stop(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// take visits a message unless somebody has.
func (w *worker) take(ctx context.Context, stored int32) error {
	if w.seen[stored].Swap(true) {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.visit(w, stored)
}

func (w *worker) list(ctx context.Context, stored []int32) error {
	for _, i := range stored {
		if err := w.take(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) owners(ctx context.Context, list []piece) error {
	for _, p := range list {
		if err := w.take(ctx, p.stored); err != nil {
			return err
		}
	}
	return nil
}

// chunk visits the messages of which a needle begins in a chunk.
func (w *worker) chunk(ctx context.Context, i int64) error {
	off := i * chunk
	k := w.s.pieceAt(off)
	if k == len(w.s.pieces) || w.s.pieces[k].off >= off+chunk {
		return nil
	}
	over := 8
	for _, alt := range w.needle {
		over = max(over, len(alt))
	}
	if w.at.raw == nil {
		w.at.raw = make([]byte, 0, chunk+over)
	}
	n, err := w.s.doc.Source.ReadAt(w.at.raw[:min(chunk+int64(over), w.s.doc.Size-off)], off)
	if err != nil && err != io.EOF {
		return err
	}
	w.at.off, w.at.raw = off, w.at.raw[:n]
	if err := w.needles(ctx, off); err != nil || w.s.clean[i].Load() {
		return err
	}
	if query.Escaped(w.at.raw, 0) < 0 {
		w.s.clean[i].Store(true)
		return nil
	}
	return w.hits(ctx, off, func(from int) int {
		at := query.Escaped(w.at.raw, from)
		if at >= 0 {
			at -= from
		}
		return at
	}, n)
}

// needles takes the messages that hold a needle in the chunk at hand.
func (w *worker) needles(ctx context.Context, off int64) error {
	n := len(w.at.raw)
	if w.scan != nil {
		return w.hits(ctx, off, func(from int) int {
			at, _ := w.scan.Next(w.at.raw, from)
			if at >= 0 {
				at -= from
			}
			return at
		}, n)
	}
	if w.low == nil {
		w.low = make([]byte, cap(w.at.raw))
	}
	low := w.low[:n]
	query.Lower(low, w.at.raw)
	for _, alt := range w.needle {
		if err := w.hits(ctx, off, func(from int) int { return bytes.Index(low[from:], alt) }, n); err != nil {
			return err
		}
	}
	return nil
}

// hits takes the message at each place that next finds in a chunk, and goes on behind
// the piece of it.
func (w *worker) hits(ctx context.Context, off int64, next func(from int) int, n int) error {
	for from := 0; from < n; {
		at := next(from)
		if at < 0 {
			return nil
		}
		from += at
		k := w.s.pieceAt(off + int64(from))
		if k == len(w.s.pieces) {
			return nil
		}
		p := w.s.pieces[k]
		if p.off > off+int64(from) {
			from = int(min(p.off-off, int64(n)))
			continue
		}
		if err := w.take(ctx, p.stored); err != nil {
			return err
		}
		from = int(min(p.end-off, int64(n)))
	}
	return nil
}

// pieceAt is the first piece that ends behind an offset.
func (s *Searcher) pieceAt(off int64) int {
	lo, hi := 0, len(s.pieces)
	for lo < hi {
		if m := (lo + hi) / 2; s.pieces[m].end <= off {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}
