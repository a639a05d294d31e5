package facts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// listable reports whether a fact can stand in a list and tells a reader
// something there: not what a terminal would obey or what would break its line,
// not a single plain word that was quoted, not a nudge to go on.
func listable(f Fact) bool {
	switch {
	case strings.IndexFunc(f.Text, Invisible) >= 0:
		return false
	case f.Kind == Quoted:
		return !plainWord(f.Text)
	case f.Kind == Instruction:
		return wide(f.Text) || strings.Count(f.Text, " ") > 1
	}
	return true
}

// plainWord tells one word in small letters.
func plainWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if class[s[i]] != lower {
			return false
		}
	}
	return true
}

// withoutFigures is a command as it looks with other figures in it; a list holds
// one of such (show -n 80, show -n 120).
func withoutFigures(s string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && isDigit(byte(r)) {
			return -1
		}
		return r
	}, s)
}

// worth orders what was said: the newest first, and what holds for good as if it
// had been said half a history later.
func (x *Index) worth(id ID, at int) float64 {
	end, _ := x.between(id, at, at+1)
	begin := x.starts[id]
	if end <= begin {
		return 0
	}
	w := float64(x.msgs[end-1]+1) / float64(max(1, at))
	if f := x.facts[id]; f.Kind == Instruction && (containsAny(fold(f.Text), lastingWords) || wide(f.Text) && containsAny(f.Text, lastingWide)) {
		w += 0.5
	}
	return w
}

// Invisible knows characters that show nothing and change how the rest is
// shown: controls, marks of writing direction, spaces without width. No summary
// holds them. Joiners stay: scripts and emoji need them.
func Invisible(r rune) bool {
	return unicode.IsControl(r) || r == '\ufeff' || r == '\u200b' ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2060' && r <= '\u2069'
}
