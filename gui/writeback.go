package gui

import "palimpsest/gui/words"

// writeBack puts the compacted conversation in the place of the recorded one.
func (w *window) writeBack() {
	w.d.WriteBack(func() { w.host.Toast(words.T("sessions.writtenBack"), "", nil) })
}
