package facts

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// publicText is the vocabulary that sessions share whatever their project is, in two
// lists with an empty line between them: facts that occur in three projects of those
// that were read, and segments of names and words of commands that occur in two. The
// first line is its version. It is made by internal/doctables, which counts no session of a project
// that is kept for judging.
//
//go:embed public.txt
var publicText string

// vocabulary is the list, read when it is first asked for.
var vocabulary = sync.OnceValue(func() (v struct{ facts, segments map[string]bool }) {
	_, rest, _ := strings.Cut(publicText, "\n")
	facts, segments, _ := strings.Cut(rest, "\n\n")
	v.facts, v.segments = map[string]bool{}, map[string]bool{}
	for _, s := range strings.Split(facts, "\n") {
		v.facts[s] = true
	}
	for _, s := range strings.Fields(segments) {
		v.segments[s] = true
	}
	return v
})

// Significant figures from which on a number is hardly there by chance, and words from
// which on a quoted phrase is.
const (
	leastFigures = 3
	leastWords   = 3
)

// Public reports whether whoever knows the trade may write a fact without having seen
// it: public vocabulary (git status, fmt.Errorf, package.json), an option of one word,
// a figure of one or two digits, a quoted word or two.
func Public(f Fact) bool {
	v, text := vocabulary(), strings.Join(strings.Fields(f.Text), " ")
	if v.facts[text] || v.facts[text+"/"] {
		return true
	}
	switch f.Kind {
	case Number:
		return significant(text) < leastFigures
	case Quoted:
		return len(strings.Fields(text)) < leastWords
	case Command:
		return !slices.ContainsFunc(strings.Fields(text), func(w string) bool { return !v.segments[w] && !plainOption(w) })
	case Identifier:
		if strings.HasPrefix(text, "--") {
			return plainOption(text)
		}
		return !slices.ContainsFunc(strings.Split(text, "."), func(s string) bool { return !v.segments[s] })
	}
	return false
}

// plainOption reports whether a word is an option of one word: --verbose.
func plainOption(s string) bool {
	name, ok := strings.CutPrefix(s, "--")
	return ok && strings.IndexFunc(name, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

// significant counts the significant digits that a number begins with.
func significant(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("-+.,0123456789", r) })
	if end >= 0 {
		s = s[:end]
	}
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
	return len(strings.Trim(digits, "0"))
}
