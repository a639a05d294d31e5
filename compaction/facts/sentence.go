package facts

import (
	"strings"
	"unicode/utf8"
)

const sentenceRunes = 300 // code points of the longest sentence

// Sentences calls yield with the sentences of a text, without bullets and the
// full stop at the end. Fenced code, headings and quotations are passed over, and a sentence that is too
// long is no sentence.
func Sentences(s string, yield func(string)) {
	fenced := false
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
			continue
		}
		if fenced || line == "" || line[0] == '#' || line[0] == '>' { // a heading asks nothing; a quotation is somebody else's
			continue
		}
		line = unbullet(line)
		start := 0
		for i := 0; i < len(line); i++ {
			if n := stop(line, i); n > 0 {
				sentence(line[start:i+n], yield)
				start = i + n
				i = start - 1
			}
		}
		sentence(line[start:], yield)
	}
}

// stop is the length of the end of a sentence at i; 0: none ends there.
func stop(s string, i int) int {
	switch c := s[i]; {
	case c == '.' || c == '!' || c == '?':
		if i+1 == len(s) || s[i+1] == ' ' && (i == 0 || !abbreviated(s[:i])) {
			return 1
		}
	case c >= 0xE3:
		for _, mark := range []string{"。", "！", "？", "；"} {
			if strings.HasPrefix(s[i:], mark) {
				return len(mark)
			}
		}
	}
	return 0
}

func abbreviated(s string) bool {
	for _, a := range []string{"e.g", "i.e", "etc", "vs", "cf", "al", "no", "No", "Dr", "Mr", "Ms", "approx"} {
		if strings.HasSuffix(s, a) && (len(s) == len(a) || !word(s[len(s)-len(a)-1])) {
			return a != "etc" && a != "no" && a != "No"
		}
	}
	return false
}

func sentence(s string, yield func(string)) {
	s = strings.TrimSpace(s)
	s = strings.Trim(s, "*# ")
	for _, mark := range []string{".", "。", "!", "！", ":", "：", "；", ";"} {
		s = strings.TrimSuffix(s, mark)
	}
	if len(s) < 6 || len(s) > 4*sentenceRunes || utf8.RuneCountInString(s) > sentenceRunes {
		return
	}
	yield(s)
}

// unbullet takes list marks, quote marks and headings off the front of a line.
func unbullet(l string) string {
	l = strings.TrimLeft(l, "-*>#•·+ \t")
	if n := strings.IndexAny(l, ".)"); n > 0 && n <= 3 && digits(l[:n]) {
		l = strings.TrimLeft(l[n+1:], " ")
	}
	return l
}

// instructs reports whether a person asks for something in a sentence or forbids it.
func instructs(s string) bool {
	low := fold(s)
	if statement(s) {
		return false
	}
	first := strings.TrimLeft(low, "\"'`([@ ")
	for {
		w, rest, more := strings.Cut(first, " ")
		w = strings.TrimRight(w, ",:;!.")
		if !more || !openers[w] {
			if imperatives[w] {
				return !strings.HasSuffix(s, "?")
			}
			break
		}
		first = rest
	}
	return containsAny(low, askWords) || wide(s) && containsAny(s, askWide)
}

// statement reports whether a line of a program, or of what a program prints, begins like an
// imperative: return size(x), import random, create mode 100644 main.py.
func statement(s string) bool {
	first, rest, _ := strings.Cut(s, " ")
	at := strings.IndexByte(rest, '(')
	switch call := at > 0 && word(rest[at-1]); first {
	case "return":
		return call || strings.ContainsAny(rest, "\"'{[=;")
	case "import", "assert", "print", "set":
		return call || first == "import" && !strings.Contains(rest, " ")
	}
	return strings.HasPrefix(s, `"""`) || strings.HasPrefix(s, "create mode 1") || first == "Commit:" && strings.Contains(s, "@")
}

// decides reports whether the agent settles in a sentence what is done.
func decides(s string) bool {
	if strings.HasSuffix(s, "?") {
		return false
	}
	low := fold(s)
	if containsAny(low, waitWords) {
		return false
	}
	if containsAny(low, decideWords) || wide(s) && containsAny(s, decideWide) {
		return true
	}
	return containsAny(low, willWords) && containsAny(low, reasonWords)
}

// fold returns a sentence for matching: small letters, straight apostrophes, a
// space at both ends.
func fold(s string) string {
	s = strings.ToLower(s)
	if wide(s) {
		s = strings.ReplaceAll(s, "’", "'")
	}
	return " " + s + " "
}

func wide(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
