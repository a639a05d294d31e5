package dialogs

import (
	"slices"

	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// ShowNote asks for a note on the selected messages. Files and compactions have nothing
// of it.
func ShowNote(w *screen.Host) {
	messages := []int{w.Desk.SelectedMessage()}
	if picked, many := w.Desk.Range(); many {
		messages = slices.Sorted(slices.Values(picked.Messages))
	}
	if len(messages) == 0 || messages[0] < 0 {
		return
	}
	showNoteOn(w, messages)
}

// showNoteOn is ShowNote of messages, by their places, ascending.
func showNoteOn(w *screen.Host, messages []int) {
	var dlg *kit.Dialog
	area := kit.NewArea(w.Desk.Note(messages[0]), nil)
	keep := func() {
		dlg.Hide()
		w.Desk.SetNote(messages, area.Text)
	}
	area.OnSubmitted = func(string) { keep() }
	about := "#" + words.Int(int64(messages[0]+1))
	if len(messages) > 1 {
		about = words.T("count.messages", "count", len(messages))
	}
	dlg = kit.NewDialog(words.T("note.title"), about, kit.Pad(14, 16, 14, 16, kit.Sized(0, 110, area)), 600, 0)
	dlg.SetCaption(words.T("note.caption"))
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close), kit.NewButton(words.T("do.save"), kit.Primary, keep))
	dlg.ShowOn(w.Win.Canvas())
	w.Win.Canvas().Focus(area)
}
