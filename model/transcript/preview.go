package transcript

import (
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// previewScan bounds how much of a text is decoded to make its preview.
const previewScan = 4 * model.PreviewRunes

// previewFirst is how much of it is decoded at first. It is enough where a text
// is not mostly white space.
const previewFirst = model.PreviewRunes + 32

// preview is the first words of a text on one line.
func preview(s string) string {
	out, _ := appendPreview(make([]byte, 0, 4*model.PreviewRunes), s) // a constant: it stays on the stack
	return string(out)
}

// preview is the function preview for the text of a value.
func (b *builder) preview(v jspan.Value) string {
	var room [4 * model.PreviewRunes]byte
	b.head = v.AppendTextN(b.head[:0], previewFirst)
	out, cut := appendPreview(room[:0], viewOf(b.head))
	if !cut && v.Len() > previewFirst {
		b.head = v.AppendTextN(b.head[:0], previewScan)
		out, _ = appendPreview(room[:0], viewOf(b.head))
	}
	return b.kept.keep(out)
}

// previewOf is the function preview for a text that is decoded already.
func (b *builder) previewOf(text []byte) string {
	var room [4 * model.PreviewRunes]byte
	out, _ := appendPreview(room[:0], viewOf(text))
	return b.kept.keep(out)
}

// appendPreview appends the first words of a text, and reports whether more
// follow.
func appendPreview(out []byte, s string) (_ []byte, cut bool) {
	runes, gap := 0, false
	for len(s) > 0 {
		if n := asciiWord(s[:min(len(s), model.PreviewRunes-1-runes)]); n > 0 && !gap {
			out, runes, s = append(out, s[:n]...), runes+n, s[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
			gap = len(out) > 0
			continue
		}
		if gap {
			runes++
		}
		if runes+1 > model.PreviewRunes-1 {
			return append(out, "…"...), true
		}
		if gap {
			out = append(out, ' ')
			gap = false
		}
		out = utf8.AppendRune(out, r)
		runes++
	}
	return out, false
}

// asciiWord is the length of the run of visible ASCII that s begins with.
func asciiWord(s string) int {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= utf8.RuneSelf {
			return i
		}
	}
	return len(s)
}
