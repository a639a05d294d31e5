package facts

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonStrings calls yield with every string of a JSON text, decoded, and its key;
// keys themselves only if asked for. It reads strings, not structure, and so reads cut
// or damaged JSON as far as it goes.
func jsonStrings(s string, keys bool, yield func(key, value string)) {
	key := ""
	for i := 0; i < len(s); {
		at := strings.IndexByte(s[i:], '"')
		if at < 0 {
			return
		}
		value, end := jsonString(s, i+at)
		i = end
		rest := strings.TrimLeft(s[i:min(len(s), i+64)], " \t\r\n")
		if strings.HasPrefix(rest, ":") {
			if key = value; !keys {
				continue
			}
			yield("", value)
			continue
		}
		yield(key, value)
	}
}

// jsonString decodes the string literal at i and returns the position behind it.
func jsonString(s string, i int) (string, int) {
	j := i + 1
	for j < len(s) && s[j] != '"' && s[j] != '\\' {
		j++
	}
	if j == len(s) || s[j] == '"' {
		return s[i+1 : j], min(j+1, len(s))
	}
	var b strings.Builder
	b.Grow(j - i + 32)
	b.WriteString(s[i+1 : j])
	for j < len(s) && s[j] != '"' {
		if s[j] != '\\' {
			k := j + 1
			for k < len(s) && s[k] != '"' && s[k] != '\\' {
				k++
			}
			b.WriteString(s[j:k])
			j = k
			continue
		}
		if j+1 == len(s) {
			return b.String(), len(s)
		}
		switch c := s[j+1]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b', 'f':
			b.WriteByte(' ')
		case 'u':
			r, n := jsonRune(s[j:])
			b.WriteRune(r)
			j += n
			continue
		default:
			b.WriteByte(c)
		}
		j += 2
	}
	return b.String(), min(j+1, len(s))
}

// jsonRune decodes an escape that begins with \u, a pair of surrogates as one,
// and returns its length.
func jsonRune(s string) (rune, int) {
	r, ok := unit16(s)
	if !ok {
		return utf8.RuneError, 2
	}
	if utf16.IsSurrogate(r) {
		if low, ok := unit16(s[6:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 12
			}
		}
		return utf8.RuneError, 6
	}
	return r, 6
}

func unit16(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	r := rune(0)
	for _, c := range []byte(s[2:6]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
