package dialogs

import (
	"path/filepath"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/visible"
)

// ShowRename asks for a person's own title of a history. Its file keeps its name.
func ShowRename(d *desk.Desk, win fyne.Window, e *desk.Entry) {
	var dlg *kit.Dialog
	own := e.Name
	e.Name = "" // the title it has by itself
	hint := visible.Text(show.EntryTitle(e))
	e.Name = own
	field := kit.NewTextField(hint, nil)
	field.SetText(visible.Text(show.EntryTitle(e))) // a field shows characters as they are
	keep := func() {
		name := field.Text()
		if name == hint {
			name = ""
		}
		d.Rename(e, name)
		dlg.Hide()
	}
	field.OnSubmitted = func(string) { keep() }
	dlg = kit.NewDialog(words.T("rename.title"), filepath.Base(e.Path), kit.Pad(14, 16, 14, 16, field), 520, 0)
	dlg.SetCaption(words.T("rename.caption"))
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close), kit.NewButton(words.T("rename.do"), kit.Primary, keep))
	dlg.ShowOn(win.Canvas())
	field.FocusOn(win.Canvas())
}
