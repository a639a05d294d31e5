package redact

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// view is a text as somebody reads it who takes one layer of spelling off, with
// the place in the source of every byte:
//
//	source        gh\u001b[0mp_abc        {\"key\":\"abc\"}
//	unescaped     gh<ESC>[0mp_abc         {"key":"abc"}
//	joined        ghp_abc                 {"key":"abc"}
//
// Rules and known secrets are looked for in every view, and what is found is hidden
// at its place in the source.
type view struct {
	text     string
	from, to []int32 // of each byte, the span in the source; nil: the source itself
}

// layers is how many times escapes are taken off: JSON in a string in JSON.
const layers = 3

// source is the span in the source of a span of the view.
func (v *view) source(from, to int) (int, int) {
	if v.from == nil {
		return from, to
	}
	return int(v.from[from]), int(v.to[to-1])
}

// viewsOf lists the ways to read a text; the text itself is the first.
func viewsOf(text string) []view {
	v := view{text: text}
	list := []view{v}
	if len(text) > 1<<30 { // beyond the places of a view
		return list
	}
	add := func(next view, changed bool) {
		if changed {
			v = next
			list = append(list, v)
		}
	}
	add(joined(v))
	for range layers {
		before := len(list)
		add(unescaped(v))
		add(joined(v))
		if len(list) == before {
			break
		}
	}
	if next, changed := unpercented(list[0]); changed {
		list = append(list, next)
	}
	return list
}

// edit makes a view of another one. step returns how many bytes at i become which
// text; n == 0: the byte stays.
func edit(v view, marks string, step func(s string, i int) (n int, as string)) (view, bool) {
	var b strings.Builder
	var out view
	copyTo := func(from, to int) {
		b.WriteString(v.text[from:to])
		for i := from; i < to; i++ {
			f, t := v.source(i, i+1)
			out.from, out.to = append(out.from, int32(f)), append(out.to, int32(t))
		}
	}
	done := 0
	for i := 0; i < len(v.text); {
		next := strings.IndexAny(v.text[i:], marks)
		if next < 0 {
			break
		}
		i += next
		n, as := step(v.text, i)
		if n == 0 {
			_, size := utf8.DecodeRuneInString(v.text[i:])
			i += size
			continue
		}
		copyTo(done, i)
		f, t := v.source(i, i+n)
		b.WriteString(as)
		for range len(as) {
			out.from, out.to = append(out.from, int32(f)), append(out.to, int32(t))
		}
		i += n
		done = i
	}
	if done == 0 {
		return v, false
	}
	copyTo(done, len(v.text))
	out.text = b.String()
	return out, true
}

// unseen are the characters that are not seen and can occur in the middle of a
// word: escape codes, zero width, soft hyphens, marks of direction.
const unseen = "\x1b\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"

// joined is a view without what is not seen.
func joined(v view) (view, bool) {
	return edit(v, unseen, func(s string, i int) (int, string) {
		if s[i] != '\x1b' {
			_, n := utf8.DecodeRuneInString(s[i:])
			return n, ""
		}
		return escapeCode(s[i:]), ""
	})
}

// longestCode bounds a code of a terminal that has no end, in bytes.
const longestCode = 256

// terminalCode is an escape code of a terminal (ECMA-48): ESC, then a sequence, a string with
// its end, or one character.
var terminalCode = regexp.MustCompile(`^\x1b(?:\[[ -?]*[@-~]|[\]P_^X](?s:.*?)(?:\a|\x1b\\)|(?s:.))?`)

func escapeCode(s string) int { return len(terminalCode.FindString(s[:min(len(s), longestCode)])) }

// unescaped is a view with one layer of backslashes off. It is only made where
// that can matter: a quote, a slash, a backslash or a code point is escaped.
func unescaped(v view) (view, bool) {
	if !strings.Contains(v.text, `\`) {
		return v, false
	}
	telling := false
	next, changed := edit(v, `\`, func(s string, i int) (int, string) {
		n, as := unescape(s[i:])
		telling = telling || n > 2 || n == 2 && strings.Contains(`"'/\`, as)
		return n, as
	})
	return next, changed && telling
}

// unescape reads the escape that a text begins with, as JSON and the usual
// languages spell it; 0: it is none.
func unescape(s string) (n int, as string) {
	if len(s) < 2 {
		return 0, ""
	}
	switch c := s[1]; c {
	case '"', '\'', '/', '\\':
		return 2, string(c)
	case 'n':
		return 2, "\n"
	case 'r':
		return 2, "\r"
	case 't':
		return 2, "\t"
	case 'e':
		return 2, "\x1b"
	case 'x':
		if len(s) >= 4 && isHex(s[2:4]) {
			return 4, string(rune(hexValue(s[2:4])))
		}
	case 'u':
		if len(s) >= 6 && isHex(s[2:6]) {
			r := rune(hexValue(s[2:6]))
			if !utf8.ValidRune(r) {
				r = utf8.RuneError
			}
			return 6, string(r)
		}
	case '0':
		if strings.HasPrefix(s, `\033`) {
			return 4, "\x1b"
		}
	}
	return 0, ""
}

// unpercented is a view with the escapes of addresses off.
func unpercented(v view) (view, bool) {
	return edit(v, "%", func(s string, i int) (int, string) {
		if i+3 <= len(s) && isHex(s[i+1:i+3]) {
			if c := byte(hexValue(s[i+1 : i+3])); c >= 0x20 && c < 0x7f {
				return 3, string(rune(c))
			}
		}
		return 0, ""
	})
}

func hexValue(s string) int {
	n, _ := strconv.ParseUint(s, 16, 32)
	return int(n)
}
