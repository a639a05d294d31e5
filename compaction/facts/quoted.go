package facts

import (
	"strings"
	"unicode/utf8"
)

const quotedRunes = 200 // code points of the longest quoted string

type quotePair struct{ open, closing string }

// quotes are the pairs whose inside is a literal string.
var quotes = []quotePair{
	{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"「", "」"}, {"『", "』"}, {"«", "»"}, {"„", "“"},
}

// quotedStrings calls yield with each string that a text has between quotes, a
// line at a time and never out of fenced code.
func quotedStrings(s string, yield func(string)) {
	fenced := false
	for l := range strings.Lines(s) {
		if strings.HasPrefix(strings.TrimSpace(l), "```") {
			fenced = !fenced
			continue
		}
		if !fenced && len(l) < 1<<14 && prose(l) {
			quotedIn(l, yield)
		}
	}
}

// prose reports whether a line is somebody's words, not of a program, an error message
// or a call that is written out: their quotes are syntax.
func prose(l string) bool {
	l = strings.TrimSpace(l)
	if l == "" || l[0] == '<' || strings.IndexByte("{(,;=", l[len(l)-1]) >= 0 || strings.Contains(l, `': `) || strings.Contains(l, `": `) {
		return false
	}
	_, failed := errorIn(bareLine(l))
	return !failed
}

func quotedIn(l string, yield func(string)) {
	for i := 0; i < len(l); {
		c := l[i]
		if c == '`' { // code is looked at as such
			n := strings.IndexByte(l[i+1:], '`')
			if n < 0 {
				return
			}
			i += n + 2
			continue
		}
		if c != '"' && c != '\'' && c < 0xC2 {
			i++
			continue
		}
		i += quote(l, i, yield)
	}
}

// quote looks for a pair that opens at i and returns how far to go on.
func quote(l string, i int, yield func(string)) int {
	for _, q := range quotes {
		if strings.HasPrefix(l[i:], q.open) {
			return q.lift(l, i, yield)
		}
	}
	_, w := utf8.DecodeRuneInString(l[i:])
	return w
}

// lift calls yield with the quotation that opens at i and returns how far to
// go on.
func (q quotePair) lift(l string, i int, yield func(string)) int {
	straight := q.open == q.closing
	if straight && insideWord(l[:i]) {
		return len(q.open)
	}
	from := i + len(q.open)
	near := l[:min(len(l), from+4*quotedRunes)]
	for j := from; ; {
		n := strings.Index(near[min(j, len(near)):], q.closing)
		if n < 0 {
			return len(q.open)
		}
		j += n
		next, _ := utf8.DecodeRuneInString(l[j+len(q.closing):])
		if straight && (continues(next) || j > from && l[j-1] == ' ') {
			if j += len(q.closing); q.open == `"` {
				return j - i
			}
			continue
		}
		in := l[from:j]
		if in != strings.TrimSpace(in) || !quotable(in) {
			if straight {
				return len(q.open)
			}
			return j + len(q.closing) - i
		}
		if in = strings.TrimRight(in, ",.;"); quotable(in) { // American quotes hold the sentence's punctuation
			yield(in)
		}
		return j + len(q.closing) - i
	}
}

// insideWord reports whether a straight quote behind a text opens nothing: an
// apostrophe, or syntax of a program.
func insideWord(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return before != "" && (continues(r) || r == '\\' || r == '=' || r == '(' && len(before) > 1 && word(before[len(before)-2]))
}

// quotable reports whether a quoted string becomes a fact of its own: it is
// short enough, has letters, and is no atom.
func quotable(in string) bool {
	n := utf8.RuneCountInString(in)
	if n < 2 || n > quotedRunes || n < 8 && !hasLetter(in) ||
		len(in) < shortPhrase || strings.IndexByte(".)]},;<", in[0]) >= 0 || !utf8.ValidString(in) {
		return false
	}
	if strings.IndexByte(in, ' ') >= 0 {
		return true
	}
	atom := false
	atoms(in, func(_ Kind, text string, _ int) { atom = atom || text == in })
	return !atom
}
