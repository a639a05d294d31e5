package cli

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// terminal is what all of a verb's output goes through: no control character of a
// transcript, a name, an argument or a server reaches the terminal, whatever printed
// it. Line breaks and tabs pass. Others are spelled \u001b, which is also how JSON
// spells them in a string, the only place where JSON has them.
//
//	transcript, name, server ──▶ table, say, printJSON … ──▶ terminal ──▶ stdout, stderr
type terminal struct {
	w    io.Writer
	rest []byte // the begin of a character whose end has not come
}

// Write passes on a text in pieces of any size. What it returns counts what was
// taken, not what was written.
func (t *terminal) Write(b []byte) (int, error) {
	all := append(t.rest, b...)
	out := make([]byte, 0, len(all))
	for len(all) > 0 {
		if !utf8.FullRune(all) && len(all) < utf8.UTFMax {
			break
		}
		r, n := utf8.DecodeRune(all)
		switch {
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, all[0])
		case unseen(r):
			for _, u := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, u)
			}
		default:
			out = append(out, all[:n]...)
		}
		all = all[n:]
	}
	t.rest = append([]byte(nil), all...)
	_, err := t.w.Write(out)
	return len(b), err
}

// end writes what was held back.
func (t *terminal) end() {
	for _, c := range t.rest {
		fmt.Fprintf(t.w, `\x%02x`, c)
	}
	t.rest = nil
}

// unseen reports whether a character does something to a terminal, or to the order
// in which a text is read, instead of being seen: controls but line break and tab,
// format characters (directions, zero width), separators of lines and paragraphs.
func unseen(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
