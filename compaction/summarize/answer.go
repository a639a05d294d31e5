package summarize

import (
	"errors"
	"sort"
	"strings"
	"unicode/utf8"

	"palimpsest/model/pattern"
)

// ErrBlank says that a model's answer holds no words.
var ErrBlank = errors.New("the model gave no summary")

// Answer makes a model's answer a summary: cleaned of what no text should hold,
// trimmed, with the words it was asked to begin with, cut at the end of a
// sentence so that it keeps within the limits (0: none). count counts tokens
// and is needed when maxTokens is set. An answer without words is [ErrBlank].
func Answer(text string, l Lang, maxChars, maxTokens int, count func(string) int) (string, error) {
	w := promptWordsOf(l)
	if maxChars > 0 { // a model that answers with a book costs no more than one that does not
		text = head(text, maxChars*2*utf8.UTFMax+1024)
	}
	text, _ = StripHeading(plainText(text))
	text = strings.TrimSpace(text)
	body := text
	if p := prefixOf(text); p > 0 {
		body = strings.TrimSpace(text[p:])
	} else {
		between := separator(w)
		if structured(text) {
			between = "\n"
		}
		text = w.prefix + between + text
	}
	if body == "" {
		return "", ErrBlank
	}
	fits := func(s string) bool {
		return (maxChars <= 0 || utf8.RuneCountInString(s) <= maxChars) &&
			(maxTokens <= 0 || count == nil || count(s) <= maxTokens)
	}
	prefix := prefixOf(text)
	text = cutAtSentence(text, fits)
	if len(strings.TrimRight(text, ellipsis+" ")) <= prefix { // a limit that has no room for a word
		return "", ErrBlank
	}
	return text, nil
}

// structured reports whether a text begins with a Markdown heading, as one does that was
// asked for sections and lacks the words before them.
func structured(text string) bool {
	rest := strings.TrimLeft(text, "#")
	return len(rest) < len(text) && strings.HasPrefix(rest, " ")
}

func separator(w *promptWords) string {
	if w == promptChinese {
		return ""
	}
	return " "
}

// summaryBegins are the words that a summary begins with, in either language and either colon.
var summaryBegins = pattern.New(`(?i)^(?:对话摘要|conversation summary)[：:]`)

// prefixOf is the length of these words; 0: a text has none.
func prefixOf(text string) int { return len(summaryBegins.FindString(head(text, nameLimit))) }

// cutAtSentence is the text, or as much of it as fits: up to the end of a
// sentence when one ends in the second half, else cut with an ellipsis.
func cutAtSentence(text string, fits func(string) bool) string {
	if fits(text) {
		return text
	}
	starts := make([]int, 0, len(text))
	for i := range text {
		starts = append(starts, i)
	}
	n := sort.Search(len(starts), func(k int) bool { return !fits(text[:starts[k]] + ellipsis) })
	if n == 0 {
		return ""
	}
	end := starts[n-1]
	for i := n - 1; i > n/2; i-- {
		r, width := utf8.DecodeRuneInString(text[starts[i]:])
		if after := starts[i] + width; after <= end && (r == '\n' || endsSentence(text, starts[i], r)) {
			return strings.TrimSpace(text[:after])
		}
	}
	return strings.TrimSpace(text[:end]) + ellipsis
}
