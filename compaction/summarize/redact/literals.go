package redact

import "strings"

// literals finds many known texts at once: the first bytes of each are looked up
// in a table, so that the time does not grow with their number.
type literals struct {
	has  [1 << 16 / 8]byte             // which first bytes there are at all
	list map[[literalKey]byte][]string // by their first bytes, the longest first
}

// literalKey is how many first bytes of a text are looked up; the shortest text
// that is found anywhere has minRandom.
const literalKey = 4

func (l *literals) add(s string) {
	if len(s) < minRandom {
		return
	}
	if l.list == nil {
		l.list = map[[literalKey]byte][]string{}
	}
	key := [literalKey]byte([]byte(s[:literalKey]))
	at := 0
	for _, other := range l.list[key] {
		if other == s {
			return
		}
		if len(other) >= len(s) {
			at++
		}
	}
	list := append(l.list[key], "")
	copy(list[at+1:], list[at:])
	list[at] = s
	l.list[key] = list
	n := short(s)
	l.has[n/8] |= 1 << (n % 8)
}

// short is the first two bytes of a text.
func short(s string) uint16 { return uint16(s[0])<<8 | uint16(s[1]) }

// each reports where the texts occur, in order; none within another.
func (l *literals) each(text string, found func(from int, s string)) {
	if len(l.list) == 0 {
		return
	}
	for i := 0; i+minRandom <= len(text); i++ {
		n := short(text[i:])
		if l.has[n/8]&(1<<(n%8)) == 0 {
			continue
		}
		for _, s := range l.list[[literalKey]byte([]byte(text[i:i+literalKey]))] {
			if strings.HasPrefix(text[i:], s) {
				found(i, s)
				i += len(s) - 1
				break
			}
		}
	}
}
