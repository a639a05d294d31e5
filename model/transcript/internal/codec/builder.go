package codec

import (
	"errors"
	"fmt"
	"io/fs"
	"sort"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// A document is a list of segments that cover its source, and messages whose
// pieces are spans of it. A piece is a whole record, or an element of an array
// that is registered because its elements belong to different messages:
//
//	source     {"role":"user"…}⏎{"role":"assistant","content":[ {…},{…} ]}⏎
//	segments   |----record-----|gap|-----------record-------------------|gap|
//	pieces     |---message 1---|                               |m 2||m 3|
//	                                                           array 0, whose
//	                                                           holder is the record
//
// When all elements of an array go, its holder goes. Other pieces lie inside a
// record that another message owns; they only say where to read.

// Builder collects a document while a format reads it.
type Builder struct {
	Doc      *model.Document
	Whole    jspan.Value // of a single JSON value
	Progress func(done, total int64)
	Base     int64 // file offset of the buffer that values point into
	Line     int   // 1-based line of that buffer; 0 for a single value
	Texts
	Packed []packedBase // of the packed texts that are being read
}

// Span is a value's place in the source.
func (b *Builder) Span(v jspan.Value) model.Span {
	return model.Span{Off: b.baseOf(v) + int64(v.Off), Len: int64(v.Len())}
}

// Record is the piece for a value that is a record of its own.
func (b *Builder) Record(v jspan.Value) model.Piece {
	return model.Piece{Span: b.Span(v), Array: -1}
}

// Array registers a JSON array whose elements belong to different messages and
// returns its index. holder is what goes when the last element goes; the zero
// Piece lets the empty array stay.
func (b *Builder) Array(v jspan.Value, holder model.Piece) int32 {
	a := model.Array{Span: b.Span(v), Holder: holder}
	for _, e := range v.Items {
		a.Elems = append(a.Elems, b.Span(e))
	}
	b.Doc.Arrays = append(b.Doc.Arrays, a)
	return int32(len(b.Doc.Arrays) - 1)
}

// Elem is the piece for element i of a registered array.
func (b *Builder) Elem(array int32, i int) model.Piece {
	return model.Piece{Span: b.Doc.Arrays[array].Elems[i], Array: array}
}

// Note remembers something to say about the current line.
func (b *Builder) Note(code, reason string) {
	Say(b.Doc, model.Note{Line: b.Line, Off: b.Base, Code: code, Reason: reason})
}

func (b *Builder) bad(code, reason string, n int64) {
	Say(b.Doc, model.Note{Line: b.Line, Off: b.Base, Code: code, Reason: reason, Bad: true})
	s := b.Doc.Segments
	if k := len(s); b.Doc.Unlisted > 0 && k > 0 && s[k-1].Kind == model.SegmentBad {
		s[k-1].Len = b.Base + n - s[k-1].Off // one of millions: they are one stretch
		return
	}
	b.segment(b.Base, n, model.SegmentBad)
}

// How many notes a document lists: the first ones, and the last ones or up to twice
// as many. A file of nothing but broken lines would take more memory for what is
// said about it than for itself.
const (
	firstNotes = 1000
	lastNotes  = 100
)

// Say adds a note to a document, and counts those that it has no room for.
func Say(d *model.Document, n model.Note) {
	d.Notes = append(d.Notes, n)
	if len(d.Notes) < firstNotes+2*lastNotes {
		return
	}
	d.Unlisted += lastNotes
	for _, gone := range d.Notes[firstNotes : firstNotes+lastNotes] {
		if gone.Bad {
			d.UnlistedBad++
		}
	}
	d.Notes = append(d.Notes[:firstNotes], d.Notes[firstNotes+lastNotes:]...)
}

func (b *Builder) segment(off, n int64, kind model.SegmentKind) {
	if n == 0 {
		return
	}
	b.Doc.Segments = append(b.Doc.Segments, model.Segment{
		Span: model.Span{Off: off, Len: n}, Kind: kind, Line: int32(b.Line)})
}

// Cut makes the segments of a document that is one JSON value: the elements of the
// outermost registered arrays, or the value where there are none. Arrays of packed texts
// are none of its own.
func (b *Builder) Cut() {
	d := b.Doc
	order := make([]int, len(d.Arrays))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return d.Arrays[order[i]].Off < d.Arrays[order[j]].Off })
	at := int64(0)
	for _, i := range order {
		a := d.Arrays[i]
		if a.Off < at || a.Off >= d.Size {
			continue // inside one that is already cut, or packed
		}
		for _, e := range a.Elems {
			b.segment(e.Off, e.Len, model.SegmentRecord)
			at = e.End()
		}
	}
	if at == 0 && b.Whole.Exists() {
		s := b.Span(b.Whole)
		b.segment(s.Off, s.Len, model.SegmentRecord)
	}
}

// OpenProblem says why a path cannot be read, as a *model.Problem.
func OpenProblem(path string, err error) error {
	p := &model.Problem{Code: "cannot-read", What: fmt.Sprintf("%s cannot be read.", path), Why: err.Error() + ".",
		Next: "Check the path.", Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.Code, p.Why = "no-file", "There is no such file."
	case errors.Is(err, fs.ErrPermission):
		p.Code, p.Why, p.Next = "permission", "You may not read it.", "Change its permissions or copy it."
	}
	return p
}

// TextElem is the piece for a string of a record.
func (b *Builder) TextElem(v jspan.Value) model.Piece {
	s := b.Span(v)
	b.Doc.Arrays = append(b.Doc.Arrays, model.Array{Span: s, Elems: []model.Span{s}})
	return b.Elem(int32(len(b.Doc.Arrays)-1), 0)
}
