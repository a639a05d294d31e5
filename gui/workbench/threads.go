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
	rows := kit.NewList(26, func() int { return len(list) }, func() kit.ListRow { return newThreadRow(e, list) })
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
type threadRow struct {
	obj                  *fyne.Container
	e                    *desk.Entry
	list                 []session.Choice
	title, kind, message *kit.Text
}

func newThreadRow(e *desk.Entry, list []session.Choice) *threadRow {
	r := &threadRow{e: e, list: list}
	r.title, r.kind = kit.Label("").Fit(), kit.NewText("", kit.ColorMuted, 12).Fit()
	r.message = kit.NewText("", kit.ColorMuted, 12).Right()
	r.obj = kit.Pad(0, 10, 0, 10, kit.Row(8, kit.Stretch(r.title), kit.Sized(110, 0, r.kind), kit.Sized(100, 0, r.message)))
	return r
}

// Object is what the list shows.
func (r *threadRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a thread.
func (r *threadRow) Fill(i int, _ bool) {
	ch := r.list[i]
	r.title.SetText(threadTitle(r.e, ch))
	r.kind.SetText(words.T("thread." + threadKey(ch)))
	r.message.SetText(words.T("count.messages", "count", ch.Messages))
}
