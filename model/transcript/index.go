package transcript

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
)

// An index is what reading a source found: everything but the texts. With it a source
// that was read before is opened without reading it.
//
//	SHA-256 of the source │ head (JSON) │ stretch │ stretch │ …
//	                                      └ texts: each id once, first words │ numbers
//
// The numbers are, one after the other, segments, arrays, and of each thread its
// messages, history and resets; places are differences to the end of the one before.
// Each part is a frame of zstd behind its length. While a stretch is taken over, the
// next is unpacked.

// indexHead is what there is once.
type indexHead struct {
	Format                       model.Format
	Why                          string
	Guesses                      []model.Guess
	Unconfirmed                  bool
	Size                         int64
	Style                        model.Style
	Notes                        []model.Note
	Unlisted, UnlistedBad, Items int
	Conversations                []*model.Conversation // their threads without what is in the numbers

	Bytes                       int // of texts and numbers
	IDs, Pieces, Calls, Reports int
}

// stretchBytes is from how many bytes of texts and numbers on another stretch begins.
const stretchBytes = 512 << 10

// PackIndex makes the index of a document. ok is false for one that has none: only
// formats that agents append to grow to a size at which reading takes long.
func PackIndex(d *model.Document) (packed []byte, ok bool) {
	if _, grows := d.Codec.(codec.Growing); !grows || d.Packed != nil || !d.Style.JSONLines {
		return nil, false
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, false
	}
	w := indexWriter{pack: z}
	h := columns(d, &w)
	head, err := json.Marshal(h)
	var back indexHead
	if err != nil || json.Unmarshal(head, &back) != nil || !reflect.DeepEqual(back, h) {
		return nil, false // bytes that JSON can't spell
	}
	packed = append(packed, d.SHA256[:]...)
	return append(w.frame(packed, head), w.packed...), true
}

// columns writes the stretches of an index and returns its head.
func columns(d *model.Document, w *indexWriter) indexHead {
	h := indexHead{Format: d.Format, Why: d.Why, Guesses: d.Guesses, Unconfirmed: d.Unconfirmed, Size: d.Size, Style: d.Style,
		Notes: d.Notes, Unlisted: d.Unlisted, UnlistedBad: d.UnlistedBad, Items: d.Items}
	writeList(w, d.Segments, func(s *model.Segment) {
		w.span(s.Span)
		w.n(int64(s.Kind))
		w.n(int64(s.Line))
	})
	writeList(w, d.Arrays, func(a *model.Array) {
		w.span(a.Span)
		writeList(w, a.Elems, func(s *model.Span) { w.span(*s) })
		w.piece(&a.Holder)
	})
	for _, c := range d.Conversations {
		bare := *c
		bare.Threads = slices.Clone(c.Threads)
		for i, t := range c.Threads {
			w.thread(t)
			own := *t
			own.Messages, own.History, own.Resets = nil, nil, nil
			bare.Threads[i] = &own
		}
		h.Conversations = append(h.Conversations, &bare)
	}
	w.cut(0)
	h.Bytes, h.IDs, h.Pieces, h.Calls, h.Reports = w.bytes, len(w.known.IDs), w.pieces, w.calls, w.reports
	return h
}

// OpenIndexed opens a source of size bytes by its index. The hash of the document is the
// one that the index has: that the source has it still is for the caller to look at. It
// returns nil where the index is of another program's making, or damaged. The path is for
// the caller to set, too.
func OpenIndexed(src io.ReaderAt, size int64, packed []byte) *model.Document {
	d := &model.Document{Size: size, Source: src}
	if len(packed) <= len(d.SHA256) || !unpackIndex(d, packed[len(d.SHA256):]) {
		return nil
	}
	d.SHA256 = [32]byte(packed)
	return d
}

