package facts

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// phrasebook finds which of many phrases occur in a text, in one pass whatever
// their number.
//
// The phrases are sorted, and each knows the longest other one that it begins
// with. At a place where a phrase may begin, a bitmap over the first bytes turns
// away nearly all; for the rest one binary search finds the greatest phrase not
// above the text from there on. Every phrase that the text begins with there is
// that one or reached from it by those links. So the cost does not grow with
// phrases that begin alike, as it would in a table by first word, and the memory
// is eight bytes a phrase, where an automaton takes some for every byte of it.
type phrasebook struct {
	entries []phrase
	long    bitmap // first 8 bytes of the phrases that have so many
	short   bitmap // first 3 bytes of the others
}

type phrase struct {
	text   string
	id     ID
	prefix int32 // the longest entry before it that it begins with, itself included; -1: none
}

const shortPhrase = 3 // bytes of the shortest phrase

// with returns a book that holds more phrases. The receiver stays as it is.
func (b *phrasebook) with(more []phrase) *phrasebook {
	n := &phrasebook{entries: append(append(make([]phrase, 0, len(b.entries)+len(more)), b.entries...), more...)}
	sort.SliceStable(n.entries, func(i, j int) bool { return n.entries[i].text < n.entries[j].text })
	var open []int32 // entries that the next one may begin with, each beginning with the one before
	for i := range n.entries {
		e := &n.entries[i]
		for len(open) > 0 && !strings.HasPrefix(e.text, n.entries[open[len(open)-1]].text) {
			open = open[:len(open)-1]
		}
		e.prefix = -1
		if len(open) > 0 {
			e.prefix = open[len(open)-1]
		}
		open = append(open, int32(i))
		if len(e.text) >= 8 {
			n.long.set(load(e.text, 8))
		} else {
			n.short.set(load(e.text, shortPhrase))
		}
	}
	return n
}

// find calls yield with each occurrence of a phrase in s.
func (b *phrasebook) find(s string, yield func(ID)) {
	if len(b.entries) == 0 {
		return
	}
	inside := false // the character before continues a word
	for i := 0; i+shortPhrase <= len(s); {
		c, w := s[i], 1
		var now bool
		if c < utf8.RuneSelf {
			now = word(c)
		} else {
			var r rune
			r, w = utf8.DecodeRuneInString(s[i:])
			now = continues(r)
		}
		if (!now || !inside) && c > ' ' && (i+8 <= len(s) && b.long.has(load(s[i:], 8)) || b.short.has(load(s[i:], shortPhrase))) {
			b.at(s, i, yield)
		}
		inside = now
		i += w
	}
}

// at calls yield with the phrases that begin at i.
func (b *phrasebook) at(s string, i int, yield func(ID)) {
	rest := s[i:]
	k := int32(sort.Search(len(b.entries), func(k int) bool { return b.entries[k].text > rest })) - 1
	if k < 0 {
		return
	}
	same := common(b.entries[k].text, rest)
	for ; k >= 0; k = b.entries[k].prefix {
		e := &b.entries[k]
		if len(e.text) <= same && ends(rest, len(e.text)) {
			yield(e.id)
		}
	}
}

// ends reports whether a phrase that is s[:n] is not continued behind it.
func ends(s string, n int) bool {
	if n == len(s) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(s[:n])
	if !continues(last) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(s[n:])
	return !continues(next)
}

// common is the length of the common beginning.
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := 0; i < n; i++ {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// load reads the first n bytes, at most 8, as a number.
func load(s string, n int) uint64 {
	var v uint64
	for i := 0; i < n; i++ {
		v |= uint64(s[i]) << (8 * i)
	}
	return v
}

// bitmap is a set of hashed numbers with false positives.
type bitmap [1 << 13]uint64

func (m *bitmap) set(v uint64) {
	h := v * 0x9E3779B97F4A7C15 >> 45
	m[h>>6] |= 1 << (h & 63)
}

func (m *bitmap) has(v uint64) bool {
	h := v * 0x9E3779B97F4A7C15 >> 45
	return m[h>>6]&(1<<(h&63)) != 0
}
