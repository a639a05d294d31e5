package query

import "encoding/binary"

// Scan looks for needles in bytes as a file holds them, without making their letters
// small first. Of each place that it looks at it reads four bytes, and steps so far
// that every needle has one of its fours looked at:
//
//	needle    l e d g e r          fours: ledg edge dger, so a step of 3
//	bytes     …t h e   L e d g e r   o f…
//	looked at  ^     ^     ^ edge: is a needle around it?
//
// It is immutable.
type Scan struct {
	alts  [][]byte // their ASCII letters are small
	step  int
	fours [1 << 10]uint64 // a bit for each hash of a needle's fours
}

// leastScanned is the length from which on a needle is worth a scan: a shorter one is
// looked for faster in bytes whose letters were made small.
const leastScanned = 6

// NewScan makes a scan of spellings; nil: there is none, or one of them is too short.
func NewScan(alts ...[]byte) *Scan {
	if len(alts) == 0 {
		return nil
	}
	s := &Scan{alts: alts}
	for _, a := range alts {
		if len(a) < leastScanned {
			return nil
		}
		if n := len(a) - 3; s.step == 0 || n < s.step {
			s.step = n
		}
		for i := 0; i+4 <= len(a); i++ {
			h := fourAt(a, i)
			s.fours[h>>6] |= 1 << (h & 63)
		}
	}
	return s
}

// fourAt is the hash of four bytes; those of two spellings of a letter are equal.
func fourAt(b []byte, i int) uint32 {
	return (binary.LittleEndian.Uint32(b[i:]) | 0x20202020) * 0x9E3779B1 >> 16
}

// Next is the first place from a byte on where a spelling is found, and which one it
// is; −1: there is none.
func (s *Scan) Next(b []byte, from int) (at, alt int) {
	for i := from; i+4 <= len(b); i += s.step {
		if h := fourAt(b, i); s.fours[h>>6]>>(h&63)&1 == 0 {
			continue
		}
		at := -1
		for k, a := range s.alts {
			for x := max(from, i-len(a)+4); x <= i && (at < 0 || x < at); x++ {
				if begins(b[x:], a) {
					at, alt = x, k
				}
			}
		}
		if at >= 0 {
			return at, alt
		}
	}
	return -1, 0
}

// begins reports whether bytes begin with a spelling.
func begins(b, a []byte) bool {
	if len(b) < len(a) {
		return false
	}
	for i, want := range a {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != want {
			return false
		}
	}
	return true
}
