package codec

import (
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// PreviewScan bounds how much of a text is decoded to make its preview.
const PreviewScan = 4 * model.PreviewRunes

// previewRoom is as many bytes as a preview can take.
const previewRoom = utf8.UTFMax * model.PreviewRunes

// Preview is the first words of a text on one line.
func Preview(s string) string {
	out, _ := appendPreview(make([]byte, 0, previewRoom), s, false) // a constant: it stays on the stack
	return string(out)
}

// Preview is the function preview for the text of a value, of which hardly more
// than is shown is decoded.
func (t *Texts) Preview(v jspan.Value) string {
	if v.Kind != jspan.String {
		return ""
	}
	var room [previewRoom]byte
	out, ok := appendPreview(room[:0], ViewOf(v.Buf[v.Off+1:v.End-1]), true)
	if !ok {
		t.head = v.AppendText(t.head[:0])
		out, _ = appendPreview(room[:0], ViewOf(t.head), false)
	}
	return string(out)
}

// PreviewOf is the function preview for a text that is decoded already.
func (t *Texts) PreviewOf(text []byte) string {
	var room [previewRoom]byte
	out, _ := appendPreview(room[:0], ViewOf(text), false)
	return string(out)
}

// appendPreview appends the first words of a text, or of one that is spelled as a
// JSON string. It gives up a spelling with a character that is spelled as few are,
// or with bytes that are none.
func appendPreview(out []byte, s string, spelled bool) (_ []byte, ok bool) {
	runes, gap := 0, false
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		switch {
		case r > ' ' && r != '\\' && r < utf8.RuneSelf && !gap && runes < model.PreviewRunes-1: // within a word
			out = append(out, byte(r))
			runes++
			i++
			continue
		case r >= utf8.RuneSelf:
			if r, size = utf8.DecodeRuneInString(s[i:]); size == 1 && spelled {
				return nil, false
			}
		case r == '\\' && spelled:
			if r, size = unescaped(s[i+1]), 2; r == 0 {
				return nil, false
			}
		}
		i += size
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
			gap = len(out) > 0
			continue
		}
		if gap {
			runes++
		}
		if runes >= model.PreviewRunes-1 {
			return append(out, "…"...), true
		}
		if gap {
			out, gap = append(out, ' '), false
		}
		out = utf8.AppendRune(out, r)
		runes++
	}
	return out, true
}

// unescaped is the character that a backslash and c spell, white space as a
// blank; 0 for spellings that few use.
func unescaped(c byte) rune {
	switch c {
	case '"', '\\', '/':
		return rune(c)
	case 'n', 'r', 't':
		return ' '
	}
	return 0
}
