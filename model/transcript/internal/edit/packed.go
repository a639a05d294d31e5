package edit

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"

	"palimpsest/model"
)

// Some sources hold their conversations packed: in the entries of an archive,
// or in strings that are JSON themselves. A packed text is read as if it stood
// behind the source's end, each behind the one before, so that spans, pieces
// and edits can point into it like into any other text. The source's own bytes
// stay where they are: its size, its hash and a copy of it know nothing of this.
// When an edit falls into a packed text, that text alone is packed anew.

// Packing is a way in which texts are packed.
type Packing interface {
	// Unpack gives text i. It is called again when the text is read again.
	Unpack(i int) ([]byte, error)

	// pack writes the source with changes: splices of its own bytes, and of packed
	// texts, those with the text's first byte as offset 0.
	pack(w io.Writer, d *model.Document, own []Splice, inner map[int][]Splice) error
}

// PackedSource is a source with its packed texts behind it. It may be read by
// any number of goroutines.
type PackedSource struct {
	io.ReaderAt // the source itself
	Packing
	size  int64 // of the source
	Texts []packedText

	mu   sync.Mutex
	last int // the text that was read last, and what it says; -1: none
	text []byte
}

// packedText is the place of text i, behind the source's end.
type packedText struct {
	Off, Size int64
	I         int
}

// NewPackedSource wraps the source of d, whose texts p unpacks.
func NewPackedSource(d *model.Document, p Packing) *PackedSource {
	return &PackedSource{ReaderAt: d.Source, Packing: p, size: d.Size, last: -1}
}

// Add gives text i its place.
func (s *PackedSource) Add(i int, text []byte) int64 {
	off := s.size
	if n := len(s.Texts); n > 0 {
		off = s.Texts[n-1].Off + s.Texts[n-1].Size
	}
	s.Texts = append(s.Texts, packedText{Off: off, Size: int64(len(text)), I: i})
	return off
}

// At finds the text at an offset behind the source's end.
func (s *PackedSource) At(off int64) (packedText, bool) {
	k := sort.Search(len(s.Texts), func(k int) bool { return s.Texts[k].Off+s.Texts[k].Size > off })
	if k == len(s.Texts) || off < s.Texts[k].Off {
		return packedText{}, false
	}
	return s.Texts[k], true
}

// ReadAt implements [io.ReaderAt]. No span goes from one text into the next.
func (s *PackedSource) ReadAt(p []byte, off int64) (int, error) {
	if off < s.size {
		return s.ReaderAt.ReadAt(p, off)
	}
	t, ok := s.At(off)
	if !ok {
		return 0, io.EOF
	}
	text, err := s.whole(t)
	if err != nil {
		return 0, err
	}
	n := copy(p, text[off-t.Off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// whole unpacks a text, unless it is the one that was looked at last: messages
// are mostly read one behind the other.
func (s *PackedSource) whole(t packedText) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == t.I {
		return s.text, nil
	}
	text, err := s.Unpack(t.I)
	if err != nil {
		return nil, err
	}
	if int64(len(text)) != t.Size {
		return nil, fmt.Errorf("a packed text has %d bytes and had %d", len(text), t.Size)
	}
	s.last, s.text = t.I, text
	return text, nil
}

// Close closes the source itself.
func (s *PackedSource) Close() error {
	if c, ok := s.ReaderAt.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// write packs the texts that edits fall into and copies the source otherwise.
func (s *PackedSource) write(w io.Writer, d *model.Document, list []Splice) error {
	inner := map[int][]Splice{}
	var own []Splice
	for _, x := range list {
		if x.Off < s.size {
			own = append(own, x)
			continue
		}
		t, ok := s.At(x.Off)
		if !ok {
			return fmt.Errorf("an edit at byte %d is in no packed text", x.Off)
		}
		x.Off -= t.Off
		inner[t.I] = append(inner[t.I], x)
	}
	return s.pack(w, d, own, inner)
}

// spliced is a text with edits applied to it.
func spliced(text []byte, list []Splice) []byte {
	var out []byte
	at := int64(0)
	for _, s := range list {
		out = append(append(out, text[at:s.Off]...), s.Bytes...)
		at = s.End()
	}
	return append(out, text[at:]...)
}

// PackedStrings are strings of a source that are JSON themselves, as exporters
// write attributes that may only be strings. An edit spells the whole string
// anew in the document's style: its text is the same but for the edit, its
// escapes may be others.
type PackedStrings struct {
	Doc   *model.Document
	Spans []model.Span // of the strings, quotes included
}

// Unpack implements [Packing]; i counts the strings.
func (p *PackedStrings) Unpack(i int) ([]byte, error) {
	v, err := ParseAt(p.Doc, p.Spans[i])
	if err != nil {
		return nil, fmt.Errorf("read the string at byte %d: %w", p.Spans[i].Off, err)
	}
	return []byte(v.Text()), nil
}

func (p *PackedStrings) pack(w io.Writer, d *model.Document, own []Splice, inner map[int][]Splice) error {
	for i, list := range inner {
		text, err := p.Unpack(i)
		if err != nil {
			return err
		}
		own = append(own, Splice{p.Spans[i], Quote(d, string(spliced(text, list)))})
	}
	slices.SortStableFunc(own, bySplice)
	own, err := withoutNested(own)
	if err != nil {
		return err
	}
	return writeSpliced(w, d, own)
}