// unpackIndex fills a document with what its index says.
func unpackIndex(d *model.Document, packed []byte) bool {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return false
	}
	defer z.Close()
	head, packed, err := unframe(z, packed, nil)
	var h indexHead
	if err != nil || json.Unmarshal(head, &h) != nil || h.Size != d.Size {
		return false
	}
	i := slices.IndexFunc(named, func(f codec.Format) bool { return f.Info().Format == h.Format })
	if i < 0 || min(h.IDs, h.Pieces, h.Calls, h.Reports) < 0 || max(h.IDs, h.Pieces, h.Calls, h.Reports) > h.Bytes {
		return false
	}
	d.Codec, d.Format, d.Why, d.Guesses, d.Unconfirmed, d.Style = named[i], h.Format, h.Why, h.Guesses, h.Unconfirmed, h.Style
	d.Notes, d.Unlisted, d.UnlistedBad, d.Items, d.Conversations = h.Notes, h.Unlisted, h.UnlistedBad, h.Items, h.Conversations
	stretches, stop := make(chan stretch), make(chan struct{})
	var unpacking sync.WaitGroup
	unpacking.Go(func() { unpackStretches(z, packed, stretches, stop) })
	r := indexReader{stretches: stretches, left: h.Bytes, known: make([]string, 0, h.IDs),
		pieces: make([]model.Piece, 0, h.Pieces), calls: make([]model.Call, 0, h.Calls), reports: make([]model.Usage, h.Reports)}
	d.Segments = readList(&r, func(s *model.Segment) {
		s.Span, s.Kind, s.Line = r.span(), model.SegmentKind(r.n()), int32(r.n())
	})
	d.Arrays = readList(&r, func(a *model.Array) {
		a.Span = r.span()
		a.Elems = readList(&r, func(s *model.Span) { *s = r.span() })
		a.Holder = r.piece()
	})
	for _, c := range d.Conversations {
		for _, t := range c.Threads {
			r.thread(t)
		}
	}
	_, more := r.next()
	close(stop)
	unpacking.Wait() // the decoder is closed behind it
	return !r.bad && !more && r.left == 0 && len(r.nums) == 0
}

// stretch is a part of the texts, and of the numbers the part that needs them.
type stretch struct {
	text string
	nums []byte // until the next but one is taken
}

// unpackStretches gives out the stretches of an index. It ends with them, at one that is
// damaged, or when it is stopped.
func unpackStretches(z *zstd.Decoder, packed []byte, to chan<- stretch, stop <-chan struct{}) {
	defer close(to)
	var nums [2][]byte // one is read while the other is made
	for i := 0; len(packed) > 0; i++ {
		text, rest, err := unframe(z, packed, nil)
		if err != nil {
			return
		}
		mine := &nums[i%len(nums)]
		if *mine, packed, err = unframe(z, rest, (*mine)[:0]); err != nil {
			return
		}
		select {
		case to <- stretch{codec.ViewOf(text), *mine}:
		case <-stop:
			return
		}
	}
}

// unframe unpacks the first frame into the memory of a slice and returns what is behind it.
func unframe(z *zstd.Decoder, packed, into []byte) (data, rest []byte, err error) {
	n, k := binary.Uvarint(packed)
	if k <= 0 || n > uint64(len(packed)-k) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	packed = packed[k:]
	data, err = z.DecodeAll(packed[:n], into)
	return data, packed[n:], err
}

// indexWriter collects texts and numbers.
type indexWriter struct {
	text, nums             []byte        // of the stretch
	known                  codec.IDTable // texts that repeat
	end, time              int64         // of the place and the message before
	pieces, calls, reports int
	bytes                  int // of the stretches before

	pack   *zstd.Encoder
	packed []byte // the stretches before
}

// cut ends the stretch if it has more than so many bytes.
func (w *indexWriter) cut(most int) {
	if len(w.text)+len(w.nums) <= most {
		return
	}
	w.bytes += len(w.text) + len(w.nums)
	w.packed = w.frame(w.frame(w.packed, w.text), w.nums)
	w.text, w.nums = w.text[:0], w.nums[:0]
}

// frame appends what is packed of data.
func (w *indexWriter) frame(to, data []byte) []byte {
	data = w.pack.EncodeAll(data, nil)
	return append(binary.AppendUvarint(to, uint64(len(data))), data...)
}

