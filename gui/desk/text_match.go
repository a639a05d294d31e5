package desk

import (
	"slices"
	"strings"
	"unicode"
)

// How much a typed word is worth by where it is found. A field beside the title
// counts half.
const (
	matchWord   = 120 // a whole word
	matchStart  = 100 // the beginning of a word
	matchInside = 60  // within a word, or in a script without spaces
	matchStem   = 50  // another form of a word: "records", "recording"
	matchLoose  = 30  // the letters in their order, from the beginning of a word on
)

// Match reports whether every word of a query is found in a title or in the fields
// beside it, in any order and whatever the case, and how well: 0 for an empty
// query. A word is found as it is, in another form, or by its letters in
// their order, so that "cmpnow" finds "Compact now".
func Match(query, title string, beside ...string) (score int, ok bool) {
	title = strings.ToLower(title)
	for _, w := range strings.Fields(strings.ToLower(query)) {
		best := matchIn([]rune(w), []rune(title), true)
		for _, f := range beside {
			best = max(best, matchIn([]rune(w), []rune(strings.ToLower(f)), false)/2)
		}
		if best == 0 {
			return 0, false
		}
		score += best
	}
	if strings.EqualFold(query, title) { // nothing fits better
		score *= 2
	}
	return score, true
}

// matchIn is what a word is worth in a text; loosely it is looked for in titles
// only, since in a long list of words any letters follow one another.
func matchIn(w, text []rune, loose bool) (best int) {
	for i := range text {
		begins := i == 0 || !letter(text[i-1])
		switch end := i + len(w); {
		case end <= len(text) && slices.Equal(text[i:end], w):
			n := matchInside
			if begins {
				n = matchStart
			}
			if begins && (end == len(text) || !letter(text[end])) {
				n = matchWord
			}
			best = max(best, n)
		case begins && stem(w, text[i:]):
			best = max(best, matchStem)
		case begins && loose:
			best = max(best, follow(w, text[i:]))
		}
	}
	return best
}

// stem reports whether a word and the one a text begins with share all but
// their last three letters, and four at least.
func stem(w, text []rune) bool {
	n := 0
	for n < len(w) && n < len(text) && w[n] == text[n] {
		n++
	}
	end := n
	for end < len(text) && letter(text[end]) {
		end++
	}
	return n >= 4 && n >= len(w)-3 && n >= end-3
}

// follow finds the letters of a word one after the other in a text, from its
// first letter on: the fewer are left out between them, the better; beginnings
// of words count as if nothing were left out. More than as many left out as
// letters typed is no find.
func follow(w, text []rune) int {
	k, gaps, gap := 0, 0, 0
	for i, r := range text {
		if k == len(w) {
			break
		}
		if r != w[k] {
			if k == 0 {
				return 0
			}
			gap++
			continue
		}
		if i == 0 || letter(text[i-1]) {
			gaps += gap
		}
		gap = 0
		k++
	}
	if k < len(w) || len(w) < 3 || gaps > len(w) {
		return 0
	}
	return matchLoose - gaps
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
