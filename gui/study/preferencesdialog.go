package study

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session/preferences"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// ShowPreferences lists what the records of each project speak for. A suggestion is
// applied to the parameters on the screen when a person presses it, as one step
// that can be undone, and is erased for good.
func ShowPreferences(w *screen.Host) {
	w.Desk.Preferences(func(list []preferences.Suggestion, err error) {
		if err != nil {
			w.Desk.Fail(err)
			return
		}
		var dlg *kit.Dialog
		var rows []fyne.CanvasObject
		for i := range list {
			s := &list[i]
			text := words.T("preference."+string(s.Kind), "times", words.Int(int64(s.Times)), "of", words.Int(int64(s.Of)))
			use := kit.NewButton(words.T("preference.use"), kit.Secondary, func() {
				dlg.Hide()
				w.Desk.Planning.Set(func(p *model.Policy) { *p = s.Apply(*p) })
			}).Small()
			erase := kit.NewButton(words.T("preference.erase"), kit.Secondary, func() {
				dlg.Hide()
				w.Desk.ErasePreference(s, func() { ShowPreferences(w) })
			}).Small()
			head := kit.Label(show.Shortened(s.Project, 60)).Bold().Fit()
			buttons := []fyne.CanvasObject{kit.Stretch(head), erase}
			if w.Desk.Session() != nil {
				buttons = append(buttons, use)
			}
			said := kit.Sized(0, 24, kit.NewText(text, kit.ColorMuted, 13).Fit())
			rows = append(rows, kit.Sized(0, 28, kit.Row(8, buttons...)), said, kit.NewRule())
		}
		if len(list) == 0 {
			rows = append(rows, kit.Label(words.T("preference.none")))
		}
		dlg = kit.NewDialog(words.T("preference.title"), words.T("preference.sub"),
			kit.Pad(10, 14, 10, 14, kit.Sized(0, 260, container.NewVScroll(kit.Column(4, rows...)))), 720, 0)
		dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
		dlg.ShowOn(w.Win.Canvas())
	})
}
