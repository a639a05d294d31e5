// Package visible knows the characters that do something to a terminal, or to the order
// in which a text is read, instead of being seen, and shows them in what people read.
package visible

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Is reports whether a character is seen where a text is shown. Line breaks and tabs
// are; other controls, format characters (directions, zero width) and separators of lines
// and paragraphs are not.
func Is(r rune) bool {
	return r == '\n' || r == '\t' || !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Writer passes text on with something that is seen in the place of every character that
// is not: a picture (an export for people may end on a terminal) or what JSON spells it by.
// A joiner within an emoji or a word stays. Line breaks become those of Unix.
// [Writer.Close] passes on what was held back.
type Writer struct {
	w      io.Writer
	show   func(b []byte, r rune) []byte
	rest   []byte // what may be the begin of a character or of a line break
	before rune   // the last character, if it was passed on as it is
}

// To makes a writer that passes text on to w with pictures.
func To(w io.Writer) *Writer { return &Writer{w: w, show: picture} }

// JSON makes a writer that passes JSON on to w; in its strings such characters are spelled.
func JSON(w io.Writer) *Writer { return &Writer{w: w, show: AppendEscaped} }

// Text is a text with pictures.
func Text(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return !Is(r) }) {
		return s
	}
	var b strings.Builder
	v := To(&b)
	_, _ = io.WriteString(v, s)
	_ = v.Close()
	return b.String()
}

// Write takes a text in pieces of any size.
func (v *Writer) Write(b []byte) (int, error) {
	all := append(v.rest, b...)
	out := make([]byte, 0, len(all))
	for len(all) > 0 {
		if all[0] == '\r' && len(all) == 1 || !utf8.FullRune(all) {
			break
		}
		r, n := utf8.DecodeRune(all)
		switch {
		case r == '\r' && all[1] == '\n':
		case Is(r) || joins(v.before, r):
			out, v.before = utf8.AppendRune(out, r), r
		default:
			out, v.before = v.show(out, r), 0
		}
		all = all[n:]
	}
	v.rest = append([]byte(nil), all...)
	_, err := v.w.Write(out)
	return len(b), err
}

// joins reports whether a character is a joiner that changes the one before it: an emoji,
// or a letter of a script that has joiners.
func joins(before, r rune) bool {
	switch r {
	case '\u200c':
		return before > '\u02ff' && unicode.In(before, unicode.L, unicode.M)
	case '\u200d':
		return before > '\u02ff' && before != utf8.RuneError && unicode.In(before, unicode.L, unicode.M, unicode.S)
	}
	return false
}

// picture is what shows a character.
func picture(b []byte, r rune) []byte {
	switch {
	case r < 0x20:
		r += '␀'
	case r == 0x7f:
		r = '␡'
	default:
		r = utf8.RuneError
	}
	return utf8.AppendRune(b, r)
}

// AppendEscaped appends a character as a string of JSON spells it.
func AppendEscaped(b []byte, r rune) []byte {
	for _, u := range utf16.Encode([]rune{r}) {
		b = fmt.Appendf(b, `\u%04x`, u)
	}
	return b
}

// Close ends the text; it does not close what is written to.
func (v *Writer) Close() error {
	if len(v.rest) == 0 {
		return nil
	}
	r, _ := utf8.DecodeRune(v.rest)
	v.rest = nil
	b := utf8.AppendRune(nil, r)
	if !Is(r) {
		b = v.show(nil, r)
	}
	_, err := v.w.Write(b)
	return err
}

// Cell is a text for a cell of a table: it keeps a spreadsheet from taking one of a
// transcript for a formula. Numbers stay.
func Cell(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}
