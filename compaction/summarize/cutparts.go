package summarize

import (
	"unicode/utf8"

	"palimpsest/model"
)

// cutParts cuts entries into consecutive runs whose transcripts have at most
// room code points each. A call is not cut from its results, so a run of one
// large group may be larger; its transcript is then shortened when it is written.
func cutParts(entries []Entry, l Lang, room int) [][]Entry {
	w := promptWordsOf(l)
	var out [][]Entry
	start, used := 0, 0
	for i := 0; i < len(entries); {
		next, size := i+1, promptSize(&entries[i], w, room)
		for next < len(entries) && isResult(&entries[next]) {
			size += promptSize(&entries[next], w, room)
			next++
		}
		if used > 0 && used+size > room {
			out = append(out, entries[start:i])
			start, used = i, 0
		}
		used += size
		i = next
	}
	if start < len(entries) {
		out = append(out, entries[start:])
	}
	return out
}

func isResult(e *Entry) bool { return e.Msg != nil && e.Former == "" && e.Msg.Kind == model.KindResult }

// promptSize is what an entry takes in a prompt, in the transcript or next to it.
func promptSize(e *Entry, w *promptWords, room int) int {
	if t, ok := asShown(e, w); ok {
		return t.size(room)
	}
	formers, notes := aside([]Entry{*e})
	n := 0
	for _, text := range append(formers, notes...) {
		n += utf8.RuneCountInString(text)
	}
	return n
}
