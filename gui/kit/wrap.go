package kit

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit/faces"
)

// wrapWords wraps a short text by the fonts themselves. UI goroutine only.
func wrapWords(s string, room, size float32, most int) []string {
	a := advancesFor(size, fyne.TextStyle{})
	var out []string
	for s != "" && len(out) < most {
		var sum float32
		cut, space := len(s), -1
		for i, r := range s {
			if r == '\n' {
				cut = i
				break
			}
			if sum += a.of(r); sum > room && i > 0 {
				cut = i
				if space > 0 {
					cut = space
				}
				break
			}
			if r == ' ' && !strings.HasPrefix(s[i:], " %") || r >= faces.CJKFirst {
				space = i // a number stays with its sign
			}
		}
		l := s[:cut]
		s = strings.TrimLeft(strings.TrimPrefix(s[cut:], "\n"), " ")
		if len(out) == most-1 && s != "" {
			l = Ellipsize(l+" "+s, room, size, fyne.TextStyle{})
		}
		out = append(out, l)
	}
	return out
}
