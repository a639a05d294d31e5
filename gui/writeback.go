package gui

import (
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// writeBack puts the compacted conversation in the place of the recorded one.
func writeBack(w *screen.Host) {
	w.Desk.WriteBack(func() { w.Overlay.Toast(words.T("sessions.writtenBack"), "", nil) })
}
