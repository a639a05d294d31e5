package codec

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// PreviewScan bounds how much of a text is decoded to make its preview.
const PreviewScan = 4 * model.PreviewRunes

// Preview is the first words of a text on one line.
func Preview(s string) string {
	var b strings.Builder
	runes, gap := 0, false
	for _, r := range s {
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
			gap = b.Len() > 0
			continue
		}
		if gap {
			runes++
		}
		if runes >= model.PreviewRunes-1 {
			b.WriteString("…")
			break
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
		runes++
	}
	return b.String()
}

// Preview is the function preview for the text of a value.
func (t *Texts) Preview(v jspan.Value) string {
	if v.Kind != jspan.String {
		return ""
	}
	t.head = v.AppendText(t.head[:0])
	return Preview(ViewOf(t.head))
}
