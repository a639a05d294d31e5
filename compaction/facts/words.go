package facts

import (
	_ "embed"
	"strings"
)

//go:embed words.txt
var wordsFile string

// sections are the lists of words.txt by name.
var sections = func() map[string]string {
	out := map[string]string{}
	for _, section := range strings.Split(wordsFile, "\n[")[1:] {
		head, list, _ := strings.Cut(section, "\n")
		name, _, _ := strings.Cut(head, "]")
		out[name] = list
	}
	return out
}()

// section is a list of words.txt, which must be there.
func section(name string) string {
	list, ok := sections[name]
	if !ok {
		panic("facts: words.txt has no section " + name)
	}
	return list
}

// wordList is the words of a section, as a set.
func wordList(name string) map[string]bool { return set(section(name)) }

// phraseList is the phrases of a section, in their order.
func phraseList(name string) (out []string) {
	for line := range strings.Lines(section(name)) {
		if line = strings.Trim(line, "|\n"); line != "" {
			out = append(out, strings.Split(line, "|")...)
		}
	}
	return out
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	extensions   = wordList("extensions")
	bareFiles    = wordList("bareFiles")
	dotFiles     = wordList("dotFiles")
	roots        = wordList("roots")
	folders      = wordList("folders")
	media        = wordList("media")
	branches     = wordList("branches")
	conjunctions = wordList("conjunctions")
	products     = wordList("products")
	notCounted   = wordList("notCounted")
	units        = wordList("units")
	wideUnits    = strings.Fields(section("wideUnits"))

	dullCommands = wordList("dullCommands")
	programs     = wordList("programs")
	shells       = wordList("shells")
	readers      = wordList("readers")
	redirections = phraseList("redirections")
	commandKeys  = wordList("commandKeys")
	pathKeys     = wordList("pathKeys")

	// errorHints are there because a plain search for each is what makes
	// reading a long output cheap.
	errorHints = phraseList("errorHints")
	errorMarks = phraseList("errorMarks")
	errorEnds  = phraseList("errorEnds")
	frames     = phraseList("frames")

	openers      = wordList("openers")
	imperatives  = wordList("imperatives")
	askWords     = phraseList("askWords")
	askWide      = phraseList("askWide")
	decideWords  = phraseList("decideWords")
	decideWide   = phraseList("decideWide")
	lastingWords = phraseList("lastingWords")
	lastingWide  = phraseList("lastingWide")
	waitWords    = phraseList("waitWords")
	willWords    = phraseList("willWords")
	reasonWords  = phraseList("reasonWords")
)
