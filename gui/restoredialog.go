package gui

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// showRestore tells what bringing back the originals of a record does to the
// context, and whether it fits, before it does it.
func (w *window) showRestore(r *model.Record) {
	e, err := w.d.RestoreEffect(r.ID)
	if err != nil {
		w.d.Fail(err)
		return
	}
	exact := !w.d.Session().Estimated()
	limit := int64(w.d.Params().Window)
	scale := float64(max(e.Then.Tokens, e.Now.Tokens, limit))
	bar := func(name string, z model.Size, c fyne.ThemeColorName) fyne.CanvasObject {
		b := kit.NewBar(float64(z.Tokens)/scale, c)
		return kit.Row(10, kit.Sized(76, 22, kit.NewText(name, kit.ColorMuted, 13)),
			kit.Stretch(kit.Pad(7, 0, 7, 0, b)),
			kit.Sized(62, 0, kit.Label(words.TokensOf(z.Tokens, true, exact)).Right()),
			kit.Sized(110, 0, kit.NewText(words.T("count.messages", "count", z.Messages), kit.ColorMuted, 12).Right()))
	}
	rows := []fyne.CanvasObject{bar(words.T("restore.now"), e.Now, kit.ColorFaint), bar(words.T("restore.then"), e.Then, kit.ColorKept)}
	more := e.Then.Tokens - e.Now.Tokens
	fit := words.T("restore.unknown")
	severity := kit.Info
	switch {
	case limit > 0 && e.Then.Tokens > limit:
		severity = kit.Warning
		fit = words.T("state.doesNotFit", "tokens", words.TokensOf(e.Then.Tokens, true, exact), "window", words.TokensShort(limit))
	case limit > 0:
		fit = words.T("restore.fits", "percent", words.Percent(float64(e.Then.Tokens)/float64(limit)), "window", words.TokensShort(limit))
	}
	head := words.T("restore.adds", "count", e.Then.Messages-e.Now.Messages, "tokens", words.Change(more))
	if n := len(e.Undone); n > 1 {
		head += " " + words.T("restore.above", "count", n-1)
	}
	rows = append(rows, kit.Pad(8, 0, 0, 0, kit.NewNotice(severity, head, fit)))
	dlg := kit.NewDialog(words.T("restore.title"), r.ID+" · "+recordSession(r), kit.Pad(14, 16, 16, 16, kit.Column(4, rows...)), 640, 0)
	dlg.SetCaption(words.T("restore.caption"))
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close),
		kit.NewButton(words.T("restore.do"), kit.Primary, func() {
			dlg.Hide()
			w.d.Restore(r.ID)
		}))
	dlg.ShowOn(w.win.Canvas())
}
