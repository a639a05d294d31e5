package codec

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// PackedStrings are strings of a source that are JSON themselves, as exporters
// write attributes that may only be strings. An edit spells the whole string
// anew in the document's style: its text is the same but for the edit, its
// escapes may be others.
type PackedStrings struct {
	doc   *model.Document
	Spans []model.Span // of the strings, quotes included
}

func (p *PackedStrings) Unpack(i int) ([]byte, error) {
	v, err := ParseAt(p.doc, p.Spans[i])
	if err != nil {
		return nil, fmt.Errorf("read the string at byte %d: %w", p.Spans[i].Off, err)
	}
	return []byte(v.Text()), nil
}

func (p *PackedStrings) pack(w io.Writer, d *model.Document, own []splice, inner map[int][]splice) error {
	for i, list := range inner {
		text, err := p.Unpack(i)
		if err != nil {
			return err
		}
		own = append(own, splice{p.Spans[i], Quote(d, string(spliced(text, list)))})
	}
	slices.SortStableFunc(own, bySplice)
	own, err := withoutNested(own)
	if err != nil {
		return err
	}
	return writeSpliced(w, d, own)
}

// UnpackString reads the JSON in a string. It gives nothing for a string that
// holds none, or one that could not be spelled anew without loss.
func (b *Builder) UnpackString(v jspan.Value) (jspan.Value, bool) {
	text := v.Text()
	if v.Kind != jspan.String || strings.ContainsRune(text, utf8.RuneError) {
		return jspan.Value{}, false
	}
	src, ok := b.Doc.Source.(*PackedSource)
	if !ok {
		src = NewPackedSource(b.Doc, &PackedStrings{doc: b.Doc})
	}
	at := src.Packing.(*PackedStrings)
	inner, err := b.Unpacked(src, len(at.Spans), []byte(text))
	if err != nil {
		return jspan.Value{}, false
	}
	at.Spans = append(at.Spans, b.Span(v))
	b.Doc.Source = src
	return inner, true
}
