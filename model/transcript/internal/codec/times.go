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
