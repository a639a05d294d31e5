package find

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"palimpsest/model/query"
)

// Snippet is the text around the first place of a hit, on one line, and where in it
// the places are.
type Snippet struct {
	Text  string
	Marks []Mark // in order
}

// Mark is bytes From to To of a snippet's text.
type Mark struct{ From, To int }

// How much of a text a snippet holds, in bytes: the first place is near its begin.
const (
	before = 36
	most   = 240
)

// SnippetOf cuts a text around the first place; places in other parts are left out.
func SnippetOf(text string, places []query.Place) (out Snippet) {
	from, to := window(text, places[0].From)
	room, list := [most + 2*len("…")]byte{}, [16]Mark{}
	b := room[:0]
	if from > 0 {
		b = append(b, "…"...)
	}
	marks := marker{places: places, part: places[0].Part, begin: -1, list: list[:0], next: from}
	space := false
	for i := from; i < to; i++ { // what matters is ASCII, so bytes do
		if i >= marks.next && marks.at(i, len(b)) {
			space = false
		}
		c := text[i]
		blank := c == ' ' || c == '\n' || c == '\t' || c == '\r'
		switch {
		case !blank:
			b = append(b, c)
		case !space:
			b = append(b, ' ')
		}
		space = blank
	}
	marks.at(to, len(b))
	marks.end(len(b))
	if to < len(text) {
		b = append(b, "…"...)
	}
	return Snippet{string(b), slices.Clone(marks.list)}
}

// window is the stretch of a text that a snippet shows: it begins at a word.
func window(text string, first int) (from, to int) {
	from, to = max(0, first-before), len(text)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	if i := strings.IndexAny(text[from:first], " \n\t"); from > 0 && i >= 0 {
		from += i + 1
	}
	if to-from > most {
		for to = from + most; !utf8.RuneStart(text[to]); {
			to--
		}
	}
	return from, to
}

// marker finds where the places are in a snippet that is being written.
type marker struct {
	places []query.Place // those that are still to come
	part   int
	begin  int // in the snippet, of the place at hand; -1: none
	next   int // byte of the text where a place begins or ends
	list   []Mark
}

// at is called before the bytes of the text from next on, with the length of the
// snippet; it reports whether a place begins.
func (m *marker) at(i, written int) bool {
	for len(m.places) > 0 && (m.places[0].Part != m.part || i >= m.places[0].To) {
		m.end(written)
		m.places = m.places[1:]
	}
	switch {
	case len(m.places) == 0:
		m.next = math.MaxInt
	case i < m.places[0].From:
		m.next = m.places[0].From
	default:
		m.next = m.places[0].To
		if m.begin < 0 {
			m.begin = written
			return true
		}
	}
	return false
}

func (m *marker) end(written int) {
	if m.begin >= 0 {
		m.list, m.begin = append(m.list, Mark{m.begin, written}), -1
	}
}