func (w *indexWriter) n(v int64) { w.nums = binary.AppendVarint(w.nums, v) }

func (w *indexWriter) flag(v bool) {
	if v {
		w.n(1)
	} else {
		w.n(0)
	}
}

// id is a text that may repeat: 0 an empty one, a number one that was there before,
// less than 0 the length of another one.
func (w *indexWriter) id(s string) {
	if s == "" {
		w.n(0)
		return
	}
	k, fresh := w.known.FindOrAdd(s, nil)
	if !fresh {
		w.n(int64(k) + 1)
		return
	}
	w.n(-int64(len(s)))
	w.text = append(w.text, s...)
}

func (w *indexWriter) span(s model.Span) {
	w.n(s.Off - w.end)
	w.n(s.Len)
	w.end = s.End()
}

func (w *indexWriter) piece(p *model.Piece) {
	w.span(p.Span)
	w.n(int64(p.Array))
	w.flag(p.Duplicate)
}

func writeList[T any](w *indexWriter, list []T, write func(*T)) {
	if list == nil {
		w.n(0)
		return
	}
	w.n(int64(len(list)) + 1)
	for i := range list {
		write(&list[i])
		w.cut(stretchBytes)
	}
}

// positions writes ascending numbers, most of which follow each other.
func (w *indexWriter) positions(list []int32) {
	before := int32(-1)
	writeList(w, list, func(p *int32) {
		w.n(int64(*p - before - 1))
		before = *p
	})
}

func (w *indexWriter) thread(t *model.Thread) {
	writeList(w, t.Messages, w.message)
	w.positions(t.History)
	writeList(w, t.Resets, func(r *model.Reset) {
		w.n(int64(r.At))
		w.positions(r.Base)
	})
}

func (w *indexWriter) message(m *model.Message) {
	w.id(m.ID)
	w.id(m.ParentID)
	w.n(int64(m.Role))
	w.n(int64(m.Kind))
	w.n(int64(m.Origin))
	w.flag(m.Error)
	w.flag(m.Loads)
	w.flag(m.Sealed)
	w.n(int64(m.Step))
	w.id(m.Name)
	w.id(m.Model)
	w.n(m.Time - w.time)
	w.time = m.Time
	if w.flag(m.Usage != nil); m.Usage != nil {
		w.reports++
		for _, v := range []int{m.Usage.Input, m.Usage.CacheRead, m.Usage.CacheWrite, m.Usage.Output, m.Usage.Reasoning} {
			w.n(int64(v))
		}
	}
	writeList(w, m.Calls, func(c *model.Call) {
		w.calls++
		w.id(c.ID)
		w.id(c.Name)
	})
	w.id(m.Answers)
	writeList(w, m.Links, func(l *model.Link) {
		w.id(l.ID)
		w.flag(l.Result)
	})
	w.n(int64(len(m.Preview)))
	w.text = append(w.text, m.Preview...)
	writeList(w, m.Pieces, func(p *model.Piece) {
		w.pieces++
		w.piece(p)
	})
}

// indexReader reads what an indexWriter wrote. Once something is not as it should be,
// bad is set and everything is 0.
type indexReader struct {
	text      string // of the stretch, as far as it was not read
	nums      []byte
	stretches <-chan stretch
	left      int // bytes of the stretches behind it
	known     []string
	end, time int64
	pieces    []model.Piece // of which the messages' lists are cut
	calls     []model.Call
	reports   []model.Usage
	bad       bool
}

// next goes on to the next stretch; ok is false where there is none.
func (r *indexReader) next() (s stretch, ok bool) {
	if s, ok = <-r.stretches; r.text != "" {
		r.bad = true // a stretch has the texts of its numbers
	}
	return s, ok
}

func (r *indexReader) n() int64 {
	if len(r.nums) > 0 && r.nums[0] < 0x80 { // most are one byte
		v := int64(r.nums[0])
		r.nums = r.nums[1:]
		return v>>1 ^ -(v & 1)
	}
	return r.long()
}

