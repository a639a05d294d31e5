package transcript

import (
	"io"
	"unicode"
	"unicode/utf8"

	"palimpsest/model"
)

// visible passes text on with a picture in the place of every character that does
// something instead of being seen: an export for people may end on a terminal. Line
// breaks become those of Unix.
type visible struct {
	w    io.Writer
	rest []byte // what may be the begin of a character or of a line break
}

// forPeople reports whether a form of export is read by people, and by no program that
// takes it for a history.
func forPeople(f model.Format) bool {
	return f == FormatMarkdown || f == FormatHTML || f == FormatCSV
}

// Write takes a text in pieces of any size.
func (v *visible) Write(b []byte) (int, error) {
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
	case r == '\n' || r == '\t':
		return r
	case r < 0x20:
		return '␀' + r
	case r == 0x7f:
		return '␡'
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
		return utf8.RuneError
	}
	return r
}

// end writes what was held back.
func (v *visible) end() error {
	if len(v.rest) == 0 {
		return nil
	}
	_, err := io.WriteString(v.w, string(picture(rune(v.rest[0]))))
	return err
}
