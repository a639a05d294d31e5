package gui

import (
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// writeBack puts the compacted conversation in the place of the recorded one.
func writeBack(w *screen.Host) {
	w.Desk.WriteBack(func() { w.Overlay.Toast(words.T("sessions.writtenBack"), "", nil) })
}

// undoWriteBack puts the originals back into the recorded conversation.
func undoWriteBack(w *screen.Host) {
	w.Desk.Unwrite(func() { w.Overlay.Toast(words.T("sessions.unwritten"), "", nil) })
}
