package edit

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"

	"palimpsest/model"
)

// PackedSource is a source that holds JSON in strings, as exporters write attributes that may
// only be strings. Such a text is read as if it stood past the source's end, each after the
// one before, so that spans, pieces and edits can point into it like into any other text. The
// source's own bytes stay where they are: its size, its hash and a copy of it know nothing of
// this. An edit in a text spells its whole string anew in the document's style: the text is the
// same but for the edit, its escapes may be others.
//
// It may be read by any number of goroutines.
type PackedSource struct {
	io.ReaderAt // the source itself
	doc         *model.Document
	size        int64 // of the source
	Texts       []packedText

	mu   sync.Mutex
	last int // the text that was read last, and what it says; -1: none
	text []byte
}

// packedText is a string of the source, quotes included, and the place of its text past the
// source's end.
type packedText struct {
	In        model.Span
	Off, Size int64
}

// NewPackedSource wraps the source of d.
func NewPackedSource(d *model.Document) *PackedSource {
	return &PackedSource{ReaderAt: d.Source, doc: d, size: d.Size, last: -1}
}

// Add gives the text of a string its place.
func (s *PackedSource) Add(at model.Span, text []byte) int64 {
	off := s.size
	if n := len(s.Texts); n > 0 {
		off = s.Texts[n-1].Off + s.Texts[n-1].Size
	}
	s.Texts = append(s.Texts, packedText{In: at, Off: off, Size: int64(len(text))})
	return off
}

// at finds the text at an offset past the source's end; -1: there is none.
func (s *PackedSource) at(off int64) int {
	k := sort.Search(len(s.Texts), func(k int) bool { return s.Texts[k].Off+s.Texts[k].Size > off })
	if k == len(s.Texts) || off < s.Texts[k].Off {
		return -1
	}
	return k
}

// ReadAt implements [io.ReaderAt]. No span goes from one text into the next.
func (s *PackedSource) ReadAt(p []byte, off int64) (int, error) {
	if off < s.size {
		return s.ReaderAt.ReadAt(p, off)
	}
	k := s.at(off)
	if k < 0 {
		return 0, io.EOF
	}
	text, err := s.whole(k)
	if err != nil {
		return 0, err
	}
	n := copy(p, text[off-s.Texts[k].Off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// whole unpacks a text, unless it is the one that was looked at last: messages
// are mostly read one behind the other.
func (s *PackedSource) whole(k int) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == k {
		return s.text, nil
	}
	text, err := s.unpack(k)
	if err != nil {
		return nil, err
	}
	if int64(len(text)) != s.Texts[k].Size {
		return nil, fmt.Errorf("a packed text has %d bytes and had %d", len(text), s.Texts[k].Size)
	}
	s.last, s.text = k, text
	return text, nil
}

func (s *PackedSource) unpack(k int) ([]byte, error) {
	v, err := ParseAt(s.doc, s.Texts[k].In)
	if err != nil {
		return nil, fmt.Errorf("read the string at byte %d: %w", s.Texts[k].In.Off, err)
	}
	return []byte(v.Text()), nil
}

// Close closes the source itself.
func (s *PackedSource) Close() error {
	if c, ok := s.ReaderAt.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// write spells the strings that edits fall into and copies the source otherwise.
func (s *PackedSource) write(w io.Writer, d *model.Document, list []Splice) error {
	inner := map[int][]Splice{}
	var own []Splice
	for _, x := range list {
		if x.Off < s.size {
			own = append(own, x)
			continue
		}
		k := s.at(x.Off)
		if k < 0 {
			return fmt.Errorf("an edit at byte %d is in no packed text", x.Off)
		}
		x.Off -= s.Texts[k].Off
		inner[k] = append(inner[k], x)
	}
	for k, list := range inner {
		text, err := s.unpack(k)
		if err != nil {
			return err
		}
		own = append(own, Splice{s.Texts[k].In, Quote(d, string(spliced(text, list)))})
	}
	slices.SortStableFunc(own, bySplice)
	own, err := withoutNested(own)
	if err != nil {
		return err
	}
	return writeSpliced(w, d, own)
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
