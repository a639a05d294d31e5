package edit

import (
	"bytes"

	"palimpsest/model"
)

// lineSplices takes records out together with their line ends and puts new
// lines in. A source without a final newline stays without one.
func (e *Edits) lineSplices() []Splice {
	segs, eol := e.doc.Segments, e.doc.Style.EOL
	before, behind := e.lineInserts()
	gone := func(s model.Segment) bool {
		p, ok := e.Gone[s.Span]
		return ok && p.Array < 0
	}
	last, kept := -1, -1 // the last line, and the last one that stays
	for i, s := range segs {
		last = i
		if !gone(s) {
			kept = i
		}
	}
	ragged := last > kept && !e.terminated(last)
	var list []Splice
	var tail [][]byte
	changed := len(e.Gone)+len(e.Inserts)+len(e.Replaces) > 0
	for i, s := range segs {
		if ragged && i > kept {
			tail = append(append(tail, before[s.Off]...), behind[s.Off]...)
			continue
		}
		for _, b := range before[s.Off] {
			list = append(list, Splice{model.Span{Off: s.Off}, append(append([]byte{}, b...), eol...)})
		}
		if gone(s) {
			end := e.withLineEnd(i)
			if i > 0 && segs[i-1].End() == s.Off && !gone(segs[i-1]) {
				end = s.End() // the line end is that of the record before it, on the same line
			}
			list = append(list, Splice{model.Span{Off: s.Off, Len: end - s.Off}, nil})
			continue
		}
		if changed && i > 0 && segs[i-1].End() == s.Off && segs[i-1].Kind == model.SegmentRecord && !gone(segs[i-1]) {
			list = append(list, Splice{model.Span{Off: s.Off}, []byte(eol)}) // two records on one line
		}
		for _, b := range behind[s.Off] {
			list = append(list, Splice{model.Span{Off: s.End()}, append([]byte(eol), b...)})
		}
	}
	if ragged {
		list = append(list, e.raggedEnd(kept, tail))
	}
	return list
}

// lineInserts are the new lines by the offset of the line they are put at. What
// goes behind a dropped line goes in front of it: it is the same place.
func (e *Edits) lineInserts() (before, behind map[int64][][]byte) {
	before, behind = map[int64][][]byte{}, map[int64][][]byte{}
	for _, in := range e.Inserts {
		if in.At.Array >= 0 {
			continue
		}
		if _, gone := e.Gone[in.At.Span]; in.behind && !gone {
			behind[in.At.Off] = append(behind[in.At.Off], in.bytes)
		} else {
			before[in.At.Off] = append(before[in.At.Off], in.bytes)
		}
	}
	return before, behind
}

// terminated reports whether line i ends with a newline.
func (e *Edits) terminated(i int) bool {
	end := e.withLineEnd(i)
	b, err := e.doc.Bytes(model.Span{Off: end - 1, Len: 1})
	return err == nil && b[0] == '\n'
}

// withLineEnd is the offset behind line i and its line end.
func (e *Edits) withLineEnd(i int) int64 {
	segs, next := e.doc.Segments, e.doc.Size
	if i+1 < len(segs) {
		next = segs[i+1].Off
	}
	end := segs[i].End()
	return end + e.lineEnd(model.Span{Off: end, Len: next - end})
}

// raggedEnd replaces all behind the last line that stays, in a source without a
// final newline.
func (e *Edits) raggedEnd(kept int, lines [][]byte) Splice {
	eol := []byte(e.doc.Style.EOL)
	s := Splice{Span: model.Span{}, Bytes: bytes.Join(lines, eol)}
	if kept >= 0 {
		s.Off = e.doc.Segments[kept].End()
		if len(lines) > 0 {
			s.Bytes = append(append([]byte{}, eol...), s.Bytes...)
		}
	} else {
		s.Off = e.doc.Segments[0].Off // behind a byte order mark, blank lines
	}
	s.Len = e.doc.Size - s.Off
	return s
}

// lineEnd is the length of the first line end in a gap, all of the gap if there
// is none.
func (e *Edits) lineEnd(gap model.Span) int64 {
	b, err := e.doc.Bytes(model.Span{Off: gap.Off, Len: min(gap.Len, 4096)})
	if err != nil {
		return gap.Len
	}
	for i, c := range b {
		if c == '\n' {
			return int64(i) + 1
		}
	}
	return gap.Len
}
