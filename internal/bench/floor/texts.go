package floor

import "strings"

// Texts is what a sweep with real summaries can't do without once it knows their words:
// each is written line by line, counted and looked through, once. It gives the tokens of
// all.
func Texts(texts []string, count func(string) int, look func(string)) (tokens int) {
	for _, t := range texts {
		var b strings.Builder
		for line := range strings.Lines(t) {
			b.WriteString(line)
		}
		written := b.String()
		tokens += count(written)
		look(written)
	}
	return tokens
}
