package show

import (
	"palimpsest/gui/desk"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// FormatTitle is what a format is called.
func FormatTitle(f model.Format) string {
	if t, ok := Translated("format.title." + string(f)); ok {
		return t
	}
	return string(f)
}

// GuessReason says why a format was recognised: English in the words of its
// reader, another language by what the format is recognised by.
func GuessReason(g model.Guess) string {
	if words.Language() == words.English {
		return UpperFirst(g.Why)
	}
	return FormatHow(g.Format)
}

// FormatHow says how a format is distinguished from the others.
func FormatHow(f model.Format) string { return words.T("format.how." + string(f)) }

// GuessWords says as what a history was recognised. How surely is said where
// another reading can be chosen.
func GuessWords(e *desk.Entry) string {
	g, ok := e.Guess()
	if !ok {
		if e.State == desk.Ready && e.File.Doc.Format != "" {
			return FormatTitle(e.File.Doc.Format)
		}
		return ""
	}
	return FormatTitle(g.Format)
}
