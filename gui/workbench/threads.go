package workbench

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// ShowThreads lets a person choose a conversation or agent of the open file.
func ShowThreads(w *screen.Host) {
	e := w.Desk.Current()
	list := e.File.Choices()
	var dlg *kit.Dialog
	rows := kit.NewRows(26, func() int { return len(list) }, func() (fyne.CanvasObject, func(int)) { return threadRow(e, list) })
	choose := func(i int) {
		if i >= 0 {
			dlg.Hide()
			w.LeaveSheet()
			w.Desk.SelectThread(e, list[i].Ref)
		}
	}
	rows.OnOpen = choose
	dlg = kit.NewDialog(words.T("command.threads"), show.EntryTitle(e), kit.Pad(4, 4, 4, 4, rows), 640, 420)
	dlg.OnKey = func(k *fyne.KeyEvent) bool { return rows.Key(k.Name) }
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close),
		kit.NewButton(words.T("do.open"), kit.Primary, func() { choose(rows.Selected()) }))
	for i, ch := range list {
		if ch.Ref == e.Ref {
			rows.Select(i)
		}
	}
	dlg.ShowOn(w.Win.Canvas())
}

// threadRow is one thread in the chooser.
func threadRow(e *desk.Entry, list []session.Choice) (fyne.CanvasObject, func(int)) {
	title, kind := kit.Label("").Fit(), kit.NewText("", kit.ColorMuted, 12).Fit()
	message := kit.NewText("", kit.ColorMuted, 12).Right()
	row := kit.Row(8, kit.Stretch(title), kit.Sized(110, 0, kind), kit.Sized(100, 0, message))
	return kit.Pad(0, 10, 0, 10, row), func(i int) {
		ch := list[i]
		title.SetText(threadTitle(e, ch))
		kind.SetText(words.T("thread." + threadKey(ch)))
		message.SetText(words.T("count.messages", "count", ch.Messages))
	}
}
