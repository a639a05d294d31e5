package facts

import (
	"strings"
	"unicode/utf8"
)

const figureBytes = 40 // of the longest figure; what is longer is data

// number lifts the number with its unit that begins at i and returns its end; 0:
// there is none. At most one space may separate the two.
func number(s string, i int, yield func(Kind, string)) int {
	j := figures(s, i)
	if j-i > figureBytes {
		return 0
	}
	if r := rangeEnd(s, j); r > 0 {
		j = r
	}
	start := i
	if c := currency(s[:i]); c > 0 {
		start -= c
		if n := unitEnd(s, j); n > 0 && n <= j+1 && s[j] != '%' { // $5k, ¥3万 come out below
			j = n
		}
		if j == len(s) || !word(s[j]) {
			if s[start] != '$' || j-i > 1 { // $1 is a parameter of a script
				yield(Number, s[start:j])
				return j
			}
		}
		return 0
	}
	end := unitEnd(s, j)
	if end == 0 || s[j:end] == "s" && (strings.HasPrefix(s[end:], "/") || j-i == 1) || placeholder(s[i:j], s[j:end]) || street(s, j, end) {
		return 0 // 10s/old/new/ is an expression of sed; 1s is anything
	}
	yield(Number, s[i:end])
	return end
}

// placeholder reports whether a token is the width of a printed number: 02x, 04d.
func placeholder(figures, unit string) bool {
	return len(figures) > 1 && figures[0] == '0' && digits(figures) && len(unit) == 1
}

// street reports whether a number is of a house, not of watts: 323 W Galer St.
func street(s string, j, end int) bool {
	return s[j:end] == " W" && (end == len(s) || strings.HasPrefix(s[end:], " ") && end+1 < len(s) && class[s[end+1]] == upper)
}

// figures reads 12, 1,214, 1_500, 3.25.
func figures(s string, i int) int {
	j := i
	for j < len(s) && (isDigit(s[j]) || s[j] == '_' && j+1 < len(s) && isDigit(s[j+1])) {
		j++
	}
	for j+3 < len(s) && j-i <= figureBytes && s[j] == ',' && digits(s[j+1:j+4]) && (j+4 == len(s) || !isDigit(s[j+4])) {
		j += 4
	}
	if j+1 < len(s) && s[j] == '.' && isDigit(s[j+1]) {
		for j++; j < len(s) && isDigit(s[j]); {
			j++
		}
	}
	return j
}

// rangeEnd reads the second number of a range that goes on at j; 0: none.
func rangeEnd(s string, j int) int {
	for _, dash := range []string{"-", "–", "~"} {
		if strings.HasPrefix(s[j:], dash) {
			if k := j + len(dash); k < len(s) && isDigit(s[k]) {
				if end := figures(s, k); end-k <= 12 {
					return end
				}
			}
		}
	}
	return 0
}

// currency is the length of the sign before a number.
func currency(before string) int {
	for _, sign := range []string{"$", "¥", "€", "£", "₩", "￥"} {
		if strings.HasSuffix(before, sign) {
			return len(sign)
		}
	}
	return 0
}

// unitEnd is the end of the unit of a number that ends at j; 0: it has none.
func unitEnd(s string, j int) int {
	k := j
	if k < len(s) && s[k] == ' ' {
		k++
	}
	switch {
	case k == len(s):
		return 0
	case s[k] == '%':
		if k == j || k+1 == len(s) || !word(s[k+1]) {
			return k + 1
		}
		return 0
	case s[k] >= utf8.RuneSelf:
		return wideUnit(s, k)
	}
	e := k
	for e < len(s) && isLetter(s[e]) && e-k <= 20 {
		e++
	}
	u := s[k:e]
	if u == "" || goesOn(s[e:]) || !isUnit(u, k > j) {
		return 0
	}
	return perEnd(s, e)
}

// goesOn reports whether letters before s are only part of a name: MB_2, s(x),
// min.js.
func goesOn(s string) bool {
	if s == "" {
		return false
	}
	switch c := s[0]; {
	case isDigit(c) || c == '_' || c == '(':
		return true
	case c == '.':
		return len(s) > 1 && word(s[1])
	case c >= utf8.RuneSelf:
		r, _ := utf8.DecodeRuneInString(s)
		return continues(r)
	}
	return false
}

// isUnit reports whether letters behind a number are its unit. Behind a space
// they may also be the plural of what is counted, but hardly a single letter:
// "3 C" is more often a list than a temperature.
func isUnit(u string, spaced bool) bool {
	if !spaced {
		return units[u]
	}
	if len(u) == 1 && strings.IndexByte("sBhmgWV", u[0]) < 0 {
		return false
	}
	return units[u] || counted(u)
}

var rates = []string{"s", "sec", "min", "h", "hour", "day", "op", "month", "year"}

// perEnd is the end e of a unit, moved past its rate: past /s in MB/s.
func perEnd(s string, e int) int {
	if e+1 < len(s) && s[e] == '/' {
		for _, per := range rates {
			if p := e + 1 + len(per); strings.HasPrefix(s[e+1:], per) && (p == len(s) || !word(s[p])) {
				return p
			}
		}
	}
	return e
}

// counted reports whether a word is the plural of what is counted: 4 queries, 12 files.
func counted(u string) bool {
	if len(u) < 4 || u[len(u)-1] != 's' || class[u[1]] != lower || class[u[len(u)-2]] == upper && class[u[0]] == upper {
		return false
	}
	switch u[len(u)-2] {
	case 's', 'u', 'i', 'a':
		return false
	}
	return !notCounted[u]
}

// wideUnit is the end of a unit that is not ASCII and begins at k; 0: none.
func wideUnit(s string, k int) int {
	longest := 0
	for _, u := range wideUnits {
		if len(u) > longest && strings.HasPrefix(s[k:], u) {
			longest = len(u)
		}
	}
	if longest == 0 {
		return 0
	}
	return k + longest
}
