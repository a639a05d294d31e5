package facts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A figure or a hash alone means nothing to a reader; with the words before it
// where it was first seen it does (leak rate 0.033 mL/min, fixed in 2f6fcb1).
const (
	leadBytes = 96 // that are looked at
	leadRunes = 24 // code points of the longest lead
	leadWords = 3
)

// led reports whether a fact is of those that the words before them explain.
func led(f Fact) bool { return f.Kind == Number || f.Kind == Identifier && isMark(f.Text) }

// isMark reports whether a token is a number of an issue, a hash or a version, not a
// name.
func isMark(t string) bool { return t[0] == '#' || isHash(t) || isVersion(t) }

// lead returns the last words before a fact in its line: up to three,
// whole ones, of one clause; "" if there are none. before may begin within a
// character.
func lead(before string) string {
	before = before[strings.LastIndexByte(before, '\n')+1:]
	s := strings.TrimRightFunc(before, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && (opens(r) || !clauseEnds(r))
	})
	from := strings.LastIndexFunc(s, func(r rune) bool { return clauseEnds(r) || r == utf8.RuneError || Invisible(r) }) + 1
	if from > 0 {
		_, w := utf8.DecodeRuneInString(s[from-1:])
		from += w - 1
	}
	words := strings.Fields(s[from:])
	if from == 0 && len(before) >= leadBytes-utf8.UTFMax && len(words) > 0 {
		words = words[1:] // the first is cut off
	}
	words = words[max(0, len(words)-leadWords):]
	for i := len(words) - 2; i >= 0; i-- {
		if strings.IndexByte(".!?", words[i][len(words[i])-1]) >= 0 {
			words = words[i+1:] // of the sentence before
			break
		}
	}
	for len(words) > 0 {
		l := strings.Join(words, " ")
		r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(l, "--"))
		if unicode.IsLetter(r) && utf8.RuneCountInString(l) <= leadRunes {
			if strings.HasSuffix(l, ".") || !slices.ContainsFunc(words, isWord) {
				return ""
			}
			return l
		}
		words = words[1:]
	}
	return ""
}

// isWord reports whether a token is a word, not a unit or a sign: three letters, or
// one that is not ASCII.
func isWord(word string) bool {
	letters := 0
	for _, r := range word {
		if unicode.IsLetter(r) {
			letters++
			if r >= utf8.RuneSelf {
				return true
			}
		}
	}
	return letters >= 3
}

// opens reports whether a character may separate a figure from the words that
// explain it.
func opens(r rune) bool { return strings.ContainsRune("|([{\"'`*·「『“‘（【：", r) }

// clauseEnds knows what parts the words of one clause from those of the next.
func clauseEnds(r rune) bool {
	return strings.ContainsRune(",;|()[]{}<>\"'`*·\t，。；、：（）【】「」『』“”‘’", r)
}

// leadBudget is the budget of a list, in tokens, below which it has no room for
// leads: they cost up to 0.006 of recall at 500 tokens, 0.002 from 1,000 on, and
// 0.015 below 200.
const leadBudget = 300

// literal is a fact with its lead or without.
func literal(x *Index, id ID, led bool) string {
	if lead := x.leads[id]; led && lead != "" {
		return lead + " " + x.facts[id].Text
	}
	return x.facts[id].Text
}
