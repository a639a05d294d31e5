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
	if len(b.Packed) > 0 && len(v.Buf) > 0 {
		if k := slices.IndexFunc(b.Packed, func(p packedBase) bool { return p.buf == &v.Buf[0] }); k >= 0 {
			return b.Packed[k].off
		}
	}
	return b.Base
}

// UnpackString reads the JSON in a string, and lets the spans of what is in it point past the
// source's end. It gives nothing for a string that holds none, or one that could not be spelled
// anew without loss.
func (b *Builder) UnpackString(v jspan.Value) (jspan.Value, bool) {
	text := []byte(v.Text())
	if v.Kind != jspan.String || bytes.ContainsRune(text, utf8.RuneError) {
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
