package main

import (
	"math/rand"
	"regexp"
	"sort"
	"strings"
	"unicode"
)

// A fact is a literal string that a text names: a path, a name, a flag, an identifier, a figure with its
// unit, an address. The scanner here is the lab's and simpler than the product's: it cuts at
// blanks, quotes, brackets and commas, and looks at each piece alone.
var (
	piece   = regexp.MustCompile("[^\\s\"'`“”‘’「」『』（），。、：；<>|=,;()\\[\\]{}]+")
	isID    = regexp.MustCompile(`^(#\d{1,6}|[0-9a-f]{7,40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|v?\d+\.\d+\.\d+[\w.+-]*)$`)
	isFlag  = regexp.MustCompile(`^--[a-z][a-z0-9-]+$`)
	isName  = regexp.MustCompile(`^(\w+_\w+|[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z_]\w+(\.[A-Za-z_]\w+)+)$`)
	isPath  = regexp.MustCompile(`^(~/|\.{1,2}/|/)?([\w@.+$-]+/)+[\w@.+$-]*$`)
	figure  = regexp.MustCompile(`\b\d[\d,.]* ?(?:ms|MB|KB|GB|%|px|tokens|lines|files|tests|seconds|minutes|hours|commits|errors|bytes)\b`)
	grouped = regexp.MustCompile(`(\S*/)\{([^{}\n]+)\}`)
	times   = regexp.MustCompile(` ×\d+`)
)

// factsOf is the facts that a text names, each with how often.
func factsOf(text string) map[string]int {
	out := map[string]int{}
	for _, p := range piece.FindAllString(text, -1) {
		p = strings.TrimRight(p, ".:!?*")
		p = strings.TrimLeft(p, "*")
		if len(p) < 3 || len(p) > 200 {
			continue
		}
		if strings.HasPrefix(p, "http://") || strings.HasPrefix(p, "https://") || isFlag.MatchString(p) ||
			isID.MatchString(p) && strings.ContainsAny(p, "0123456789") || isPath.MatchString(p) && p != "and/or" || isName.MatchString(p) {
			out[strings.TrimSuffix(p, "/")]++
		}
	}
	for _, p := range figure.FindAllString(text, -1) {
		out[p]++
	}
	return out
}

// joined writes out what a text groups by folder: "src/{a.go ×2, b.go}".
func joined(text string) string {
	var b strings.Builder
	b.WriteString(text)
	for _, m := range grouped.FindAllStringSubmatch(text, -1) {
		for _, name := range strings.Split(times.ReplaceAllString(m[2], ""), ", ") {
			b.WriteString("\n" + m[1] + strings.TrimSpace(name))
		}
	}
	return b.String()
}

func (e entry) all() string {
	if e.who == "call" {
		return inputLine(e.input)
	}
	return e.text + "\n" + e.think
}

// literal is what one cut asks of a text: the facts of what went, and which of them the agent
// used after the cut before the next one. What stands in the last messages anyway is neither.
type literal struct{ gone, needed map[string]int }

func literalOf(h *history, c cut, gone, tail []entry) literal {
	l := literal{map[string]int{}, map[string]int{}}
	for _, e := range gone {
		for f, n := range factsOf(e.all()) {
			l.gone[f] += n
		}
	}
	for _, e := range tail {
		for f := range factsOf(e.all()) {
			delete(l.gone, f)
		}
	}
	until := len(h.lines) + len(h.parts)
	for _, other := range h.cuts {
		if other.at > c.after {
			until = min(until, other.at)
		}
	}
	for _, e := range h.span(c.after, until) {
		if e.who == "agent" || e.who == "call" {
			for f := range factsOf(e.all()) {
				if l.gone[f] > 0 {
					l.needed[f]++
				}
			}
		}
	}
	return l
}

// of is how a text does: the share of the needed facts that it holds, word for word and with
// its groups written out, the share of what it holds that was needed, and of all facts that it holds.
func (l literal) of(text string) (word, join, precision, share float64) {
	plain, with := factsOf(text), factsOf(joined(text))
	var held, met, metPlain int
	for f := range l.gone {
		if with[f] > 0 {
			held++
			if l.needed[f] > 0 {
				met++
			}
		}
		if plain[f] > 0 && l.needed[f] > 0 {
			metPlain++
		}
	}
	need := float64(len(l.needed))
	return float64(metPlain) / need, float64(met) / need, float64(met) / float64(max(held, 1)), float64(held) / float64(len(l.gone))
}

// baselines are texts of at most so many tokens that anybody can make: facts drawn at random,
// the most frequent, the most recent, and the newest messages.
func (l literal) baselines(gone []entry, budget int) []text {
	last := map[string]int{}
	for i, e := range gone {
		for f := range factsOf(e.all()) {
			last[f] = i
		}
	}
	var all []string
	for f := range l.gone {
		all = append(all, f)
	}
	sort.Strings(all)
	by := func(less func(a, b string) bool) string {
		of := append([]string(nil), all...)
		sort.SliceStable(of, func(i, j int) bool { return less(of[i], of[j]) })
		return fill(of, budget)
	}
	random := append([]string(nil), all...)
	rand.New(rand.NewSource(7)).Shuffle(len(random), func(i, j int) { random[i], random[j] = random[j], random[i] })
	var newest []string
	left := budget
	for i := len(gone) - 1; i >= 0 && left > 0; i-- {
		s := clip(gone[i].all(), 4*left)
		newest = append([]string{s}, newest...)
		left -= count(s)
	}
	return []text{{"random facts", fill(random, budget)},
		{"frequent facts", by(func(a, b string) bool { return l.gone[a] > l.gone[b] })},
		{"recent facts", by(func(a, b string) bool { return last[a] > last[b] })},
		{"newest messages", strings.Join(newest, "\n")}}
}

func fill(of []string, budget int) string {
	var b strings.Builder
	for used, i := 0, 0; i < len(of) && used < budget; i++ {
		b.WriteString(of[i] + "\n")
		used += count(of[i]) + 1
	}
	return b.String()
}

// plainWords is a text in lower case without marks, for a comparison word for word.
func plainWords(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}
