package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/transcript"
)

// showAbout tells what the program is.
func (w *window) showAbout() {
	img := canvas.NewImageFromResource(icon())
	img.SetMinSize(fyne.NewSize(kit.Px(64), kit.Px(64)))
	body := kit.Pad(18, 20, 18, 20, kit.Row(18, img, kit.Column(5,
		kit.NewText(words.T("app.name"), kit.ColorText, 22).Bold(),
		kit.NewText(words.T("app.about"), kit.ColorMuted, 13),
		kit.NewText(words.T("about.version", "version", w.o.Version), kit.ColorMuted, 12),
		kit.NewText(words.T("about.promise"), kit.ColorMuted, 12),
		kit.NewText(words.T("about.licence"), kit.ColorFaint, 12))))
	dlg := kit.NewDialog(words.T("command.about"), "", body, 560, 0)
	dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(w.win.Canvas())
}

// showFormats lists the formats that are read, and how each is recognised.
func (w *window) showFormats() {
	var rows []fyne.CanvasObject
	for _, f := range transcript.Formats() {
		rows = append(rows, kit.Row(12, kit.Sized(190, 26, kit.NewText(f.Title, kit.ColorText, 13).Fit()),
			kit.Stretch(kit.NewText(f.How, kit.ColorMuted, 12).Fit())))
	}
	dlg := kit.NewDialog(words.T("command.formats"), words.T("formats.about"), kit.Pad(10, 16, 10, 16, kit.Column(2, rows...)), 860, 0)
	dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(w.win.Canvas())
}
