package transcript

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Some sources hold their conversations packed: in the entries of an archive,
// or in strings that are JSON themselves. A packed text is read as if it stood
// behind the source's end, each behind the one before, so that spans, pieces
// and edits can point into it like into any other text. The source's own bytes
// stay where they are: its size, its hash and a copy of it know nothing of this.
// When an edit falls into a packed text, that text alone is packed anew.

// packing is a way in which texts are packed.
type packing interface {
	// unpack gives text i. It is called again when the text is read again.
	unpack(i int) ([]byte, error)

	// pack writes the source with changes: splices of its own bytes, and of packed
	// texts, those with the text's first byte as offset 0.
	pack(w io.Writer, d *model.Document, own []splice, inner map[int][]splice) error
}

// packedSource is a source with its packed texts behind it. It may be read by
// any number of goroutines.
type packedSource struct {
	io.ReaderAt // the source itself
	packing
	size  int64 // of the source
	texts []packedText

	mu   sync.Mutex
	last int // the text that was read last, and what it says; -1: none
	text []byte
}

// packedText is the place of text i, behind the source's end.
type packedText struct {
	off, size int64
	i         int
}

func newPackedSource(d *model.Document, p packing) *packedSource {
	return &packedSource{ReaderAt: d.Source, packing: p, size: d.Size, last: -1}
}

// add gives text i its place.
func (s *packedSource) add(i int, text []byte) int64 {
	off := s.size
	if n := len(s.texts); n > 0 {
		off = s.texts[n-1].off + s.texts[n-1].size
	}
	s.texts = append(s.texts, packedText{off: off, size: int64(len(text)), i: i})
	return off
}

// at finds the text at an offset behind the source's end.
func (s *packedSource) at(off int64) (packedText, bool) {
	k := sort.Search(len(s.texts), func(k int) bool { return s.texts[k].off+s.texts[k].size > off })
	if k == len(s.texts) || off < s.texts[k].off {
		return packedText{}, false
	}
	return s.texts[k], true
}

// ReadAt implements [io.ReaderAt]. No span goes from one text into the next.
func (s *packedSource) ReadAt(p []byte, off int64) (int, error) {
	if off < s.size {
		return s.ReaderAt.ReadAt(p, off)
	}
	t, ok := s.at(off)
	if !ok {
		return 0, io.EOF
	}
	text, err := s.whole(t)
	if err != nil {
		return 0, err
	}
	n := copy(p, text[off-t.off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// whole unpacks a text, unless it is the one that was looked at last: messages
// are mostly read one behind the other.
func (s *packedSource) whole(t packedText) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == t.i {
		return s.text, nil
	}
	text, err := s.unpack(t.i)
	if err != nil {
		return nil, err
	}
	if int64(len(text)) != t.size {
		return nil, fmt.Errorf("a packed text has %d bytes and had %d", len(text), t.size)
	}
	s.last, s.text = t.i, text
	return text, nil
}

// Close closes the source itself.
func (s *packedSource) Close() error {
	if c, ok := s.ReaderAt.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// write packs the texts that edits fall into and copies the source otherwise.
func (s *packedSource) write(w io.Writer, d *model.Document, list []splice) error {
	inner := map[int][]splice{}
	var own []splice
	for _, x := range list {
		if x.Off < s.size {
			own = append(own, x)
			continue
		}
		t, ok := s.at(x.Off)
		if !ok {
			return fmt.Errorf("an edit at byte %d is in no packed text", x.Off)
		}
		x.Off -= t.off
		inner[t.i] = append(inner[t.i], x)
	}
	return s.pack(w, d, own, inner)
}

// spliced is a text with edits applied to it.
func spliced(text []byte, list []splice) []byte {
	var out []byte
	at := int64(0)
	for _, s := range list {
		out = append(append(out, text[at:s.Off]...), s.bytes...)
		at = s.End()
	}
	return append(out, text[at:]...)
}

// unpacked parses a packed text and lets the spans of what is in it point
// behind the source's end. The text must not be written to.
func (b *builder) unpacked(s *packedSource, i int, text []byte) (jspan.Value, error) {
	start := jspan.Space(text, 0)
	v, err := jspan.Parse(text, start)
	if err == nil && jspan.Space(text, v.End) != len(text) {
		err = &jspan.SyntaxError{Off: v.End, What: "more text behind the value"}
	}
	if err != nil {
		return jspan.Value{}, err
	}
	b.packed = append(b.packed, packedBase{&text[0], s.add(i, text)})
	return v, nil
}

// packedBase tells by its buffer where a value of a packed text stands.
type packedBase struct {
	buf *byte
	off int64
}

// baseOf is the offset in the source of the buffer that a value points into.
func (b *builder) baseOf(v jspan.Value) int64 {
	if len(b.packed) > 0 && len(v.Buf) > 0 {
		if k := slices.IndexFunc(b.packed, func(p packedBase) bool { return p.buf == &v.Buf[0] }); k >= 0 {
			return b.packed[k].off
		}
	}
	return b.base
}
