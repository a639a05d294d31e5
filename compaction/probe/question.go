// Package probe makes questions that a history itself answers, and marks the answers of
// whoever read only what a compaction left of it. No model is asked here.
//
//	what a reader may have known          the cut      what really followed
//	────────────────────────────────────────┼──────────────────────────────▶ history
//	orders, asks, state, files, decisions   │  what was used again, and
//	       right answer ◀── its message     │  the calls that were made
//
// A question never shares code with what writes summaries: right answers are taken from the
// raw calls, results and words by small rules of this package. A rule that is in doubt asks
// nothing. The package is deterministic.
package probe

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a question is about.
type Kind string

// The kinds, in the order in which tables name them.
const (
	Order        Kind = "order"        // what the person told the agent to do always, or never
	Request      Kind = "ask"          // what the person said last, and first
	State        Kind = "state"        // the open to-do, the last test run, the last error
	Artifact     Kind = "artifact"     // files changed, commits made
	Decision     Kind = "decision"     // what was chosen
	Recall       Kind = "recall"       // a literal that the agent used after the cut
	Continuation Kind = "continuation" // the call that the agent made next
)

var Kinds = []Kind{Order, Request, State, Artifact, Decision, Recall, Continuation}

// Rule is how an answer is marked.
type Rule string

// The rules. All compare normalised texts: lower case, white space and quotes folded.
const (
	Literal Rule = "literal" // one of the right answers stands in it
	Words   Rule = "words"   // most of the words of a right answer stand in it
	Choice  Rule = "choice"  // it is the letter of the right answer
)

// Question is one question, with all that is needed to mark an answer.
type Question struct {
	Kind    Kind     `json:"kind"`
	Ask     string   `json:"question"`
	Choices []string `json:"choices,omitempty"`
	Answers []string `json:"answers"`        // any of them is right; of a set all together
	Clue    string   `json:"clue,omitempty"` // of a call: what a text must hold to be of use
	Rule    Rule     `json:"rule"`
	Message int      `json:"message"`     // number of the message in which the right answer stands
	Kept    bool     `json:"kept_window"` // what stays word for word answers it by itself
}

// Mark is what an answer was worth.
type Mark string

// The marks. A wrong belief is worse than none.
const (
	Right   Mark = "right"
	Wrong   Mark = "wrong"
	Unknown Mark = "unknown" // the reader said that it does not know, or said nothing
)

// longestAnswer is how much of an answer is marked, in bytes: who lists everything has
// answered nothing.
const longestAnswer = 400

// leastWords is the share of the words of a right answer that an answer must have.
const leastWords = 0.6

// Mark marks an answer.
func (q *Question) Mark(answer string) Mark {
	answer = strings.TrimSpace(answer)
	if len(answer) > longestAnswer {
		answer = strings.ToValidUTF8(answer[:longestAnswer], "")
	}
	if answer == "" || like("unknowing", answer) {
		return Unknown
	}
	right := false
	switch text := Plain(answer); q.Rule {
	case Choice:
		if m := groups("lettered", answer); m != nil {
			i := int(unicode.ToUpper(rune(m[0][0][0])) - 'A')
			right = i < len(q.Choices) && q.Choices[i] == q.Answers[0]
			break
		}
		right = text == Plain(q.Answers[0])
	case Literal:
		right = slices.ContainsFunc(q.Answers, func(a string) bool { return contains(text, Plain(a)) })
	case Words:
		right = slices.ContainsFunc(q.Answers, func(a string) bool { return covered(a, text) >= leastWords })
	}
	if right {
		return Right
	}
	return Wrong
}

// Excerpt is what of a text answers the question: the right answer that stands in it, or the
// line that has the words of one; "": nothing does.
func (q *Question) Excerpt(text string) string {
	if q.Rule == Words {
		for line := range strings.Lines(text) {
			plain := Plain(line)
			if slices.ContainsFunc(q.Answers, func(a string) bool { return covered(a, plain) >= leastWords }) {
				return oneLine(line, longestAnswer)
			}
		}
		return ""
	}
	plain := Plain(text)
	for _, a := range q.Answers {
		if q.Clue != "" {
			a = q.Clue
		}
		if contains(plain, Plain(strings.TrimSuffix(a, "…"))) {
			return a
		}
	}
	return ""
}

// Plain is a text as texts are compared: without case, with one space for any white space,
// and without quotes and marks of emphasis.
func Plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("`\"'“”‘’*「」『』《》\\", r):
			return -1
		case r > 0xff00 && r < 0xff5f: // full-width forms of ASCII
			return unicode.ToLower(r - 0xfee0)
		case unicode.IsSpace(r):
			return ' '
		}
		return unicode.ToLower(r)
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// contains reports whether a text has a part that no letter, digit or underscore goes on.
// Chinese writes without gaps, and has no such edges.
func contains(text, part string) bool {
	for from := 0; part != ""; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:from+i])
		after, _ := utf8.DecodeRuneInString(text[from+i+len(part):])
		first, _ := utf8.DecodeRuneInString(part)
		last, _ := utf8.DecodeLastRuneInString(part)
		if !(wordy(before) && wordy(first)) && !(wordy(after) && wordy(last)) {
			return true
		}
		from += i + len(part)
	}
	return false
}

func wordy(r rune) bool {
	return r == '_' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// covered is the share of the content words of a phrase that stand in a plain text.
func covered(phrase, plain string) float64 {
	words := Content(phrase)
	if len(words) == 0 {
		return 0
	}
	has := map[string]bool{}
	for _, w := range tokens(plain) {
		has[w] = true
	}
	n := 0
	for _, w := range words {
		if has[w] {
			n++
		}
	}
	return float64(n) / float64(len(words))
}

// Content are the words of a phrase that carry its meaning, each once.
func Content(phrase string) (out []string) {
	for _, w := range tokens(Plain(phrase)) {
		if !like("empty", w) && (len(w) > 1 || w[0] >= '0' && w[0] <= '9') && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// tokens cuts a plain text into words; of Chinese, into pairs of characters.
func tokens(plain string) (out []string) {
	for _, w := range strings.FieldsFunc(plain, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		var han []rune
		rest := strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Han, r) {
				han = append(han, r)
				return ' '
			}
			return r
		}, w)
		out = append(out, strings.Fields(rest)...)
		for i := 0; i+1 < len(han); i++ {
			out = append(out, string(han[i:i+2]))
		}
	}
	return out
}
