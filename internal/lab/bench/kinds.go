package main

import (
	"encoding/json"
	"strings"
	"unicode"

	"palimpsest/internal/lab/workload"
)

// kindBytes is how much of a kind is taken: enough to fill no cache, little
// enough for the slowest counter.
const kindBytes = 1 << 20

// byKind sorts the texts into kinds.
func byKind() map[string][]string {
	texts, _ := workload.Texts()
	kinds, sizes := map[string][]string{}, map[string]int{}
	add := func(kind, s string) {
		if sizes[kind] < kindBytes && len(s) < kindBytes/4 {
			kinds[kind] = append(kinds[kind], s)
			sizes[kind] += len(s)
		}
	}
	for _, s := range texts {
		if k := kindOf(s); k != "" {
			add(k, s)
		}
	}
	return kinds
}

func kindOf(s string) string {
	var letters, cjk, symbols, lines, total float64
	for _, r := range s {
		total++
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			cjk++
		case unicode.IsLetter(r), r == ' ':
			letters++
		case r == '\n':
			lines++
		case !unicode.IsSpace(r):
			symbols++
		}
	}
	switch {
	case cjk > 0.3*total:
		return "CJK"
	case total < 400:
		return ""
	case json.Valid([]byte(s)):
		return "JSON"
	case letters > 0.93*total && lines < 0.02*total:
		return "English"
	case symbols > 0.1*total && lines > 0.015*total && strings.ContainsAny(s, "{}") && strings.Contains(s, ";\n"):
		return "code"
	}
	return ""
}