// long is a number of several bytes, or the first of a stretch.
func (r *indexReader) long() int64 {
	if len(r.nums) == 0 && !r.bad {
		s, ok := r.next()
		r.text, r.nums, r.left = s.text, s.nums, r.left-len(s.text)-len(s.nums)
		r.bad = r.bad || !ok || r.left < 0
	}
	v, k := binary.Varint(r.nums)
	if k <= 0 || r.bad {
		r.bad, r.nums = true, nil
		return 0
	}
	r.nums = r.nums[k:]
	return v
}

// words are the next n bytes of the texts.
func (r *indexReader) words(n int64) string {
	if n < 0 || n > int64(len(r.text)) {
		r.bad = true
		return ""
	}
	s := r.text[:n]
	r.text = r.text[n:]
	return s
}

func (r *indexReader) id() string {
	switch k := r.n(); {
	case k == 0:
		return ""
	case k < 0:
		s := r.words(-k)
		r.known = append(r.known, s)
		return s
	case k <= int64(len(r.known)):
		return r.known[k-1]
	}
	r.bad = true
	return ""
}

func (r *indexReader) span() model.Span {
	s := model.Span{Off: r.n() + r.end}
	s.Len = r.n()
	r.end = s.End()
	return s
}

func (r *indexReader) piece() model.Piece {
	return model.Piece{Span: r.span(), Array: int32(r.n()), Duplicate: r.n() == 1}
}

// length is the length of a list; -1: it is nil.
func (r *indexReader) length() int {
	n := r.n() - 1
	if n > int64(len(r.nums)+r.left) { // each element takes a byte
		r.bad = true
		return -1
	}
	return int(n)
}

func readList[T any](r *indexReader, read func(*T)) []T {
	n := r.length()
	if n < 0 {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		read(&out[i])
	}
	return out
}

func (r *indexReader) positions() []int32 {
	before := int32(-1)
	return readList(r, func(p *int32) {
		*p = before + 1 + int32(r.n())
		before = *p
	})
}

func (r *indexReader) thread(t *model.Thread) {
	t.Messages = readList(r, r.message)
	t.History = r.positions()
	t.Resets = readList(r, func(x *model.Reset) { x.At, x.Base = int(r.n()), r.positions() })
}

func (r *indexReader) message(m *model.Message) {
	m.ID, m.ParentID = r.id(), r.id()
	m.Role, m.Kind, m.Origin = model.Role(r.n()), model.Kind(r.n()), model.Origin(r.n())
	m.Error, m.Loads, m.Sealed = r.n() == 1, r.n() == 1, r.n() == 1
	m.Step = int32(r.n())
	m.Name, m.Model = r.id(), r.id()
	r.time += r.n()
	m.Time = r.time
	if r.n() == 1 && len(r.reports) > 0 {
		m.Usage, r.reports = &r.reports[0], r.reports[1:]
		for _, v := range []*int{&m.Usage.Input, &m.Usage.CacheRead, &m.Usage.CacheWrite, &m.Usage.Output, &m.Usage.Reasoning} {
			*v = int(r.n())
		}
	}
	m.Calls = cutList(r, &r.calls, func() model.Call { return model.Call{ID: r.id(), Name: r.id()} })
	m.Answers = r.id()
	m.Links = readList(r, func(l *model.Link) { l.ID, l.Result = r.id(), r.n() == 1 })
	m.Preview = r.words(r.n())
	m.Pieces = cutList(r, &r.pieces, r.piece)
}

// cutList reads a list into a part of a larger one; it has no room behind it.
func cutList[T any](r *indexReader, from *[]T, read func() T) []T {
	n := r.length()
	if n < 0 {
		return nil
	}
	at := len(*from)
	if n > cap(*from)-at {
		r.bad = true
		return nil
	}
	for range n {
		*from = append(*from, read())
	}
	return (*from)[at : at+n : at+n]
}
