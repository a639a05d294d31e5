package edit

import (
	"sync"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// ParseAt reads the piece back and parses it; spans of the value are relative
// to the piece's offset.
func ParseAt(d *model.Document, s model.Span) (jspan.Value, error) {
	b, err := d.Bytes(s)
	if err != nil {
		return jspan.Value{}, err
	}
	return jspan.Parse(b, 0)
}

// reader is what [WithPiece] uses again from piece to piece.
type reader struct {
	index jspan.Parser
	raw   []byte
}

// mostKept bounds the bytes that a reader keeps.
const mostKept = 1 << 20

var readers = sync.Pool{New: func() any { return &reader{raw: make([]byte, 0, 64<<10)} }}

// WithPiece calls f with the value of a piece, which is good until f returns: looking
// up its members does not cost the length of the texts before them. The texts that f
// takes from it are good for ever. The error is as for [ParsePiece].
func WithPiece(d *model.Document, p model.Piece, f func(jspan.Value)) error {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	raw, err := d.AppendBytes(r.raw[:0], p.Span)
	if err != nil {
		return err
	}
	if cap(raw) <= mostKept {
		r.raw = raw
	}
	r.index.Reset()
	v, err := r.index.Parse(raw, 0)
	if err != nil {
		return changed(d, err)
	}
	f(v)
	return nil
}

// ParsePiece reads a piece back and parses it. The error is the source's: bytes
// that no longer parse come back as a missing value.
func ParsePiece(d *model.Document, p model.Piece) (jspan.Value, error) {
	b, err := d.Bytes(p.Span)
	if err != nil {
		return jspan.Value{}, err
	}
	v, err := jspan.Parse(b, 0)
	if err != nil {
		return jspan.Value{}, changed(d, err)
	}
	return v, nil
}

// Within is the place in the source of a value that was parsed out of s.
func Within(s model.Span, v jspan.Value) model.Span {
	return model.Span{Off: s.Off + int64(v.Off), Len: int64(v.Len())}
}

// IDText is an id as text, a number as it is spelled.
func IDText(v jspan.Value) string {
	if v.Kind == jspan.Number {
		return string(v.Raw())
	}
	return v.Text()
}
