package summarize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"palimpsest/model/pattern"
)

// What a person or an agent says is quoted in whole sentences. A line of a text is
// one, or holds several:
//
//	Implement the plan:            → Implement the plan: Parse spans. Then test.
//	## Parse spans. Then test.       |------------------- 1 --| |---- 2 ---|
//	```go … ```                      code, tables and rules are left out

var (
	listMark  = pattern.New(`^(?:#{1,6}|[-*+•>]|\d{1,2}[.)]|\[[ xX]\])\s+`)
	emphasis  = pattern.New(`(^|[\s(“"])\*\*([\pL\d("“\x60/][^*]*)\*\*`) // no ** of a path
	noWords   = pattern.New(`^[-=_*#|~\s:]*$`)
	codeFence = pattern.New("^\\s*(?:```|~~~)")
	// shortForm ends in a full stop without ending a sentence.
	shortForm = pattern.New(`(?i)(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|fig|mr|mrs|dr|st|\d+|[a-z])\.$`)
)

// sentencesOf is a text on one line of at most limit code points, in whole
// sentences. A first sentence that is longer than that is cut at a word, and shows
// it.
func sentencesOf(text string, limit int) string {
	var b strings.Builder
	n, fenced := 0, false
	for raw := range strings.Lines(head(text, limit*16+1024)) {
		if codeFence.MatchString(raw) {
			fenced = !fenced
			continue
		}
		l := prose(raw, limit)
		if fenced || l == "" {
			continue
		}
		if n > 0 {
			b.WriteString(joint(b.String()))
		}
		b.WriteString(l)
		if n += chars(l) + 2; n > limit {
			break
		}
	}
	if b.Len() == 0 { // nothing but code
		return line(text, limit)
	}
	return clip(b.String(), limit)
}

// prose is a line without its marks of lists and headings, "" if it holds no words.
func prose(raw string, limit int) string {
	l := line(raw, 2*limit+64)
	for {
		short := listMark.ReplaceAllString(l, "")
		if short == l {
			break
		}
		l = short
	}
	if noWords.MatchString(l) || strings.HasPrefix(l, "|") {
		return ""
	}
	return emphasis.ReplaceAllString(l, "$1$2")
}

// joint separates a line from the next one.
func joint(before string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case strings.ContainsRune(".!?。！？…:：;；,，", last):
		return " "
	case unicode.Is(unicode.Han, last):
		return "；"
	}
	return "; "
}

// courtesy is a length below which the first sentence of several is left out where
// there is no room for more: "Good.", "Thanks!", "Yes."
const courtesy = 16

// clip cuts a clean line to at most limit code points, after the last whole
// sentence if there is one.
func clip(s string, limit int) string {
	if chars(s) <= limit {
		return s
	}
	n, end := 0, 0
	for i, r := range s {
		if n++; n > limit {
			break
		}
		if i > 0 && endsSentence(s, i, r) {
			end = i + utf8.RuneLen(r)
		}
	}
	if end == 0 {
		return ellipsize(s, limit)
	}
	if rest := strings.TrimLeft(s[end:], " "); chars(s[:end]) < courtesy && limit > 2*courtesy && rest != "" {
		return clip(rest, limit)
	}
	return strings.TrimRight(s[:end], ";； ")
}

// eachSentence calls yield with the sentences of a clean line, with what ends them.
func eachSentence(s string, yield func(string)) {
	start := 0
	for i, r := range s {
		if end := i + utf8.RuneLen(r); i > start && endsSentence(s, i, r) {
			yield(strings.TrimSpace(s[start:end]))
			start = end
		}
	}
	if rest := strings.TrimSpace(s[start:]); rest != "" {
		yield(rest)
	}
}

// endsSentence reports whether a sentence ends with the character at i.
func endsSentence(s string, i int, r rune) bool {
	after := s[i+utf8.RuneLen(r):]
	switch r {
	case '。', '！', '？', '；':
		return true
	case '!', '?', ';':
		return after == "" || after[0] == ' '
	case '.':
		if after != "" && after[0] != ' ' && after[0] != '.' {
			return strings.HasSuffix(s[:i], ".") && after[0] != '/' // two stops without a blank, as many type
		}
		return (after == "" || after[0] == ' ') && !shortForm.MatchString(s[max(0, i-10):i+1])
	}
	return false
}

// bareWords are the letters and digits of a text.
func bareWords(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
