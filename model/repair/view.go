package repair

import (
	"bytes"
	"cmp"
	"io"
	"slices"

	"palimpsest/model/transcript"
)

// A source is mended in layers. Each layer is a view of the one below with some spans
// replaced, so that a later rule sees what the earlier ones left, nothing is copied, and every
// place leads back to the file:
//
//	file          …{"a":"\ud83d"}{"b":1}⏎…
//	characters    …{"a":"\ufffd"}{"b":1}⏎…     half a character
//	lines         …{"a":"\ufffd"}⏎{"b":1}⏎…    two records on a line
//	records       …                            ids, parents, numbers, calls and results

// view is a source with edits. It is read like the file that it would be.
type view struct {
	src   io.ReaderAt
	edits []transcript.Splice // in order, without overlaps
	at    []int64             // where each edit is in the view
	size  int64
}

// newView lays edits over a source. Of two that overlap the first one counts.
func newView(src io.ReaderAt, size int64, edits []transcript.Splice) *view {
	slices.SortStableFunc(edits, func(a, b transcript.Splice) int { return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.Len, b.Len)) })
	v := &view{src: src, size: size}
	end := int64(0)
	for _, e := range edits {
		if e.Off < end {
			continue
		}
		end = e.End()
		v.at = append(v.at, e.Off+v.size-size)
		v.edits = append(v.edits, e)
		v.size += int64(len(e.Bytes)) - e.Len
	}
	return v
}

// ReadAt implements io.ReaderAt.
func (v *view) ReadAt(b []byte, off int64) (n int, err error) {
	i, _ := slices.BinarySearch(v.at, off+1) // the edits before i begin at off or before
	i--
	for n < len(b) {
		at, from, until := off+int64(n), int64(0), v.size
		if i+1 < len(v.at) {
			until = v.at[i+1]
		}
		if at >= v.size {
			return n, io.EOF
		}
		if i >= 0 {
			e := v.edits[i]
			if in := at - v.at[i]; in < int64(len(e.Bytes)) {
				n += copy(b[n:], e.Bytes[in:])
				continue
			}
			from = e.End() - v.at[i] - int64(len(e.Bytes))
		}
		if want := min(int64(len(b)-n), until-at); want > 0 {
			got, err := v.src.ReadAt(b[n:n+int(want)], at+from)
			if n += got; int64(got) < want {
				return n, cmp.Or(err, io.ErrUnexpectedEOF)
			}
			continue
		}
		i++
	}
	return n, nil
}

// down maps a place of the view to the view below. A place in new bytes maps to the bytes
// that they replace.
func (v *view) down(off int64) int64 {
	i, _ := slices.BinarySearch(v.at, off+1)
	if i == 0 {
		return off
	}
	e := v.edits[i-1]
	if in := off - v.at[i-1]; in >= int64(len(e.Bytes)) {
		return e.End() + in - int64(len(e.Bytes))
	}
	return e.Off
}

// lineIndex knows the lines of a source: of those that begin in one stretch of it, the first.
type lineIndex struct {
	src   io.ReaderAt
	every []lineAt
	lines int
}

type lineAt struct {
	off  int64
	line int // from 1
}

const stretch = 64 << 10

// add notes that a line begins.
func (x *lineIndex) add(off int64) {
	x.lines++
	if n := len(x.every); n == 0 || off-x.every[n-1].off >= stretch {
		x.every = append(x.every, lineAt{off, x.lines})
	}
}

// at is the line that an offset is on, from 1.
func (x *lineIndex) at(off int64) int {
	i, exact := slices.BinarySearchFunc(x.every, off, func(e lineAt, off int64) int { return cmp.Compare(e.off, off) })
	if exact {
		return x.every[i].line
	}
	if i == 0 {
		return 1
	}
	first := x.every[i-1]
	return first.line + bytes.Count(readAt(x.src, off, first.off, stretch), []byte{'\n'})
}

func readAt(src io.ReaderAt, size, off, n int64) []byte {
	if n = min(n, size-off); n <= 0 {
		return nil
	}
	b := make([]byte, n)
	k, _ := src.ReadAt(b, off)
	return b[:k]
}
