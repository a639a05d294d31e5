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
	list := kit.NewList(26, func() int { return len(notes) }, func() kit.ListRow { return newNoteRow(notes) })
	head := words.T("state.skipped", "count", e.Damaged, "total", e.Lines)
	dlg := kit.NewDialog(words.T("skipped.title"), head, kit.Pad(4, 4, 4, 4, list), 760, 420)
	dlg.SetCaption(words.T("skipped.caption"))
	dlg.SetButtons(
		kit.NewButton(words.T("do.copyDetails"), kit.Secondary, func() { kit.Copy(show.SkippedText(e)) }).
			WithTip("do.copyDetails.tip"),
		kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(win.Canvas())
}

// noteRow is one note of the import.
type noteRow struct {
	obj          *fyne.Container
	notes        []model.Note
	sign         *kit.Sign
	line, reason *kit.Text
}

func newNoteRow(notes []model.Note) *noteRow {
	r := &noteRow{notes: notes, sign: kit.NewSign(kit.GlyphInfo, kit.ColorMuted, 13)}
	r.line, r.reason = kit.NewText("", kit.ColorMuted, 13).Right(), kit.Label("").Fit()
	r.obj = kit.Pad(0, 10, 0, 8, kit.Row(8, r.sign, kit.Sized(60, 0, r.line), kit.Stretch(r.reason)))
	return r
}

// Object is what the list shows.
func (r *noteRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a note.
func (r *noteRow) Fill(i int, _ bool) {
	n := r.notes[i]
	r.sign.Set(kit.GlyphInfo, kit.ColorMuted)
	if n.Bad {
		r.sign.Set(kit.GlyphWarning, kit.ColorWarning)
	}
	r.line.SetText("")
	if n.Line > 0 {
		r.line.SetText(words.Int(int64(n.Line)))
	}
	r.reason.SetText(show.NoteWords(&n))
}
