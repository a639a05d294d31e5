package codec

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// packedBase says where the buffer of a packed text begins in the source.
type packedBase struct {
	buf *byte
	off int64
}

// baseOf is the offset in the source of the buffer that a value points into.
func (b *Builder) baseOf(v jspan.Value) int64 {
	if k := packedIn(b, v); k >= 0 {
		return b.Packed[k].off
	}
	return b.Base
}

// packedIn is the packed text that a value points into; -1: none.
func packedIn(b *Builder, v jspan.Value) int {
	if len(v.Buf) == 0 {
		return -1
	}
	return slices.IndexFunc(b.Packed, func(p packedBase) bool { return p.buf == &v.Buf[0] })
}

// Beside reports whether v lies in the source: in the buffer of other, which does, or in a
// packed text.
func Beside(b *Builder, v, other jspan.Value) bool {
	return len(v.Buf) > 0 && (&v.Buf[0] == &other.Buf[0] || packedIn(b, v) >= 0)
}

// UnpackString reads the JSON in a string, and lets the spans of what is in it point past the
// source's end. It gives nothing for a string that holds none, or, where it may be written, one
// that could not be spelled anew without loss.
func (b *Builder) UnpackString(v jspan.Value, written bool) (jspan.Value, bool) {
	text := []byte(v.Text())
	if v.Kind != jspan.String || written && bytes.ContainsRune(text, utf8.RuneError) {
		return jspan.Value{}, false
	}
	inner, err := jspan.Parse(text, jspan.Space(text, 0))
	if err != nil || jspan.Space(text, inner.End) != len(text) {
		return jspan.Value{}, false
	}
	src, ok := b.Doc.Source.(*edit.PackedSource)
	if !ok {
		src = edit.NewPackedSource(b.Doc)
		b.Doc.Source = src
	}
	b.Packed = append(b.Packed, packedBase{&text[0], src.Add(b.Span(v), text)})
	return inner, true
}
