package query

import (
	"encoding/binary"
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Needle is what the bytes of a message hold if its text meets a term, however the
// source spells JSON: one of the alternatives, once ASCII letters are small (see
// [Lower]). Messages with a place of [Escaped] may hold none of them.
type Needle [][]byte

// needle is the one of a literal: its longest run of characters that JSON spells as
// they are, or none. Where the run is not ASCII a source may also escape it.
func needle(text string) Needle {
	best, run := "", []rune(nil)
	end := func() {
		if s := string(run); len(s) > len(best) {
			best = s
		}
		run = run[:0]
	}
	for _, r := range text {
		if r = foldRune(r); plain(r) && alone(r) {
			run = append(run, r)
		} else {
			end()
		}
	}
	end()
	if best == "" {
		return nil
	}
	n := Needle{[]byte(best)}
	for _, r := range best {
		if r >= utf8.RuneSelf {
			return append(n, []byte(escape(r)))
		}
	}
	return n
}

// escape is a character as JSON escapes it, without the first backslash, of which
// there may be several.
func escape(r rune) string {
	if r > 0xffff {
		r, _ = utf16.EncodeRune(r)
	}
	return fmt.Sprintf("u%04x", r)
}

// plain reports whether JSON spells a character as it is, except by choice.
func plain(r rune) bool {
	return r >= ' ' && r != 0x7f && r != utf8.RuneError && !strings.ContainsRune(`"\/<>&'`, r) && !(r >= 0x80 && r < 0xa0) &&
		r != 0x2028 && r != 0x2029
}

// Escaped is the first place, from a byte on, where bytes hold a character spelled so
// that a [Needle] misses it: ASCII that is escaped without need, or one of the two
// other characters that fold to ASCII letters; -1: there is none.
func Escaped(b []byte, from int) int {
	best := -1
	for _, c := range []string{kelvin, longS} {
		if i := index(b[from:], c); i >= 0 && (best < 0 || from+i < best) {
			best = from + i
		}
	}
	for i := from; ; {
		k := indexEscape(b[i:])
		if k < 0 || best >= 0 && i+k > best {
			return best
		}
		i += k + 2
		if i+4 > len(b) {
			return best
		}
		if r, ok := hex4(b[i : i+4]); ok && (r < 0x7f && plain(r) || r == 0x212a || r == 0x17f) {
			return i - 2
		}
	}
}

// indexEscape is the first `\u` in bytes; -1: there is none. Backslashes are frequent in
// JSON and this pair is not, so 32 bytes are looked at together.
func indexEscape(b []byte) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	pair := func(b []byte) uint64 { // a top bit where a backslash stands before a u
		x := (binary.LittleEndian.Uint64(b) ^ ones*'\\') | (binary.LittleEndian.Uint64(b[1:]) ^ ones*'u')
		return (x - ones) &^ x & high
	}
	at := 0
	for rest := b; len(rest) >= 33; rest = rest[32:] {
		if pair(rest)|pair(rest[8:])|pair(rest[16:])|pair(rest[24:]) != 0 {
			break
		}
		at += 32
	}
	i := index(b[at:], `\u`)
	if i < 0 {
		return -1
	}
	return at + i
}

func hex4(b []byte) (r rune, ok bool) {
	for _, c := range b {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// required is a literal that everything an expression matches holds; "" if none is
// known.
func required(source string) string {
	re, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return ""
	}
	return requiredIn(re.Simplify())
}

func requiredIn(re *syntax.Regexp) (best string) {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return requiredIn(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if s := requiredIn(sub); len(s) > len(best) {
				best = s
			}
		}
	}
	return best
}

// Needles are those of all terms that every hit has to meet; terms that say nothing
// of the bytes have none.
func (m *Matcher) Needles() []Needle { return m.needles }

// Rarest is the longest needle, which is looked for first; nil if there is none.
func (m *Matcher) Rarest() (best Needle) {
	for _, n := range m.needles {
		if best == nil || len(n[0]) > len(best[0]) {
			best = n
		}
	}
	return best
}
