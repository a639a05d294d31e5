// Package visible knows the characters that do something to a terminal, or to the order
// in which a text is read, instead of being seen, and shows them in what people read.
package visible

import (
	"io"
	"unicode"
	"unicode/utf8"
)

// Is reports whether a character is seen where a text is shown. Line breaks and tabs
// are; other controls, format characters (directions, zero width) and separators of lines
// and paragraphs are not.
func Is(r rune) bool {
	return r == '\n' || r == '\t' || !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Writer passes text on with a picture in the place of every character that is not seen:
// an export for people may end on a terminal. Line breaks become those of Unix.
// [Writer.Close] passes on what was held back.
type Writer struct {
	w    io.Writer
	rest []byte // what may be the begin of a character or of a line break
}

// To makes a writer that passes text on to w.
func To(w io.Writer) *Writer { return &Writer{w: w} }

// Write takes a text in pieces of any size.
func (v *Writer) Write(b []byte) (int, error) {
	all := append(v.rest, b...)
	out := make([]byte, 0, len(all))
	for len(all) > 0 {
		if all[0] == '\r' && len(all) == 1 || !utf8.FullRune(all) {
			break
		}
		r, n := utf8.DecodeRune(all)
		if r != '\r' || all[1] != '\n' {
			out = utf8.AppendRune(out, picture(r))
		}
		all = all[n:]
	}
	v.rest = append([]byte(nil), all...)
	_, err := v.w.Write(out)
	return len(b), err
}

// picture is what shows a character.
func picture(r rune) rune {
	switch {
	case Is(r):
		return r
	case r < 0x20:
		return '␀' + r
	case r == 0x7f:
		return '␡'
	}
	return utf8.RuneError
}

// Close ends the text; it does not close what is written to.
func (v *Writer) Close() error {
	if len(v.rest) == 0 {
		return nil
	}
	r, _ := utf8.DecodeRune(v.rest)
	_, err := io.WriteString(v.w, string(picture(r)))
	v.rest = nil
	return err
}
