package dialogs

import (
	"strconv"
	"strings"

	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// ShowGoto asks for the number of a message and selects it.
func ShowGoto(w *screen.Host) {
	s := w.Desk.Session()
	n := len(s.Thread().History)
	var dlg *kit.Dialog
	field := kit.NewTextField(words.T("goto.hint", "from", 1, "to", n), nil).Plain()
	do := func() {
		num, err := strconv.Atoi(strings.TrimLeft(strings.TrimSpace(field.Text()), "#"))
		if err != nil || num < 1 || num > n {
			field.SetBad(true)
			return
		}
		dlg.Hide()
		w.Desk.SelectMessage(num - 1)
	}
	field.OnChanged = func(string) { field.SetBad(false) }
	field.OnSubmitted = func(string) { do() }
	dlg = kit.NewDialog(words.T("goto.title"), "", kit.Pad(14, 16, 14, 16, field), 320, 0)
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close), kit.NewButton(words.T("goto.do"), kit.Primary, do))
	dlg.ShowOn(w.Win.Canvas())
	field.FocusOn(w.Win.Canvas())
}
