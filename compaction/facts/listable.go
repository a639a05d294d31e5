package facts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// listable reports whether a fact can be listed and is useful to a reader
// there: not what a terminal would obey or what would break its line,
// not a single plain word that was quoted, not a nudge to go on; not what a tool
// says of itself (Chunk ID, Wall time), which its lead shows; no line of a program
// or a prompt that looks like an error, and no name that two sentences without a
// space between them make (codeThe); no command without the text that it wrote.
func listable(f Fact, lead string) bool {
	switch {
	case strings.IndexFunc(f.Text, Invisible) >= 0:
		return false
	case lead != "" && framing(lead+":"):
		return false
	case f.Kind == Quoted:
		return !plainWord(f.Text) && strings.TrimSpace(f.Text) == f.Text
	case f.Kind == Instruction:
		return wide(f.Text) || strings.Count(f.Text, " ") > 1
	case f.Kind == Command:
		return !strings.HasPrefix(f.Text, "cat >") // what it wrote went with its here-document
	case f.Kind == Error:
		return !numberedLine(f.Text) && !strings.Contains(f.Text, "] $ ")
	case f.Kind == Identifier:
		return !glued(f.Text)
	}
	return true
}

// numberedLine reports whether a line is from a listing, by the number before it: 694 +  error: x,
func numberedLine(s string) bool {
	number, rest, ok := strings.Cut(s, " ")
	return ok && digits(number) && rest != "" && strings.IndexByte(" +-|:", rest[0]) >= 0
}

// glued reports whether a string is the end of one sentence with the beginning of
// the next.
func glued(name string) bool {
	for _, first := range []string{"The", "Let", "But", "Actually", "However"} {
		if before, ok := strings.CutSuffix(name, first); ok && before != "" &&
			(class[before[len(before)-1]] == lower || strings.HasSuffix(before, ".")) {
			return true
		}
	}
	return false
}

// plainWord reports whether a string is one word in small letters.
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

// Lasting reports whether what a person asks in a sentence is meant to last: it says
// never, must, only, 不要 …
func Lasting(s string) bool {
	return instructs(s) && (containsAny(fold(s), lastingWords) || wide(s) && containsAny(s, lastingWide))
}

// Invisible knows characters that show nothing and change how the rest is
// shown: controls, marks of writing direction, spaces without width. No summary
// holds them. Joiners stay: scripts and emoji need them.
func Invisible(r rune) bool {
	return unicode.IsControl(r) || r == '\ufeff' || r == '\u200b' ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2060' && r <= '\u2069'
}
