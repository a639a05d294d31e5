package kit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number is what a person wrote into a number field: a value and its unit.
type Number struct {
	N float64
	// Unit is "" (as the field says), "%", or a unit of the model: "tok",
	// "msgs", "groups", "steps", "turns", "chars". A percentage is kept as
	// written: 80 % has N = 80.
	Unit string
	// Below says that the number is to be taken off the field's upper bound:
	// "-20k" is the context window less 20,000.
	Below bool
}

var unitNames = map[string]string{
	"%": "%", "％": "%",
	"tok": "tok", "token": "tok", "tokens": "tok", "t": "tok",
	"msg": "msgs", "msgs": "msgs", "message": "msgs", "messages": "msgs",
	"group": "groups", "groups": "groups",
	"step": "steps", "steps": "steps",
	"turn": "turns", "turns": "turns",
	"char": "chars", "chars": "chars", "characters": "chars",
}

// ParseNumber reads "80%", "120000", "120,000", "120k", "1.5M", "-20k",
// "10msgs". Spaces and a leading "~" don't matter.
func ParseNumber(s string) (Number, error) {
	t := strings.ToLower(strings.TrimSpace(s))
	t = strings.TrimSpace(strings.TrimPrefix(t, "~"))
	var n Number
	for _, minus := range []string{"-", "−"} {
		if rest, ok := strings.CutPrefix(t, minus); ok {
			t, n.Below = strings.TrimSpace(rest), true
		}
	}
	end := 0
	for end < len(t) && (t[end] >= '0' && t[end] <= '9' || strings.IndexByte("., _'", t[end]) >= 0) {
		end++
	}
	digits := strings.NewReplacer(",", "", " ", "", "_", "", "'", "").Replace(t[:end])
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return Number{}, fmt.Errorf("no number in %q", s)
	}
	rest := strings.TrimSpace(t[end:])
	if factor, unit, ok := magnitude(rest); ok {
		v, rest = v*factor, unit
	}
	n.N = v
	if rest != "" {
		unit, ok := unitNames[rest]
		if !ok {
			return Number{}, fmt.Errorf("unknown unit %q", rest)
		}
		n.Unit = unit
	}
	if math.IsInf(n.N, 0) || n.N > 1e15 {
		return Number{}, fmt.Errorf("%q is too large", s)
	}
	return n, nil
}

// magnitude splits "k" or "m" off the front of a unit, unless it is the start
// of a unit's name.
func magnitude(s string) (factor float64, rest string, ok bool) {
	if _, isUnit := unitNames[s]; isUnit || s == "" {
		return 1, s, false
	}
	switch s[0] {
	case 'k':
		factor = 1e3
	case 'm':
		factor = 1e6
	default:
		return 1, s, false
	}
	return factor, strings.TrimSpace(s[1:]), true
}
