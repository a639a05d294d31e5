package gui

import "palimpsest/gui/words"

// writeBack puts the compacted conversation in the place of the recorded one.
func writeBack(w *Host) {
	w.d.WriteBack(func() { w.overlay.Toast(words.T("sessions.writtenBack"), "", nil) })
}
