package find

import (
	"math/bits"

	"palimpsest/model"
	"palimpsest/model/query"
)

// An index says which blocks of text may hold a needle, without their text. Text is cut
// into blocks, and a block has a bit for each hash of three bytes that follow one
// another in it (with small ASCII letters). A needle can only be in blocks that have
// the bits of all its threes.
//
//	            block 0  1  2 … 1007     a group: 16 MB of text, 2 MB of bits
//	hash 0            0  1  0 …   0      a row: 126 bytes
//	hash 1            1  1  0 …   1      a slice: 16 rows, two of which fill a page of SQLite
//	…
//	hash 16383        0  0  1 …   0
//
// Bits are by row, so that a needle of ten letters reads eight slices of 2 KB a
// group. Text is not kept: what the index lets through is looked for in the files.
const (
	blockBytes = 16 << 10
	columns    = 1008
	rows       = 16 << 10    // hashes: as many as bytes of a block
	rowBytes   = columns / 8 // an index whose rows have another length is of an older form
	sliceRows  = 16
	// overlap is how far a block looks into the next one, so that a needle that begins
	// in it is in it as a whole. Of a longer one only so much is asked for.
	overlap = 64
)

// hash is the row of three bytes.
func hash(a, b, c byte) uint32 {
	return (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 0x9E3779B1 >> (32 - 14)
}

// group is an index that is being made.
type group struct {
	bits    [columns][rows / 64]uint64 // by block
	wild    [rowBytes]byte
	room    int64 // that the last block has left
	used    int   // blocks
	extents []model.TextExtent
}

// add takes text of a file, small already, of which off is where it begins, and
// returns how much of it was taken: a block at most. What is behind the first n bytes
// of it is only looked into.
func (g *group) add(file int, off int64, low []byte, n int) int {
	if g.room == 0 {
		if g.used == columns {
			return 0
		}
		g.used, g.room = g.used+1, blockBytes
	}
	k := g.used - 1
	take := min(n, int(g.room))
	text := low[:min(len(low), take+overlap)]
	set := &g.bits[k]
	for i := 2; i < len(text); i++ {
		h := hash(text[i-2], text[i-1], text[i])
		set[h>>6] |= 1 << (h & 63)
	}
	if query.Escaped(text, 0) >= 0 {
		g.wild[k>>3] |= 1 << (k & 7)
	}
	g.room -= int64(take)
	g.extents = append(g.extents, model.TextExtent{File: int64(file), Column: k, Off: off, Len: int64(take)})
	return take
}

// table is the group as it is stored: turned, so that the bits of a row are together.
func (g *group) table() *model.TextGroup {
	t := &model.TextGroup{Wild: append([]byte(nil), g.wild[:]...), Extents: g.extents, Slices: make([][]byte, rows/sliceRows)}
	for w := range rows / 64 {
		for k := range g.used {
			for x := g.bits[k][w]; x != 0; x &= x - 1 {
				r := w*64 + bits.TrailingZeros64(x)
				s := &t.Slices[r/sliceRows]
				if *s == nil {
					*s = make([]byte, sliceRows*rowBytes)
				}
				(*s)[r%sliceRows*rowBytes+k>>3] |= 1 << (k & 7)
			}
		}
	}
	return t
}

// reset makes an empty group of one that was stored.
func (g *group) reset() {
	for k := range g.used {
		clear(g.bits[k][:])
	}
	g.wild, g.room, g.used, g.extents = [rowBytes]byte{}, 0, 0, nil
}

// asked are the rows that a needle has, at most so many; nil: it is too short to say
// anything.
func asked(alt []byte) (list []uint32) {
	alt = alt[:min(len(alt), overlap)]
	seen := map[uint32]bool{}
	for i := 2; i < len(alt); i++ {
		if h := hash(alt[i-2], alt[i-1], alt[i]); !seen[h] {
			seen[h] = true
			list = append(list, h)
		}
	}
	return spread(list, mostAsked)
}

// mostAsked bounds how many rows are read for a needle: more hardly narrow it.
const mostAsked = 20

// spread takes n out of a list, far from one another: neighbours say the same.
func spread(list []uint32, n int) []uint32 {
	if len(list) <= n {
		return list
	}
	out := make([]uint32, n)
	for i := range out {
		out[i] = list[i*(len(list)-1)/(n-1)]
	}
	return out
}
