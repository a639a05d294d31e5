package summarize

import (
	"errors"
	"sort"
	"strings"
	"unicode/utf8"
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

// prefixOf is the length of the words that a summary begins with, in either
// language and either colon; 0: it has none.
func prefixOf(text string) int {
	for _, name := range []string{"对话摘要", "conversation summary"} {
		if len(text) < len(name) || !strings.EqualFold(text[:len(name)], name) {
			continue
		}
		rest := text[len(name):]
		for _, colon := range []string{"：", ":"} {
			if strings.HasPrefix(rest, colon) {
				return len(name) + len(colon)
			}
		}
	}
	return 0
}

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
		after := starts[i] + width
		if after > end {
			continue
		}
		switch r {
		case '。', '！', '？', '；', '\n':
			return strings.TrimSpace(text[:after])
		case '.', '!', '?', ';': // "v1.2" and "a.go" end no sentence
			if after < len(text) && (text[after] == ' ' || text[after] == '\n') {
				return text[:after]
			}
		}
	}
	return strings.TrimSpace(text[:end]) + ellipsis
}
