package dialogs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/transcript"
)

// ShowAbout shows what the program is.
func ShowAbout(w *screen.Host) {
	img := canvas.NewImageFromResource(show.Icon())
	img.SetMinSize(fyne.NewSize(kit.Px(64), kit.Px(64)))
	body := kit.Pad(18, 20, 18, 20, kit.Row(18, img, kit.Column(5,
		kit.NewText(words.T("app.name"), kit.ColorText, 22).Bold(),
		kit.NewText(words.T("app.about"), kit.ColorMuted, 13),
		kit.NewText(words.T("about.version", "version", w.Version), kit.ColorMuted, 12),
		kit.NewText(words.T("about.promise"), kit.ColorMuted, 12),
		kit.NewText(words.T("about.licence"), kit.ColorFaint, 12))))
	dlg := kit.NewDialog(words.T("command.about"), "", body, 560, 0)
	dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(w.Win.Canvas())
}

// ShowFormats lists the formats that are read, and how each is recognised.
func ShowFormats(w *screen.Host) {
	formats := transcript.Formats()
	list := kit.NewRows(46, func() int { return len(formats) }, func() (fyne.CanvasObject, func(int)) {
		title, how := kit.Label("").Fit(), kit.NewText("", kit.ColorMuted, 12).Fit()
		return kit.Pad(5, 12, 0, 12, kit.Column(1, title, how)), func(i int) {
			title.SetText(show.FormatTitle(formats[i].Format))
			how.SetText(show.FormatHow(formats[i].Format))
		}
	})
	dlg := kit.NewDialog(words.T("command.formats"), words.T("formats.about"), kit.Pad(4, 4, 4, 4, list), 860, 560)
	dlg.OnKey = func(k *fyne.KeyEvent) bool { return list.Key(k.Name) }
	dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(w.Win.Canvas())
}
