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
	const shape = "0000-00-00T00:00:00"
	if len(s) < len(shape)+1 || len(s) > len(shape)+len(".000000000Z") || s[len(s)-1] != 'Z' {
		return 0, false
	}
	var n [6]int // year, month, day, hour, minute, second
	for i, k := 0, 0; i < len(shape); i++ {
		switch {
		case shape[i] != '0':
			if s[i] != shape[i] {
				return 0, false
			}
			k++
		case s[i] < '0' || s[i] > '9':
			return 0, false
		default:
			n[k] = 10*n[k] + int(s[i]-'0')
		}
	}
	for k, most := range [...]int{9999, 12, 28, 23, 59, 59} { // the last days of a month are for who knows its length
		if n[k] > most || n[k] == 0 && (k == 1 || k == 2) {
			return 0, false
		}
	}
	nano := 0
	if rest := s[len(shape) : len(s)-1]; len(rest) > 0 {
		frac, ok := digits(rest[1:])
		if !ok || rest[0] != '.' {
			return 0, false
		}
		for range 9 - len(rest[1:]) {
			frac *= 10
		}
		nano = frac
	}
	return time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], nano, time.UTC).UnixMilli(), true
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
