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
	own := e.Name
	e.Name = "" // the title it has by itself
	hint := visible.Text(show.EntryTitle(e))
	e.Name = own
	kit.AskLine(win.Canvas(), kit.LineQuestion{
		Title: words.T("rename.title"), About: filepath.Base(e.Path), Hint: hint, Do: words.T("rename.do"),
		Text:    visible.Text(show.EntryTitle(e)), // a field shows characters as they are
		Caption: func(string) string { return words.T("rename.caption") },
		Done: func(name string) {
			if name == hint {
				name = ""
			}
			d.Rename(e, name)
		},
	})
}
