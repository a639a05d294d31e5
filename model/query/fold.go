package query

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"
)

// foldRune represents all characters that simple folding makes equal:
// an ASCII letter is small, and also represents what folds to it (K, ſ).
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for x := unicode.SimpleFold(r); x != r; x = unicode.SimpleFold(x) {
		least = min(least, x)
	}
	if least < utf8.RuneSelf {
		return foldRune(least)
	}
	return least
}

// alone reports whether no other character folds to the same one, apart from an
// ASCII letter's own other case and the two in [odd].
func alone(r rune) bool { return r < utf8.RuneSelf || unicode.SimpleFold(r) == r }

// Lower makes the ASCII letters of a text small, eight bytes at a time; all other
// bytes stay. dst has to be as long as src.
func Lower(dst, src []byte) {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(src); i += 8 {
		x := binary.LittleEndian.Uint64(src[i:])
		low := x &^ high
		letter := (low + ones*(0x80-'A')) &^ (low + ones*(0x80-'Z'-1)) &^ x & high // A–Z, in the top bit
		binary.LittleEndian.PutUint64(dst[i:], x|letter>>2)
	}
	for ; i < len(src); i++ {
		c := src[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst[i] = c
	}
}

// kelvin and longS are the two characters outside ASCII that fold to an ASCII letter.
const (
	kelvin = "\u212a"
	longS  = "\u017f"
)

// odd reports whether a text has one of the characters for which making ASCII small
// is not all of folding.
func odd(text []byte) bool {
	return bytes.Contains(text, []byte(kelvin)) || bytes.Contains(text, []byte(longS))
}

// literal is a text that is looked for without regard to case.
type literal struct {
	folded []byte
	simple bool // its places in a text are those in the text with small ASCII letters
	ks     bool // … unless the text has odd characters
}

func newLiteral(text string) literal {
	l := literal{simple: true}
	for _, r := range text {
		r = foldRune(r)
		l.simple = l.simple && alone(r)
		l.ks = l.ks || r == 'k' || r == 's'
		l.folded = utf8.AppendRune(l.folded, r)
	}
	return l
}

// Scratch is the text that is being looked through, in the forms that looking needs.
// It is used again from text to text, by one goroutine.
type Scratch struct {
	text   string
	low    []byte
	args   []byte // of a call, and what its text is made in
	leaves []byte
	found  []bool // by term
	places []Place
	heads  []head
	odd    bool // of the text; good where oddly is set
	oddly  bool
	slow   []byte // folded character by character; made when it is needed
	from   []int32
	slowed bool
	first  string
}

// First is the text that has the first place of the hit that was found last.
func (s *Scratch) First() string { return s.first }

// set begins another text.
func (s *Scratch) set(text string) {
	s.text, s.slowed, s.oddly = text, false, false
	if cap(s.low) < len(text) {
		s.low = make([]byte, len(text), len(text)+len(text)/2)
	}
	s.low = s.low[:len(text)]
	copy(s.low, text)
	Lower(s.low, s.low)
}

// isOdd looks only once whether the text is [odd].
func (s *Scratch) isOdd() bool {
	if !s.oddly {
		s.oddly, s.odd = true, odd(s.low)
	}
	return s.odd
}

// fold makes the form in which every character is folded, and where each byte of it
// comes from.
func (s *Scratch) fold() {
	if s.slowed {
		return
	}
	s.slowed, s.slow, s.from = true, s.slow[:0], s.from[:0]
	for i, r := range s.text {
		before := len(s.slow)
		s.slow = utf8.AppendRune(s.slow, foldRune(r))
		for range len(s.slow) - before {
			s.from = append(s.from, int32(i))
		}
	}
	s.from = append(s.from, int32(len(s.text)))
}

// next is where a literal is found from a byte of the text on; from < 0: nowhere.
func (s *Scratch) next(l *literal, at int) (from, to int) {
	if l.simple && !(l.ks && s.isOdd()) {
		i := bytes.Index(s.low[at:], l.folded)
		if i < 0 {
			return -1, -1
		}
		return at + i, at + i + len(l.folded)
	}
	s.fold()
	k, _ := place(s.from, int32(at))
	i := bytes.Index(s.slow[k:], l.folded)
	if i < 0 {
		return -1, -1
	}
	return int(s.from[k+i]), int(s.from[k+i+len(l.folded)])
}

// place finds the first entry that is not below v.
func place(list []int32, v int32) (at int, ok bool) {
	lo, hi := 0, len(list)
	for lo < hi {
		if m := (lo + hi) / 2; list[m] < v {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, lo < len(list)
}

// contains reports whether a value occurs in a text, both folded.
func contains(text, value string) bool {
	return strings.Contains(foldText(text), foldText(value))
}

func foldText(s string) string { return strings.Map(foldRune, s) }
