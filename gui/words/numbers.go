package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"palimpsest/model/figure"
)

// Minus is the sign of negative numbers.
const Minus = figure.Minus

// Unknown is written for a number that nobody knows, never 0.
const Unknown = "?"

// Int writes a whole number with separators: 1,162.
func Int(n int64) string { return figure.Int(n) }

// Tokens writes a number of tokens in the way of the ledger: 510, 14.2K, 22.4M.
func Tokens(n int64) string { return figure.TokensShort(n, true) }

// TokensShort is Tokens without a ".0", for labels: 200K.
func TokensShort(n int64) string { return figure.TokensShort(n, false) }

// Estimate is Tokens for a number that was estimated, ~14.2K; a sign comes first: −~6.7K.
func Estimate(n int64) string {
	if less, ok := strings.CutPrefix(Tokens(n), figure.Minus); ok {
		return figure.Minus + "~" + less
	}
	return "~" + Tokens(n)
}

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

// Figure is a figure as short as a screen shows it.
func Figure(f figure.Figure) string { return ofFigure(f, f.String()) }

// FigureFull is a figure with all its digits.
func FigureFull(f figure.Figure) string { return ofFigure(f, f.Full()) }

func ofFigure(f figure.Figure, s string) string {
	if f.Unit == figure.Points && f.Known() {
		return T("metric.points", "n", s)
	}
	return Percents(s)
}

// Percent writes a share, 0.74 as 74 %; see [figure.Percent].
func Percent(share float64) string { return Percents(figure.Percent(share)) }

// PercentTenths writes a share with one place, 0.835 as 83.5 %.
func PercentTenths(share float64) string { return Percents(figure.PercentTenths(share)) }

// PercentChange writes a signed change of a size; see [figure.ChangeOf].
func PercentChange(share float64) string { return Percents(figure.ChangeOf(share)) }

// Percents writes the sign as the language does: 74 %, 74%.
func Percents(s string) string {
	if Language() == Chinese {
		return strings.ReplaceAll(s, " %", "%")
	}
	return s
}

// Decimal writes a number with a fixed number of places and our minus sign.
func Decimal(v float64, places int) string { return figure.Decimal(v, places) }

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
