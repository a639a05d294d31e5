package show

import (
	"fmt"
	"strings"

	"palimpsest/gui/desk"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// SkippedNumbers lists the line numbers that were skipped, the first ones.
func SkippedNumbers(e *desk.Entry) string {
	const most = 6
	var list []string
	bad := e.File.Doc.Damaged()
	for _, n := range bad[:min(most, len(bad))] {
		list = append(list, words.Int(int64(n.Line)))
	}
	s := strings.Join(list, ", ")
	if len(bad) > most {
		s += ", …"
	}
	return s
}

// SkippedText is every note of the import, one a line, to be copied.
func SkippedText(e *desk.Entry) string {
	var b strings.Builder
	fmt.Fprintln(&b, e.File.Doc.Path)
	for _, n := range e.File.Doc.Notes {
		fmt.Fprintf(&b, "%d\t%s\t%s\n", n.Line, n.Code, n.Reason)
	}
	return b.String()
}

// NoteWords is what is wrong with a place of a file.
func NoteWords(n *model.Note) string {
	if t, ok := Translated("note." + n.Code); ok && words.Language() != words.English {
		return t
	}
	return n.Reason
}
