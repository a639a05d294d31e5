package codec

import (
	"time"

	"palimpsest/model/transcript/jspan"
)

// Millis reads a time in any spelling that transcripts use: RFC 3339, seconds
// or milliseconds since 1970. It gives 0 for anything else.
func Millis(v jspan.Value) int64 {
	switch v.Kind {
	case jspan.Number:
		if f := v.Float(); f > 1e11 && f < 1e14 {
			return int64(f)
		} else if f > 1e8 && f <= 1e11 {
			return int64(f * 1000)
		}
	case jspan.String:
		if t, ok := UTCMillis(v.Buf[v.Off+1 : v.End-1]); ok {
			return t
		}
		var t time.Time
		if t.UnmarshalText(v.Bytes()) == nil {
			return t.UnixMilli()
		}
		text := v.TextN(64)
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
			if t, err := time.Parse(layout, text); err == nil {
				return t.UnixMilli()
			}
		}
	}
	return 0
}

// UTCMillis reads a time as nearly every record spells it, 2006-01-02T15:04:05
// with at most nine more digits behind a point and a Z, and no other.
func UTCMillis(s []byte) (ms int64, ok bool) {
	if len(s) < len("2006-01-02T15:04:05Z") || len(s) > len("2006-01-02T15:04:05.000000000Z") || s[len(s)-1] != 'Z' ||
		s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return 0, false
	}
	year, ok1 := digits(s[:4])
	month, ok2 := digits(s[5:7])
	day, ok3 := digits(s[8:10])
	hour, ok4 := digits(s[11:13])
	minute, ok5 := digits(s[14:16])
	second, ok6 := digits(s[17:19])
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59 {
		return 0, false // the last days of a month are for who knows its length
	}
	nano := 0
	if rest := s[19 : len(s)-1]; len(rest) > 0 {
		n, ok := digits(rest[1:])
		if !ok || rest[0] != '.' {
			return 0, false
		}
		for range 9 - len(rest[1:]) {
			n *= 10
		}
		nano = n
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, nano, time.UTC).UnixMilli(), true
}

// digits is the number that digits spell.
func digits(s []byte) (n int, ok bool) {
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, len(s) > 0
}
