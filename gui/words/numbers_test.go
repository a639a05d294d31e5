package words

import (
	"math"
	"testing"
	"time"
)

func TestNumbers(t *testing.T) {
	t.Cleanup(func() { Set(English) })
	Set(English)
	for _, c := range []struct{ got, want string }{
		{Int(0), "0"}, {Int(999), "999"}, {Int(1000), "1,000"}, {Int(-1234567), "−1,234,567"}, {Int(math.MinInt64), "−9,223,372,036,854,775,808"},
		{Tokens(0), "0"}, {Tokens(510), "510"}, {Tokens(999), "999"}, {Tokens(1000), "1.0K"}, {Tokens(14200), "14.2K"}, {Tokens(158900), "158.9K"},
		{Tokens(999949), "999.9K"}, {Tokens(999950), "1.0M"}, {Tokens(22400000), "22.4M"}, {Tokens(-117600), "−117.6K"}, {Tokens(3e9), "3.0G"},
		{TokensShort(200000), "200K"}, {TokensShort(14200), "14.2K"}, {TokensShort(1e6), "1M"},
		{Estimate(41300), "~41.3K"},
		{Estimate(-6700), "−~6.7K"},
		{TokensOf(41300, true, true), "41.3K"}, {TokensOf(41300, true, false), "~41.3K"}, {TokensOf(41300, false, true), "?"},
		{Percent(.74), "74 %"}, {Percent(-.74), "−74 %"}, {Percent(0), "0 %"}, {Percent(1), "100 %"}, {Percent(.001), "<1 %"}, {Percent(.999), ">99 %"}, {PercentTenths(.495), "49.5 %"}, {PercentTenths(-.0125), "−1.2 %"}, {PercentTenths(math.Inf(1)), "?"},
		{Percent(math.NaN()), "?"}, {PercentChange(.09), "+9 %"}, {PercentChange(-.1), "−10 %"},
		{Decimal(-1.25, 1), "−1.2"}, {Decimal(-.001, 1), "0.0"}, {Decimal(math.Inf(1), 1), "?"},
		{Duration(0), "0 ms"}, {Duration(200 * time.Microsecond), "under 1 ms"}, {Duration(214 * time.Millisecond), "214 ms"},
		{Duration(999600 * time.Microsecond), "1.0 s"}, {Duration(6800 * time.Millisecond), "6.8 s"}, {Duration(59949 * time.Millisecond), "59.9 s"},
		{Duration(59950 * time.Millisecond), "1 min 0 s"}, {Duration(125 * time.Second), "2 min 5 s"},
		{Duration(time.Hour - time.Millisecond), "1 h 0 min"}, {Duration(64 * time.Minute), "1 h 4 min"}, {Duration(-time.Second), "−1.0 s"},
		{Elapsed(0), "0 s"}, {Elapsed(23900 * time.Millisecond), "23 s"}, {Elapsed(60999 * time.Millisecond), "1 min 0 s"},
		{Bytes(0), "0 B"}, {Bytes(999), "999 B"}, {Bytes(1000), "1.0 KB"}, {Bytes(168000), "168 KB"}, {Bytes(4.2e6), "4.2 MB"}, {Bytes(999999), "1.0 MB"}, {Bytes(-1), "?"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	Set(Chinese)
	if got := Percent(.74); got != "74%" {
		t.Errorf("%q", got)
	}
}
