package redact

import (
	"iter"
	"slices"
)

// literals finds many known texts at once: what is at a place is looked up by the first
// bytes of a text, then by the lengths of those that begin so. The time does not grow with
// their number, however alike they begin.
type literals struct {
	has     [1 << 16 / 8]byte          // which first bytes there are at all
	lengths map[[literalKey]byte][]int // of the texts that begin so, the longest first
	all     map[string]bool
}

// literalKey is how many first bytes of a text are looked up; the shortest text
// that is found anywhere has minRandom.
const literalKey = 4

func (l *literals) add(s string) {
	if len(s) < minRandom || l.all[s] {
		return
	}
	if l.all == nil {
		l.lengths, l.all = map[[literalKey]byte][]int{}, map[string]bool{}
	}
	l.all[s] = true
	key := [literalKey]byte([]byte(s[:literalKey]))
	list := l.lengths[key]
	if at, known := slices.BinarySearchFunc(list, len(s), func(a, b int) int { return b - a }); !known {
		l.lengths[key] = slices.Insert(list, at, len(s))
	}
	n := short(s)
	l.has[n/8] |= 1 << (n % 8)
}

// short is the first two bytes of a text.
func short(s string) uint16 { return uint16(s[0])<<8 | uint16(s[1]) }

// at are the texts at a place, the longest first.
func (l *literals) at(text string, i int) iter.Seq[string] {
	return func(yield func(string) bool) {
		if i+minRandom > len(text) {
			return
		}
		n := short(text[i:])
		if l.has[n/8]&(1<<(n%8)) == 0 {
			return
		}
		for _, size := range l.lengths[[literalKey]byte([]byte(text[i:i+literalKey]))] {
			if i+size <= len(text) && l.all[text[i:i+size]] && !yield(text[i:i+size]) {
				return
			}
		}
	}
}

// each reports where the texts occur, in order; none within another.
func (l *literals) each(text string, found func(from int, s string)) {
	if len(l.all) == 0 {
		return
	}
	for i := 0; i+minRandom <= len(text); i++ {
		for s := range l.at(text, i) {
			found(i, s)
			i += len(s) - 1
			break
		}
	}
}
