package transcript

import (
	"slices"
	"sort"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// builder collects a document while a format reads it.
type builder struct {
	doc      *model.Document
	whole    jspan.Value // of a single JSON value
	progress func(done, total int64)
	base     int64 // file offset of the buffer that values point into
	line     int   // 1-based line of that buffer; 0 for a single value
	names    map[string]string
	singles  []model.Piece // of which pieces cuts
	oneCall  []model.Call  // of which withCall cuts
	usages   []model.Usage // of which keepUsage cuts
	kept     keptTexts
	head     []byte       // of a text, while its preview is made
	packed   []packedBase // of the packed texts that are being read

	archive *inspectArchive // that the source is; nil for text
}

// span is a value's place in the source.
func (b *builder) span(v jspan.Value) model.Span {
	return model.Span{Off: b.baseOf(v) + int64(v.Off), Len: int64(v.Len())}
}

// record is the piece for a value that is a record of its own.
func (b *builder) record(v jspan.Value) model.Piece {
	return model.Piece{Span: b.span(v), Array: -1}
}

// roomFor gives a full list room for what comes, if the rest of the source is like
// what was read of it. Where a list only doubles and the like, its elements are
// copied more often, and more room stays empty.
func roomFor[T any](b *builder, list []T) []T {
	n := len(list)
	if n < cap(list) {
		return list
	}
	want := n
	if b.base > 0 {
		want = int(1.1 * float64(n) * (float64(b.doc.Size)/float64(b.base) - 1))
	}
	return slices.Grow(list, 64+max(0, min(want, 3*n)))
}

// pieces is the list of one piece. Lists are cut from larger ones: each is full,
// so that appending to it copies it.
func (b *builder) pieces(p model.Piece) []model.Piece {
	if len(b.singles) == cap(b.singles) {
		b.singles = make([]model.Piece, 0, 256)
	}
	b.singles = append(b.singles, p)
	n := len(b.singles)
	return b.singles[n-1 : n : n]
}

// withCall is the list of a message's calls with one more. That of one call is cut
// from a larger one, as most messages make no more.
func (b *builder) withCall(list []model.Call, c model.Call) []model.Call {
	if len(list) > 0 {
		return append(list, c)
	}
	if len(b.oneCall) == cap(b.oneCall) {
		b.oneCall = make([]model.Call, 0, 128)
	}
	b.oneCall = append(b.oneCall, c)
	n := len(b.oneCall)
	return b.oneCall[n-1 : n : n]
}

// keepUsage keeps what a provider reported.
func (b *builder) keepUsage(u model.Usage) *model.Usage {
	if len(b.usages) == cap(b.usages) {
		b.usages = make([]model.Usage, 0, 128)
	}
	b.usages = append(b.usages, u)
	return &b.usages[len(b.usages)-1]
}

// array registers a JSON array whose elements belong to different messages and
// returns its index. holder is what goes when the last element goes; the zero
// Piece lets the empty array stay.
func (b *builder) array(v jspan.Value, holder model.Piece) int32 {
	a := model.Array{Span: b.span(v), Holder: holder}
	v.Items(func(_ int, e jspan.Value) bool {
		a.Elems = append(a.Elems, b.span(e))
		return true
	})
	b.doc.Arrays = append(b.doc.Arrays, a)
	return int32(len(b.doc.Arrays) - 1)
}

// elem is the piece for element i of a registered array.
func (b *builder) elem(array int32, i int) model.Piece {
	return model.Piece{Span: b.doc.Arrays[array].Elems[i], Array: array}
}

// note remembers something to say about the current line.
func (b *builder) note(code, reason string) {
	b.doc.Notes = append(b.doc.Notes, model.Note{Line: b.line, Off: b.base, Code: code, Reason: reason})
}

// intern keeps one copy of strings that repeat: ids, models, tool names.
func (b *builder) intern(s string) string {
	if len(s) > 200 {
		return s
	}
	if have, ok := b.names[s]; ok {
		return have
	}
	b.names[s] = s
	return s
}

// text is intern for the text of a value, which costs no memory where it is known.
func (b *builder) text(v jspan.Value) string {
	s := v.Bytes()
	if len(s) == 0 {
		return ""
	}
	if have, ok := b.names[string(s)]; ok {
		return have
	}
	return b.intern(b.kept.keep(viewOf(s)))
}

// id is the text of a value that hardly any other repeats.
func (b *builder) id(v jspan.Value) string { return b.kept.keep(viewOf(v.Bytes())) }

func (b *builder) bad(code, reason string, n int64) {
	b.doc.Notes = append(b.doc.Notes, model.Note{Line: b.line, Off: b.base, Code: code, Reason: reason, Bad: true})
	b.segment(b.base, n, model.SegmentBad)
}

// segment appends to the cover; gaps that touch become one.
func (b *builder) segment(off, n int64, kind model.SegmentKind) {
	if n == 0 {
		return
	}
	if k := len(b.doc.Segments); kind == model.SegmentGap && k > 0 && b.doc.Segments[k-1].Kind == kind {
		b.doc.Segments[k-1].Len += n
		return
	}
	b.doc.Segments = append(roomFor(b, b.doc.Segments), model.Segment{
		Span: model.Span{Off: off, Len: n}, Kind: kind, Line: int32(b.line)})
}

// cover cuts a document that is one JSON value into segments: the elements of
// the outermost registered arrays are records, all else is gap. Arrays of
// packed texts are none of its own.
func (b *builder) cover() {
	d := b.doc
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
			b.segment(at, e.Off-at, model.SegmentGap)
			b.segment(e.Off, e.Len, model.SegmentRecord)
			at = e.End()
		}
	}
	if at == 0 && b.whole.Exists() {
		s := b.span(b.whole)
		b.segment(0, s.Off, model.SegmentGap)
		b.segment(s.Off, s.Len, model.SegmentRecord)
		at = s.End()
	}
	b.segment(at, d.Size-at, model.SegmentGap)
}
