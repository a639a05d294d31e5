package codec

import (
	"encoding/json"

	"palimpsest/model/transcript/jspan"
)

// SampleFrom is from when on a value is recognised by a sample of it: every format asks for
// its own signs, and looks through all of a value to find out that they are not there.
const SampleFrom = 256 << 10

// Sample is a sniffed value with the first elements of its lists, and the beginnings of its
// texts: enough to see whose it is. One walk over the value makes it.
func (s *Sniff) Sample() *Sniff {
	if s.JSONLines || s.Whole.Len() < SampleFrom {
		return s
	}
	v, err := new(jspan.Parser).Parse(appendSample(nil, s.Whole), 0)
	if err != nil { // it was read from a value
		return s
	}
	return &Sniff{Whole: v, Lines: []jspan.Value{v}}
}

// sampleText is how much of a text a sample keeps. One that holds JSON is kept whole.
const sampleText = 1 << 10

func appendSample(out []byte, v jspan.Value) []byte {
	switch v.Kind {
	case jspan.Array:
		out = append(out, '[')
		for i, e := range v.Items {
			if i == SignScan {
				break
			}
			if i > 0 {
				out = append(out, ',')
			}
			out = appendSample(out, e)
		}
		return append(out, ']')
	case jspan.Object:
		out = append(out, '{')
		n := 0
		for key, in := range v.Each {
			if n++; n > SignScan {
				break
			}
			if n > 1 {
				out = append(out, ',')
			}
			out = append(append(append(out, '"'), key...), `":`...)
			out = appendSample(out, in)
		}
		return append(out, '}')
	case jspan.String:
		raw := v.Raw()
		if len(raw) > sampleText && raw[1] != '{' && raw[1] != '[' {
			raw, _ = json.Marshal(v.TextN(sampleText)) // a text always encodes
		}
		return append(out, raw...)
	}
	return append(out, v.Raw()...)
}
