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
	raw   []byte // of the pieces that are in use
}

// mostKept bounds the bytes that a reader keeps.
const mostKept = 1 << 20

var readers = sync.Pool{New: func() any { return &reader{raw: make([]byte, 0, 64<<10)} }}

// WithPiece calls f with the value of a piece, which is good until f returns: looking
// up its members does not cost the length of the texts before them. The texts that f
// takes from it are good for ever, but of a document whose source is a [Near] until that
// is told to forget them. The error is as for [ParsePiece].
func WithPiece(d *model.Document, p model.Piece, f func(jspan.Value)) error {
	if n, ok := d.Source.(*Near); ok {
		if raw, ok := n.piece(p.Off, int(p.Len)); ok {
			return n.reader.parse(d, raw, f)
		}
		return n.reader.with(d, p, f)
	}
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.forget()
	return r.with(d, p, f)
}

// with reads a piece behind those that were read since the reader forgot.
func (r *reader) with(d *model.Document, p model.Piece, f func(jspan.Value)) error {
	from := len(r.raw)
	raw, err := d.AppendBytes(r.raw, p.Span)
	if err != nil {
		return err
	}
	r.raw = raw
	return r.parse(d, raw[from:], f)
}

// parse gives f what a piece holds.
func (r *reader) parse(d *model.Document, raw []byte, f func(jspan.Value)) error {
	r.index.Reset()
	v, err := r.index.Parse(raw, 0)
	if err != nil {
		return changed(d, err)
	}
	f(v)
	return nil
}

// forget gives what was read free to be overwritten.
func (r *reader) forget() {
	r.index.Forget()
	if r.raw = r.raw[:0]; cap(r.raw) > mostKept {
		r.raw = nil
	}
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

// MemberValue is the value of the member of an object whose name was parsed at
// the beginning of a piece.
func MemberValue(name jspan.Value) jspan.Value {
	v, err := jspan.Parse(name.Buf, jspan.Space(name.Buf, jspan.Space(name.Buf, name.End)+1))
	if err != nil {
		return jspan.Value{}
	}
	return v
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
