package live

import (
	"runtime"
	"slices"

	"palimpsest/model/garbage"
)

// pile holds what is written to it, of a length that need not be known: in memory once,
// and while it is put together twice. The zero value is empty.
type pile struct {
	whole []byte   // as far as there is room
	more  [][]byte // what came then
	n     int
}

// mostPiece bounds a piece.
const mostPiece = 1 << 20

// Write implements [io.Writer].
func (p *pile) Write(b []byte) (int, error) {
	p.n += len(b)
	fill := func(to *[]byte, rest []byte) []byte {
		k := min(cap(*to)-len(*to), len(rest))
		*to = append(*to, rest[:k]...)
		return rest[k:]
	}
	rest := fill(&p.whole, b)
	for len(rest) > 0 {
		if last := len(p.more) - 1; last >= 0 {
			rest = fill(&p.more[last], rest)
		}
		if len(rest) > 0 {
			p.more = append(p.more, make([]byte, 0, min(max(p.n, 4<<10), mostPiece)))
		}
	}
	return len(b), nil
}

// manyPieces is from when on the pieces, once they are put together, are given back at once:
// the next collection may come when as much again is in use.
const manyPieces = 8

// bytes puts it together.
func (p *pile) bytes() []byte {
	if n := len(p.more); n > 0 {
		p.whole, p.more = slices.Concat(append([][]byte{p.whole}, p.more...)...), nil
		if n > manyPieces {
			runtime.GC()
		}
	}
	return p.whole
}

// largeBody is from when on a body is worked on sparingly.
const largeBody = 8 << 20

// sparingly has less garbage beside a large body while it is worked on.
func sparingly(size int) (done func()) {
	if size < largeBody {
		return func() {}
	}
	return garbage.Sparing()
}
