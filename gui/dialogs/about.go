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
	list := kit.NewList(46, func() int { return len(formats) }, func() kit.ListRow { return newFormatRow(formats) })
	dlg := kit.NewDialog(words.T("command.formats"), words.T("formats.about"), kit.Pad(4, 4, 4, 4, list), 860, 560)
	dlg.OnKey = func(k *fyne.KeyEvent) bool { return list.Key(k.Name) }
	dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(w.Win.Canvas())
}

// formatRow describes how one format is recognised.
type formatRow struct {
	obj        *fyne.Container
	list       []transcript.Info
	title, how *kit.Text
}

func newFormatRow(list []transcript.Info) *formatRow {
	r := &formatRow{list: list, title: kit.Label("").Fit(), how: kit.NewText("", kit.ColorMuted, 12).Fit()}
	r.obj = kit.Pad(5, 12, 0, 12, kit.Column(1, r.title, r.how))
	return r
}

// Object is what the list shows.
func (r *formatRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a format.
func (r *formatRow) Fill(i int, _ bool) {
	r.title.SetText(show.FormatTitle(r.list[i].Format))
	r.how.SetText(show.FormatHow(r.list[i].Format))
}
