package figure

import (
	"math"
	"strconv"
	"strings"
)

// Minus is the sign of negative numbers.
const Minus = "−"

// Missing is written for a figure that is not known, never 0.
const Missing = "–"

// Unknown values of other kinds are written so.
const unknownSign = "?"

// MuchMore is the share from which on a multiple is written: "3 ×" for 300 %.
const MuchMore = 2

// Int writes a whole number with separators: 1,162.
func Int(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = Minus, s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// TokensShort writes a number of tokens in the way of the ledger: 510, 14.2K,
// 22.4M; without zero there is no ".0", for labels: 200K.
func TokensShort(n int64, zero bool) string {
	if n < 0 {
		if n == math.MinInt64 {
			n++
		}
		return Minus + TokensShort(-n, zero)
	}
	unit, v := "", float64(n)
	for _, u := range []string{"K", "M", "G"} {
		if v < 1000 && (unit == "" || math.Round(v*10) < 10000) {
			break
		}
		v, unit = v/1000, u
	}
	if unit == "" {
		return strconv.FormatInt(n, 10)
	}
	s := strconv.FormatFloat(v, 'f', 1, 64)
	if !zero {
		s = strings.TrimSuffix(s, ".0")
	}
	return s + unit
}

// Percent writes a share, 0.74 as 74 %. What is not quite nothing or not quite
// all is not rounded to it, and what is above 200 % is a multiple: 3.4 ×.
func Percent(share float64) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return unknownSign
	}
	p := math.Round(share * 100)
	s := strconv.FormatFloat(math.Abs(p), 'f', 0, 64)
	switch {
	case math.Abs(share) > MuchMore:
		return Times(share)
	case share > 0 && share < .005:
		s = "<1"
	case share < 1 && p == 100:
		s = ">99"
	}
	if p < 0 {
		s = Minus + s
	}
	return s + " %"
}

// PercentTenths writes a share with one place, 0.835 as 83.5 %.
func PercentTenths(share float64) string {
	if math.Abs(share) > MuchMore {
		return Percent(share)
	}
	s := Decimal(share*100, 1)
	switch {
	case s == unknownSign:
		return s
	case share > 0 && s == "0.0":
		s = "<0.1"
	case share < 1 && s == "100.0":
		s = ">99.9"
	}
	return strings.TrimSuffix(s, ".0") + " %"
}

// ChangeOf writes a signed change, −0.68 as −68 %. A size that is not all gone
// did not change by 100 %, and one that grew much is a multiple: 3.4 ×.
func ChangeOf(share float64) string {
	switch {
	case math.IsNaN(share) || math.IsInf(share, 0):
		return unknownSign
	case share > MuchMore:
		return Times(1 + share)
	case share > -1 && share < -.995:
		s := Decimal(max(-share, 0)*100, 1)
		if s == "100.0" {
			s = "99.9"
		}
		return Minus + s + " %"
	case share > 0 && share < .005, share < 0 && share > -.005:
		s := Decimal(math.Abs(share)*100, 1)
		switch {
		case s == "0.0":
			return "<0.1 %" // of so little the sign says nothing
		case share < 0:
			s = Minus + s
		default:
			s = "+" + s
		}
		return s + " %"
	case share > 0:
		return "+" + Percent(share)
	}
	return Percent(share)
}

// Times writes a multiple: 3.4 ×, 106 ×.
func Times(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return unknownSign
	case a < 9.95:
		return Decimal(v, 1) + " ×"
	}
	return Int(int64(math.Round(v))) + " ×"
}

// Decimal writes a number with a fixed number of places and our minus sign.
func Decimal(v float64, places int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return unknownSign
	}
	s := strconv.FormatFloat(v, 'f', places, 64)
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		if strings.Trim(rest, "0.") == "" {
			return rest
		}
		return Minus + rest
	}
	return s
}

// Bounded puts the sign of a bound before a number.
func Bounded(s string, b Bound) string {
	switch b {
	case AtLeast:
		return "≥ " + s
	case AtMost:
		return "≤ " + s
	}
	return s
}

// Plural spells a count with its noun: "1 call", "2,000 calls".
func Plural(n int64, noun string) string { return Int(n) + " " + Noun(n, noun) }

// Noun is the noun of a count: "call", "calls", "summaries".
func Noun(n int64, noun string) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "ry"):
		return strings.TrimSuffix(noun, "y") + "ies"
	case strings.HasSuffix(noun, "ss"), strings.HasSuffix(noun, "ch"):
		return noun + "es"
	}
	return noun + "s"
}
