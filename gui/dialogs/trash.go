package dialogs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	staterecords "palimpsest/gui/state/records"

	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/store"
)

// ShowTrash lists what is in the trash: each record can be put back, and the trash
// be emptied.
func ShowTrash(w *screen.Host) {
	w.Desk.RecordList.ReadTrash(func(t staterecords.Trash, err error) {
		if err != nil {
			w.Desk.Fail(err)
			return
		}
		showTrash(w, t)
	})
}

func showTrash(w *screen.Host, t staterecords.Trash) {
	rows := kit.Column(0)
	var dialog *kit.Dialog
	for i := range t.Records {
		r := &t.Records[i]
		until := t.Since[i].Add(store.TrashAge).Local().Format("2006-01-02")
		back := kit.NewButton(words.T("trash.back"), kit.Secondary, func() {
			dialog.Close()
			w.Desk.RecordList.TakeBack([]string{r.ID})
		}).WithTip("trash.back.tip").Small()
		rows.Add(kit.Sized(0, 28, kit.Row(14, kit.Sized(64, 0, kit.Label(r.ID)),
			kit.Stretch(kit.NewText(kit.Clean(show.RecordSession(r)), kit.ColorMuted, 13).Fit()),
			kit.NewText(words.T("trash.until", "date", until), kit.ColorMuted, 12), back)))
	}
	var body fyne.CanvasObject = kit.NewText(words.T("trash.none"), kit.ColorMuted, 13).Center()
	if len(t.Records) > 0 {
		body = container.NewVScroll(rows)
	}
	dialog = kit.NewDialog(words.T("trash.title"), words.T("step.records", "count", len(t.Records)),
		kit.Pad(10, 16, 10, 16, body), 640, 420)
	closer := kit.NewButton(words.T("do.close"), kit.Secondary, func() { dialog.Close() })
	empty := kit.NewButton(words.T("trash.empty"), kit.Danger, func() {
		dialog.Close()
		kit.Ask(w.Win.Canvas(), words.T("trash.title"), words.T("trash.empty.sure", "count", len(t.Records)), words.T("do.delete"),
			words.T("do.cancel"), kit.Danger, func() {
				w.Desk.RecordList.EmptyTrash(func(n int, freed int64, err error) {
					if err != nil {
						w.Desk.Fail(err)
						return
					}
					w.Commands.Toast(words.T("trash.emptied", "count", n, "size", words.Bytes(freed)), "", nil)
				})
			})
	})
	empty.SetEnabled(len(t.Records) > 0)
	dialog.SetButtons(empty, closer)
	dialog.ShowOn(w.Win.Canvas())
}
