package compaction

import (
	"palimpsest/model"
)

// firstUser is the stored message with which the history before at began from the
// user's side: the first one a person typed, else the first of kind user; -1: none.
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

// entryOf is the entry of that message, or of the copy that a compaction of the
// file put at the head of its list: a user message that is not in the history,
// before all that are. A later typed message that happens to be the first one left
// is not meant: it does not say how the task began. -1: there is none.
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
