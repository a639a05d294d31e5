package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Minus is the sign of negative numbers.
const Minus = "−"

// Unknown is written for a number that nobody knows, never 0.
const Unknown = "?"

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

// Tokens writes a number of tokens in the way of the ledger: 510, 14.2K, 22.4M.
func Tokens(n int64) string { return short(n, true) }

// TokensShort is Tokens without a ".0", for labels: 200K.
func TokensShort(n int64) string { return short(n, false) }

// Estimate is Tokens for a number that was estimated: ~14.2K.
func Estimate(n int64) string { return "~" + Tokens(n) }

// TokensOf is Tokens, Estimate or Unknown, as the number was come by.
func TokensOf(n int64, known, exact bool) string {
	switch {
	case !known:
		return Unknown
	case exact:
		return Tokens(n)
	}
	return Estimate(n)
}

// Change writes a difference with its sign: +16.7K, −117.6K, 0.
func Change(n int64) string {
	if n > 0 {
		return "+" + Tokens(n)
	}
	return Tokens(n)
}

func short(n int64, zero bool) string {
	if n < 0 {
		if n == math.MinInt64 {
			n++
		}
		return Minus + short(-n, zero)
	}
	unit := ""
	v := float64(n)
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
// all is not rounded to it.
func Percent(share float64) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return Unknown
	}
	p := math.Round(share * 100)
	s := strconv.FormatFloat(math.Abs(p), 'f', 0, 64)
	switch {
	case share > 0 && share < .005:
		s = "<1"
	case share < 1 && p == 100:
		s = ">99"
	}
	if p < 0 {
		s = Minus + s
	}
	return s + percentSign()
}

// PercentTenths writes a share with one place, 0.835 as 83.5 %.
func PercentTenths(share float64) string {
	s := Decimal(share*100, 1)
	if s == Unknown {
		return s
	}
	return s + percentSign()
}

// PercentChange is Percent with a sign for a gain too.
func PercentChange(share float64) string {
	if share >= .005 {
		return "+" + Percent(share)
	}
	return Percent(share)
}

func percentSign() string {
	if Language() == Chinese {
		return "%"
	}
	return " %"
}

// Decimal writes a number with a fixed number of places and our minus sign.
func Decimal(v float64, places int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Unknown
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

// Duration writes a time span as people say it: 214 ms, 6.8 s, 2 min 5 s, 1 h
// 4 min.
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return Minus + Duration(-d)
	case d < time.Millisecond && d > 0:
		return T("number.under", "value", T("number.ms", "value", "1"))
	case d < time.Second-500*time.Microsecond:
		return T("number.ms", "value", fmt.Sprint(d.Round(time.Millisecond).Milliseconds()))
	case d < 59950*time.Millisecond:
		return T("number.s", "value", strconv.FormatFloat(d.Seconds(), 'f', 1, 64))
	case d < time.Hour:
		d = d.Round(time.Second)
		if d < time.Hour {
			return T("number.min", "min", int(d/time.Minute), "s", int(d%time.Minute/time.Second))
		}
	}
	d = d.Round(time.Minute)
	return T("number.h", "h", int(d/time.Hour), "min", int(d%time.Hour/time.Minute))
}

// Elapsed writes how long something has run so far, in whole seconds: 23 s.
func Elapsed(d time.Duration) string {
	d = d.Truncate(time.Second)
	if d < time.Minute {
		return T("number.s", "value", strconv.Itoa(int(d/time.Second)))
	}
	return Duration(d)
}

// Bytes writes a size in units of 1,000: 168 KB, 4.2 MB.
func Bytes(n int64) string {
	if n < 0 {
		return Unknown
	}
	if n < 1000 {
		return Int(n) + " B"
	}
	v, unit := float64(n), ""
	for _, u := range []string{"KB", "MB", "GB", "TB"} {
		v, unit = v/1000, u
		if math.Round(v) < 1000 {
			break
		}
	}
	if v < 9.95 {
		return strconv.FormatFloat(v, 'f', 1, 64) + " " + unit
	}
	return Int(int64(math.Round(v))) + " " + unit
}
