package transcript

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// packedStrings are strings of a source that are JSON themselves, as exporters
// write attributes that may only be strings. An edit spells the whole string
// anew in the document's style: its text is the same but for the edit, its
// escapes may be others.
type packedStrings struct {
	doc   *model.Document
	spans []model.Span // of the strings, quotes included
}

func (p *packedStrings) unpack(i int) ([]byte, error) {
	v, err := parseAt(p.doc, p.spans[i])
	if err != nil {
		return nil, fmt.Errorf("read the string at byte %d: %w", p.spans[i].Off, err)
	}
	return []byte(v.Text()), nil
}

func (p *packedStrings) pack(w io.Writer, d *model.Document, own []splice, inner map[int][]splice) error {
	for i, list := range inner {
		text, err := p.unpack(i)
		if err != nil {
			return err
		}
		own = append(own, splice{p.spans[i], quote(d, string(spliced(text, list)))})
	}
	slices.SortStableFunc(own, bySplice)
	own, err := withoutNested(own)
	if err != nil {
		return err
	}
	return writeSpliced(w, d, own)
}

// unpackString reads the JSON in a string. It gives nothing for a string that
// holds none, or one that could not be spelled anew without loss.
func (b *builder) unpackString(v jspan.Value) (jspan.Value, bool) {
	text := v.Text()
	if v.Kind != jspan.String || strings.ContainsRune(text, utf8.RuneError) {
		return jspan.Value{}, false
	}
	src, ok := b.doc.Source.(*packedSource)
	if !ok {
		src = newPackedSource(b.doc, &packedStrings{doc: b.doc})
	}
	at := src.packing.(*packedStrings)
	inner, err := b.unpacked(src, len(at.spans), []byte(text))
	if err != nil {
		return jspan.Value{}, false
	}
	at.spans = append(at.spans, b.span(v))
	b.doc.Source = src
	return inner, true
}
