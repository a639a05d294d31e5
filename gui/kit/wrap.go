package kit

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit/faces"
)

// Line is one line of a TextView.
type Line struct {
	No   int // the number in front; 0 for the rest of a wrapped line
	Text string
	Kind LineKind
}

// LineKind is how a line is coloured.
type LineKind uint8

// The kinds of lines.
const (
	LinePlain   LineKind = iota
	LineHead             // a heading, a role, a file name
	LineMuted            // less important
	LineAdded            // only in the newer text
	LineRemoved          // only in the older text
	LineWarn             // something is wrong with it
)

// maxLine bounds the length of a line handed to a text object, in bytes.
const maxLine = 8 << 10

// Wrap splits text into lines no wider than room (in units of the canvas),
// cleans them, and numbers the lines of the source from first. It breaks at
// spaces where it can, never inside a character, and asks no font, so that it
// can run outside the UI goroutine. Numbers of 0 or less are not shown.
func Wrap(text string, m Measure, room float32, first int) []Line {
	var out []Line
	no := first
	for rest := cleanBlock(text); ; {
		l, tail, more := strings.Cut(rest, "\n")
		out = wrapLine(out, l, m, room, no)
		if !more {
			return out
		}
		rest = tail
		no++
		if tail == "" {
			return out // the text ends with a line feed
		}
	}
}

func wrapLine(out []Line, s string, m Measure, room float32, no int) []Line {
	indent := s[:len(s)-len(strings.TrimLeft(s, " "))]
	if indent != "" && m.Rune(' ')*float32(len(indent)) > room/2 {
		indent = ""
	}
	prefix := ""
	for {
		cut := fits(s, m, room-m.Rune(' ')*float32(len(prefix)))
		out = append(out, Line{No: no, Text: prefix + s[:cut]})
		if cut == len(s) {
			return out
		}
		s = strings.TrimLeft(s[cut:], " ")
		prefix, no = indent, 0
		if s == "" {
			return out
		}
	}
}

// fits is how many bytes of a line fit, at least one character.
func fits(s string, m Measure, room float32) int {
	var sum float32
	space, start := -1, 0
	for start < len(s) && s[start] == ' ' {
		start++
	}
	for i, r := range s {
		sum += m.Rune(r)
		if i > 0 && (sum > room || i >= maxLine) {
			if space > start {
				return space
			}
			return i
		}
		if r == ' ' || r >= faces.CJKFirst {
			space = i // a line may end before it
		}
	}
	return len(s)
}

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
