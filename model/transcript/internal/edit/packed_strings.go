package edit

import (
	"fmt"
	"io"
	"slices"

	"palimpsest/model"
)

// PackedStrings are strings of a source that are JSON themselves, as exporters
// write attributes that may only be strings. An edit spells the whole string
// anew in the document's style: its text is the same but for the edit, its
// escapes may be others.
type PackedStrings struct {
	Doc   *model.Document
	Spans []model.Span // of the strings, quotes included
}

func (p *PackedStrings) Unpack(i int) ([]byte, error) {
	v, err := ParseAt(p.Doc, p.Spans[i])
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
