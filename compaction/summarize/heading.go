package summarize

import "strings"

// Heading is the first line of every summary made here, by which a reader of
// the history knows it.
func Heading(l Lang) string { return wordsOf(l).heading }

// IsSummary reports whether a message text is a summary made here, in either
// language.
func IsSummary(text string) bool {
	_, ok := StripHeading(text)
	return ok
}

// StripHeading takes all leading heading lines off a text, and reports whether
// there were any.
func StripHeading(text string) (rest string, found bool) {
	for {
		text = strings.TrimLeft(text, " \t\r\n\ufeff")
		rest, ok := strings.CutPrefix(text, english.heading)
		if !ok {
			rest, ok = strings.CutPrefix(text, chinese.heading)
		}
		if !ok {
			return text, found
		}
		text, found = rest, true
	}
}
