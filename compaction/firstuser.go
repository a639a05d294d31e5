package compaction

import (
	"palimpsest/model"
)

// firstUser is the stored message that the history before at began with from
// the user's side: the first one a person typed, the first of any kind if none
// did; -1: none.
func firstUser(t *model.Thread, at int) int32 {
	other := int32(-1)
	for _, i := range t.History[:at] {
		switch m := &t.Messages[i]; {
		case m.Typed():
			return i
		case m.Kind == model.KindUser && other < 0:
			other = i
		}
	}
	return other
}

// entryOf is the entry of that message, or of the copy a compaction of the file
// put at the head of its list in place of it: a user message that is no part of
// the history and stands before all that is. A later message of a person that
// happens to be the first one left says nothing of how the task began.
func (l *Line) entryOf(msgs []model.Message, first int32) int {
	head := true
	for i := l.system; i < len(l.items); i++ {
		it := l.items[i]
		switch {
		case it.Msg >= 0 && it.Msg == first:
			return i
		case l.hist[i] >= 0:
			head = false
		case head && it.Msg >= 0 && msgs[it.Msg].Typed():
			return i
		}
	}
	return -1
}
