package store

import (
	"golang.org/x/text/unicode/norm"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Search looks for words, and for any run of characters of a script that is
// written without spaces. A text is folded once, when it is stored: compatible
// forms made one (NFKC), letters small, everything that is neither letter nor
// digit a single space, and a run of an unspaced script a word of its own. What
// a query means is defined on the folded text alone, so that the full-text index
// and a plain scan find the same.

// word is a piece of a folded text.
type word struct {
	text     string
	unspaced bool // of a script in which words are not set apart
}

// unspaced are the scripts whose words are not separated by spaces. Hangul has
// spaces, but particles stick to its words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// longVowel is the mark that Japanese words are prolonged with; its script is
// "common".
const longVowel = 'ー'

func isUnspaced(r rune) bool { return r > 0x7f && (r == longVowel || unicode.In(r, unspaced...)) }

// words folds a text and calls f for each of its words.
func words(text string, f func(w word)) {
	text = norm.NFKC.String(strings.ToValidUTF8(text, " "))
	var b strings.Builder
	var now bool // the word in b is of an unspaced script
	end := func() {
		if b.Len() > 0 {
			f(word{norm.NFC.String(b.String()), now}) // a small letter may be composed with a mark where the large one was not
			b.Reset()
		}
	}
	for _, r := range text {
		mark := unicode.IsMark(r) // belongs to the letter before it, and is nothing alone
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !mark || mark && b.Len() == 0 {
			end()
			continue
		}
		if u := isUnspaced(r); u != now && !mark {
			end()
			now = u
		}
		b.WriteRune(unicode.ToLower(r))
	}
	end()
}

// fold is the text as it is stored for search: its words with a space around
// each; "" when it has none.
func fold(text string) string {
	var b strings.Builder
	words(text, func(w word) {
		b.WriteByte(' ')
		b.WriteString(w.text)
	})
	if b.Len() == 0 {
		return ""
	}
	b.WriteByte(' ')
	return b.String()
}

// term is what a person typed between two spaces: words that have to follow
// each other. The first may begin within a run of an unspaced script, and
// the last is the beginning of a word.
type term []word

// terms reads a query.
func terms(query string) []term {
	var out []term
	for _, field := range strings.Fields(query) {
		var t term
		words(field, func(w word) { t = append(t, w) })
		if len(t) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// like is the pattern that finds the term in a folded text. Folded words hold
// nothing that LIKE reads as anything but itself.
func (t term) like() string { return "%" + t.literal() + "%" }

// literal is what a folded text that has the term contains.
func (t term) literal() string {
	var b strings.Builder
	for i, w := range t {
		if i > 0 || !w.unspaced {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// match is the term in the language of the full-text index: one phrase, whose
// last token is a prefix. Two neighbours of an unspaced script are no prefix of
// any other token, and the index finds a whole token without merging the lists
// of all that begin with it.
func (t term) match() string {
	var tokens []string
	for i, w := range t {
		tokens = w.tokens(tokens, i < len(t)-1)
	}
	if t.whole() {
		return phrase(tokens)
	}
	return phrase(tokens) + "*"
}

// whole reports whether the last token is no prefix of others.
func (t term) whole() bool {
	last := t[len(t)-1]
	return last.unspaced && utf8.RuneCountInString(last.text) >= 2
}

func phrase(tokens []string) string { return `"` + strings.Join(tokens, " ") + `"` }

// tokens appends what the full-text index knows a word by: itself, or of an
// unspaced script every two neighbours and, when whole, the last character,
// which is what lets a query see where the run ends.
func (w word) tokens(to []string, whole bool) []string {
	if !w.unspaced {
		return append(to, w.text)
	}
	runes := []rune(w.text)
	for i := range len(runes) - 1 {
		to = append(to, string(runes[i:i+2]))
	}
	if whole || len(runes) == 1 {
		to = append(to, string(runes[len(runes)-1:]))
	}
	return to
}

// tokens is a folded text as the full-text index is fed with it.
func tokens(folded string) string {
	var list []string
	for _, f := range strings.Fields(folded) {
		r := []rune(f)
		list = word{f, isUnspaced(r[0])}.tokens(list, true)
	}
	return strings.Join(list, " ")
}
