package tokens

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// The classes of characters that the two splitting patterns distinguish. They
// are disjoint; a set of them is a sum. 0 in asciiClass says: decode first.
const (
	symbol   uint8 = 1 << iota // none of the others, unassigned code points and invalid bytes too
	mark                       // \p{M}
	upper                      // \p{Lu}, \p{Lt}
	lower                      // \p{Ll}
	caseless                   // \p{Lm}, \p{Lo}
	number                     // \p{N}
	space                      // \s without the next
	newline                    // [\r\n]

	letter = upper | lower | caseless // \p{L}
)

// asciiClass returns the class of a one-byte character, and 0 for a byte that
// begins or continues a longer one.
var asciiClass = func() (t [256]uint8) {
	for c := range byte(utf8.RuneSelf) {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = lower
		case c >= 'A' && c <= 'Z':
			t[c] = upper
		case c >= '0' && c <= '9':
			t[c] = number
		case c == '\r' || c == '\n':
			t[c] = newline
		case c == ' ' || c >= '\t' && c <= '\f':
			t[c] = space
		default:
			t[c] = symbol
		}
	}
	return t
}()

const pageBits = 8

// classPages is a two-level table over all code points: equal pages are kept
// once, so that the part in use stays in the nearest cache.
type classPages struct {
	page  [(unicode.MaxRune + 1) >> pageBits]uint8
	pages [][1 << pageBits]uint8
}

func (t *classPages) of(r rune) uint8 {
	return t.pages[t.page[r>>pageBits]][r&(1<<pageBits-1)]
}

var loadClasses = sync.OnceValue(buildClasses)

// buildClasses makes the table from the running Go's Unicode tables, completed
// by newer.
func buildClasses() *classPages {
	flat := make([]uint8, unicode.MaxRune+1)
	for i := range flat {
		flat[i] = symbol
	}
	for _, set := range []struct {
		table *unicode.RangeTable
		class uint8
	}{
		{unicode.M, mark}, {unicode.Lu, upper}, {unicode.Lt, upper}, {unicode.Ll, lower},
		{unicode.Lm, caseless}, {unicode.Lo, caseless}, {unicode.N, number}, {unicode.White_Space, space},
	} {
		for _, r := range set.table.R16 {
			fill(flat, rune(r.Lo), rune(r.Hi), rune(r.Stride), set.class)
		}
		for _, r := range set.table.R32 {
			fill(flat, rune(r.Lo), rune(r.Hi), rune(r.Stride), set.class)
		}
	}
	flat['\r'], flat['\n'] = newline, newline
	for _, n := range newer {
		fill(flat, n.lo, n.hi, 1, n.class)
	}
	t := new(classPages)
	known := make(map[[1 << pageBits]uint8]uint8)
	for i := range t.page {
		page := [1 << pageBits]uint8(flat[i<<pageBits:])
		if i > 0 && page == t.pages[t.page[i-1]] { // most are
			t.page[i] = t.page[i-1]
			continue
		}
		at, ok := known[page]
		if !ok {
			at = uint8(len(t.pages))
			known[page] = at
			t.pages = append(t.pages, page)
		}
		t.page[i] = at
	}
	return t
}

func fill(flat []uint8, lo, hi, stride rune, class uint8) {
	for r := lo; r <= hi; r += stride {
		flat[r] = class
	}
}

// classAt returns the class and the width in bytes of the character at s[i:].
func (t *classPages) classAt(s string, i int) (class uint8, width int) {
	if c := asciiClass[s[i]]; c != 0 {
		return c, 1
	}
	return t.wide(s, i)
}

// wide is classAt for a character of more than one byte. The common case of
// three bytes is decoded here: the decoder of unicode/utf8 can't be inlined.
func (t *classPages) wide(s string, i int) (class uint8, width int) {
	if i+2 < len(s) {
		a, b, c := s[i], s[i+1]^0x80, s[i+2]^0x80
		if a > 0xE0 && a < 0xED && b|c < 0x40 {
			return t.of(rune(a&15)<<12 | rune(b)<<6 | rune(c)), 3
		}
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	if n <= 1 { // an invalid byte
		return symbol, 1
	}
	return t.of(r), n
}
