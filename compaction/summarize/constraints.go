package summarize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/pattern"
)

var (
	demandExpr = pattern.New(`(?i)\b(?:must(?: not|n't)?|never|always|do not|don't|don’t|only use|make sure|` +
		`under no circumstances|is not allowed)\b` +
		`|必须|务必|不要|不得|禁止|绝不|永远不|不允许|只能|一定要`)
	sentenceExpr = pattern.New(`[^.!?。！？；\n]+(?:[.!?]\S[^.!?。！？；\n]*)*`)
	literalExpr  = pattern.New("`[^`\n]+`|[\\p{L}\\p{N}_]*(?:[./\\-][\\p{L}\\p{N}_]+|[0-9_])[\\p{L}\\p{N}_./\\-]*")
)

const (
	mostConstraints = 40  // looked for, the newest
	mostShown       = 3   // quoted in a flaw
	longestDemand   = 300 // code points; a longer sentence is pasted text
	typedScanned    = 4000
)

// lostConstraints lists sentences in which a person demanded or forbade
// something and of which too little is left in the summary: less than half of
// the literal words (paths, names, numbers) where there are any, else less than
// a third of its other words. It compares words: a paraphrase counts as lost.
func lostConstraints(entries []Entry, summary string) []string {
	low := strings.ToLower(summary)
	var lost []string
	looked := 0
	for i := len(entries) - 1; i >= 0 && looked < mostConstraints && len(lost) < mostShown; i-- {
		e := &entries[i]
		if e.Msg == nil || e.Former != "" || e.Msg.Kind != model.KindUser || !e.Msg.Typed() {
			continue
		}
		for _, s := range demands(head(joinText(e.Parts), typedScanned)) {
			if looked++; !survives(s, low) && len(lost) < mostShown {
				lost = append(lost, line(s, detailLimit))
			}
		}
	}
	return lost
}

// demands are the sentences that demand or forbid.
func demands(text string) []string {
	var out []string
	for _, s := range sentenceExpr.FindAllString(text, -1) {
		s = strings.TrimSpace(s)
		if n := utf8.RuneCountInString(s); n >= 8 && n <= longestDemand && demandExpr.MatchString(s) {
			out = append(out, s)
		}
	}
	return out
}

// survives reports whether enough words of a sentence occur in a text, which is
// in lower case.
func survives(sentence, low string) bool {
	literals := literalExpr.FindAllString(sentence, -1)
	if len(literals) > 0 {
		return 2*found(literals, low) >= len(literals)
	}
	words := contentWords(sentence)
	return len(words) == 0 || 3*found(words, low) >= len(words)
}

func found(words []string, low string) int {
	n := 0
	for _, w := range words {
		if strings.Contains(low, strings.ToLower(strings.Trim(w, "`."))) {
			n++
		}
	}
	return n
}

// contentWords are the words that carry a sentence: of four letters and more, by
// their first five so that endings do not matter, and pairs of Han letters.
func contentWords(sentence string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(demandExpr.ReplaceAllString(sentence, " "), func(r rune) bool { return !unicode.IsLetter(r) }) {
		letters := []rune(w)
		switch {
		case unicode.Is(unicode.Han, letters[0]):
			for i := 0; i+1 < len(letters); i += 2 {
				out = append(out, string(letters[i:i+2]))
			}
		case len(letters) >= 4:
			out = append(out, string(letters[:min(len(letters), 5)]))
		}
	}
	return out
}
