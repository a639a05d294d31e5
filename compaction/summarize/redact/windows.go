package redact

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// A match of a rule holds one of the rule's keywords, so only the surroundings
// of keywords are searched: the expressions cost about a second a megabyte, and
// there are hundreds.

// unbounded is how far around a keyword an expression without a longest match
// is tried: private keys and tokens of any length are far shorter.
const unbounded = 16 << 10

// span is a part of a text in bytes.
type span struct{ from, to int }

// reach is the length of the longest match of an expression in bytes, at most
// [unbounded].
func reach(expr string) int {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return unbounded
	}
	return longest(re)
}

func longest(re *syntax.Regexp) int {
	n := 0
	switch re.Op {
	case syntax.OpLiteral:
		n = 4 * len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		n = 4
		if len(re.Rune) > 0 && re.Rune[len(re.Rune)-1] < 0x80 {
			n = 1
		}
	case syntax.OpStar, syntax.OpPlus:
		n = unbounded
	case syntax.OpQuest, syntax.OpCapture:
		n = longest(re.Sub[0])
	case syntax.OpRepeat:
		n = unbounded
		if re.Max >= 0 {
			n = re.Max * longest(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, s := range re.Sub {
			n += longest(s)
		}
	case syntax.OpAlternate:
		for _, s := range re.Sub {
			n = max(n, longest(s))
		}
	}
	return min(n, unbounded)
}

// around lists the surroundings of a rule's keywords, in order and disjoint.
// lower is the text in lower case, of the same length.
func (one *rule) around(lower string) []span {
	if len(one.keywords) == 0 {
		return []span{{0, len(lower)}}
	}
	var hits []span
	for _, k := range one.keywords {
		for at := 0; ; {
			i := strings.Index(lower[at:], k)
			if i < 0 {
				break
			}
			// One more on both sides, for the expressions that look at the border.
			if at += i + len(k); !one.assigns || valueAhead(lower[at:]) {
				hits = append(hits, span{max(0, at-len(k)-one.reach-1), min(len(lower), at+one.reach+1)})
			}
		}
	}
	return merge(hits)
}

// valueAhead reports whether a text begins like the rest of NAME = VALUE: soon a sign
// of assignment, and right behind it a value. It is asked before the expressions that
// look for that, which are slow, and agrees to more than they do: no value that one of
// them takes is shorter.
func valueAhead(s string) bool {
	const name, space, value = 26, 9, 8
	for i := 0; i < len(s) && i < name; i++ {
		if !strings.Contains("=>:|,", s[i:i+1]) {
			continue
		}
		j := i + 1
		for j < len(s) && j < i+space && strings.Contains("=>: \t\r\n'`\"\\", s[j:j+1]) {
			j++
		}
		n := j
		for n < len(s) && n < j+value && s[n] > ' ' && s[n] != '"' && s[n] != '(' {
			n++
		}
		if n == j+value {
			return true
		}
	}
	return false
}

// merge sorts spans and joins those that touch.
func merge(list []span) []span {
	slices.SortFunc(list, func(a, b span) int { return a.from - b.from })
	out := list[:0]
	for _, s := range list {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}
