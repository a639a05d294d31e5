package codec

import (
	"slices"
	"strings"
	"unicode/utf8"

	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Unpacked parses a packed text and lets the spans of what is in it point
// behind the source's end. The text must not be written to.
func (b *Builder) Unpacked(s *edit.PackedSource, i int, text []byte) (jspan.Value, error) {
	start := jspan.Space(text, 0)
	v, err := jspan.Parse(text, start)
	if err == nil && jspan.Space(text, v.End) != len(text) {
		err = &jspan.SyntaxError{Off: v.End, What: "more text behind the value"}
	}
	if err != nil {
		return jspan.Value{}, err
	}
	b.Packed = append(b.Packed, packedBase{&text[0], s.Add(i, text)})
	return v, nil
}

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

// UnpackString reads the JSON in a string. It gives nothing for a string that
// holds none, or one that could not be spelled anew without loss.
func (b *Builder) UnpackString(v jspan.Value) (jspan.Value, bool) {
	text := v.Text()
	if v.Kind != jspan.String || strings.ContainsRune(text, utf8.RuneError) {
		return jspan.Value{}, false
	}
	src, ok := b.Doc.Source.(*edit.PackedSource)
	if !ok {
		src = edit.NewPackedSource(b.Doc, &edit.PackedStrings{Doc: b.Doc})
	}
	at := src.Packing.(*edit.PackedStrings)
	inner, err := b.Unpacked(src, len(at.Spans), []byte(text))
	if err != nil {
		return jspan.Value{}, false
	}
	at.Spans = append(at.Spans, b.Span(v))
	b.Doc.Source = src
	return inner, true
}
