package summarize

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FlawCode names something wrong with a model's answer.
type FlawCode string

const (
	FlawBlank       FlawCode = "blank"       // it holds no words; there is no draft
	FlawCutOff      FlawCode = "cut-off"     // it ended at the ceiling, or was cut to the budget
	FlawFiltered    FlawCode = "filtered"    // the provider's filter ended it
	FlawRefusal     FlawCode = "refusal"     // it says that it won't
	FlawPrefix      FlawCode = "no-prefix"   // it does not begin as requested
	FlawLanguage    FlawCode = "language"    // it is not in the language of the history
	FlawConstraints FlawCode = "constraints" // it lost what a person demanded or forbade
	FlawLarger      FlawCode = "larger"      // it is not smaller than what it replaces
)

// flawWords say in English what a code means.
var flawWords = map[FlawCode]string{
	FlawBlank:       "it holds no words",
	FlawCutOff:      "it is cut off",
	FlawFiltered:    "the provider's filter ended it",
	FlawRefusal:     "it refuses",
	FlawPrefix:      "it lacks the requested first line",
	FlawLanguage:    "it is in another language than the history",
	FlawConstraints: "instructions of the person are missing",
	FlawLarger:      "it is not smaller than what it replaces",
}

// Words says in English what is wrong, as the rest of a sentence that names the
// answer.
func (c FlawCode) Words() string { return cmp.Or(flawWords[c], string(c)) }

// Flaw is something wrong with an answer.
type Flaw struct {
	Code   FlawCode
	Detail string // words of the history or the answer that show it; may be ""
}

// endings are the flaws that how an answer ended shows.
func endings(s ModelAnswer) []Flaw {
	var out []Flaw
	if s.CutOff {
		out = append(out, Flaw{Code: FlawCutOff})
	}
	if s.Filtered {
		out = append(out, Flaw{Code: FlawFiltered})
	}
	if s.Refusal != "" {
		out = append(out, Flaw{FlawRefusal, line(s.Refusal, detailLimit)})
	} else if begin := refuses(s.Text); begin != "" {
		out = append(out, Flaw{FlawRefusal, begin})
	}
	return out
}

// detailLimit bounds a quotation in a flaw, in code points.
const detailLimit = 120

// judge reads the last answer as it came, and the summary made of it.
func (e *Enquiry) judge(raw, text string) []Flaw {
	var out []Flaw
	raw = strings.TrimSpace(raw)
	if prefixOf(raw) == 0 && !structured(raw) {
		if _, heading := StripHeading(raw); !heading {
			out = append(out, Flaw{FlawPrefix, line(raw, detailLimit/3)})
		}
	}
	body := text[prefixOf(text):]
	if strings.HasSuffix(text, ellipsis) || utf8.RuneCountInString(body) < utf8.RuneCountInString(raw[prefixOf(raw):])*9/10 {
		out = append(out, Flaw{Code: FlawCutOff})
	}
	if said, sure := languageOf(body); sure && said != e.Lang {
		out = append(out, Flaw{Code: FlawLanguage})
	}
	if lost := lostConstraints(e.ask.Entries, text); len(lost) > 0 {
		out = append(out, Flaw{FlawConstraints, strings.Join(lost, " · ")})
	}
	return out
}

// Rejudge takes back that constraints are missing when the text to be applied,
// an answer with something behind it, holds them.
func (e *Enquiry) Rejudge(flaws []Flaw, text string) []Flaw {
	var out []Flaw
	for _, f := range flaws {
		if f.Code == FlawConstraints {
			lost := lostConstraints(e.ask.Entries, text)
			if len(lost) == 0 {
				continue
			}
			f.Detail = strings.Join(lost, " · ")
		}
		out = append(out, f)
	}
	return out
}

// leastLetters is how much text it takes to detect its language.
const leastLetters = 30

func languageOf(text string) (l Lang, sure bool) {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return detect([]Entry{{Former: text}}), n >= leastLetters
}

// refusals are the ways in which models begin to say that they won't.
var refusals = []string{"i can't", "i can’t", "i cannot", "i'm sorry", "i’m sorry", "i am sorry", "sorry,", "i'm unable", "i am unable",
	"i won't", "as an ai", "i'm not able", "抱歉", "对不起", "很抱歉", "我无法", "我不能", "作为一个ai", "作为ai"}

// longestRefusal is the length of a refusal at most; a longer text that begins so
// has content, too.
const longestRefusal = 600

// refuses returns the beginning of a text that refuses.
func refuses(text string) string {
	text = strings.TrimSpace(text)
	text = strings.TrimSpace(text[prefixOf(text):])
	if utf8.RuneCountInString(text) > longestRefusal {
		return ""
	}
	low := strings.ToLower(text)
	if slices.ContainsFunc(refusals, func(r string) bool { return strings.HasPrefix(low, r) }) {
		return line(text, detailLimit)
	}
	return ""
}
