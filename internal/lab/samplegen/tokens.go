package main

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The samples report the usage that a provider would have reported. It has to
// agree with the texts, but need not be exact to the token; so the generator
// estimates and does not depend on the program's counter, whose changes would
// otherwise change the samples. Measured against o200k_base on the long run:
// within 2 %.

// claudeShare is how many tokens a Claude model counts for one of o200k_base.
const claudeShare = 1.18

// estimate is about the number of o200k_base tokens of a text.
func estimate(text string) float64 {
	var n float64
	for i := 0; i < len(text); {
		size, tokens := piece(text[i:])
		n += tokens
		i += size
	}
	return n
}

// piece measures the first piece of a text: a word, up to three digits, a run
// of blanks or of punctuation, or one other character.
func piece(text string) (size int, tokens float64) {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r < utf8.RuneSelf && unicode.IsLetter(r):
		// A word; camelCase begins another one.
		size += span(text[size:], func(c byte) bool { return c >= 'a' && c <= 'z' })
		return size, 1 + float64(max(0, size-9))/7
	case r >= '0' && r <= '9':
		size += span(text[size:min(len(text), 3)], func(c byte) bool { return c >= '0' && c <= '9' })
		return size, 1
	case r == ' ' || r == '\t' || r == '\n':
		size += span(text[size:], func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' })
		return size, blanks(text[:size], text[size:])
	case r < utf8.RuneSelf:
		size += span(text[size:], isPunct)
		joined := span(text[size:], func(c byte) bool { return c == '\n' })
		return size + joined, 0.8 + 0.2*float64(size-1)
	case unicode.IsLetter(r):
		return size, 0.75
	default:
		return size, 1.5
	}
}

// blanks counts a run of blanks: the line end is a token, the last blank
// belongs to the word after it but not to a number.
func blanks(run, next string) (tokens float64) {
	if i := strings.LastIndexByte(run, '\n'); i >= 0 {
		tokens, run = 1, run[i+1:]
	}
	if len(run) > 1 {
		tokens++
	}
	if len(run) > 0 && next != "" && next[0] >= '0' && next[0] <= '9' {
		tokens++
	}
	return tokens
}

// span is the length of the leading bytes that satisfy a condition.
func span(text string, in func(byte) bool) int {
	n := 0
	for n < len(text) && in(text[n]) {
		n++
	}
	return n
}

func isPunct(c byte) bool {
	return c > ' ' && c < utf8.RuneSelf && !(c >= '0' && c <= '9') && !unicode.IsLetter(rune(c))
}
