package body

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// DiffLine is a line of one text or of both.
type DiffLine struct {
	Text     string
	Old, New bool // in which text it is: the former, the newer
}

// DiffLines lays two texts over one another, line by line and in full.
// Line breaks at their ends do not count.
func DiffLines(old, new string) []DiffLine {
	edits := udiff.Lines(ended(old), ended(new))
	if len(edits) == 0 {
		return same(old)
	}
	u, err := udiff.ToUnifiedDiff("", "", ended(old), edits, strings.Count(old, "\n")+1)
	if err != nil { // edits that do not fit their text, which Lines does not make
		return append(only(old, DiffLine{Old: true}), only(new, DiffLine{New: true})...)
	}
	var out []DiffLine
	for _, h := range u.Hunks {
		for _, l := range h.Lines {
			out = append(out, DiffLine{strings.TrimSuffix(l.Content, "\n"), l.Kind != udiff.Insert, l.Kind != udiff.Delete})
		}
	}
	return out
}

// ended is a text whose last line is as whole as the others.
func ended(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

func same(s string) []DiffLine { return only(s, DiffLine{Old: true, New: true}) }

func only(s string, in DiffLine) []DiffLine {
	var out []DiffLine
	for _, l := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
		in.Text = l
		out = append(out, in)
	}
	return out
}
