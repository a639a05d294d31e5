package dialogs

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// ShowSkipped lists what the import has to say about the present file.
func ShowSkipped(d *desk.Desk, win fyne.Window) {
	e := d.Current()
	if e == nil || e.File == nil {
		return
	}
	notes := e.File.Doc.Notes
	list := kit.NewRows(26, func() int { return len(notes) }, func() (fyne.CanvasObject, func(int)) { return noteRow(notes) })
	head := words.T("state.skipped", "count", e.Damaged, "total", e.Lines)
	dlg := kit.NewDialog(words.T("skipped.title"), head, kit.Pad(4, 4, 4, 4, list), 760, 420)
	dlg.SetCaption(words.T("skipped.caption"))
	dlg.SetButtons(
		kit.NewButton(words.T("do.copyDetails"), kit.Secondary, func() { kit.Copy(show.SkippedText(e)) }).
			WithTip("do.copyDetails.tip"),
		kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(win.Canvas())
}

// noteRow makes the row of a note.
func noteRow(notes []model.Note) (fyne.CanvasObject, func(int)) {
	sign := kit.NewSign(kit.GlyphInfo, kit.ColorMuted, 13)
	line, reason := kit.NewText("", kit.ColorMuted, 13).Right(), kit.Label("").Fit()
	row := kit.Pad(0, 10, 0, 8, kit.Row(8, sign, kit.Sized(60, 0, line), kit.Stretch(reason)))
	return row, func(i int) {
		n, number := notes[i], ""
		if n.Line > 0 {
			number = words.Int(int64(n.Line))
		}
		sign.Set(kit.GlyphInfo, kit.ColorMuted)
		if n.Bad {
			sign.Set(kit.GlyphWarning, kit.ColorWarning)
		}
		line.SetText(number)
		reason.SetText(show.NoteWords(&n))
	}
}
