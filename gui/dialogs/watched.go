package dialogs

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// watchedDialog lists the folders that are watched for new sessions, and offers
// those of known agents.
type watchedDialog struct {
	w       *screen.Host
	dlg     *kit.Dialog
	box     *fyne.Container
	offered []desk.Place
	counted bool
}

func ShowWatched(w *screen.Host) {
	v := &watchedDialog{w: w, box: kit.Column(2)}
	v.dlg = kit.NewDialog(words.T("watched.title"), "", kit.Pad(10, 16, 12, 16, v.box), 760, 0)
	caption := "watched.about"
	if !w.Desk.Following() {
		caption = "watched.off"
	}
	v.dlg.SetCaption(words.T(caption))
	v.dlg.SetButtons(kit.NewButton(words.T("watched.choose"), kit.Secondary, v.choose),
		kit.NewButton(words.T("do.close"), kit.Primary, v.dlg.Hide))
	v.fill()
	v.dlg.ShowOn(w.Win.Canvas())
	w.Desk.AgentPlaces(func(list []desk.Place) {
		v.offered, v.counted = list, true
		v.fill()
	})
}

// fill makes the rows anew: there are few of them.
func (v *watchedDialog) fill() {
	var rows []fyne.CanvasObject
	watched := map[string]bool{}
	list := v.w.Desk.Watched()
	for _, f := range list {
		watched[f.Path] = true
		note, color := "", kit.ColorFaint
		switch {
		case f.Gone:
			note, color = words.T("watched.gone"), kit.ColorWarning
		case f.New > 0:
			note, color = words.T("watched.new", "count", f.New), kit.ColorAccent
		}
		rows = append(rows, v.row(f.Path, "", note, color,
			kit.NewButton(words.T("watched.listAll"), kit.Secondary, func() { v.dlg.Hide(); openPaths(v.w, f.Path) }).Small(),
			kit.NewButton(words.T("watched.stop"), kit.Secondary, func() { v.w.Desk.Unwatch(f.Path); v.fill() }).Small()))
	}
	if len(list) == 0 {
		rows = append(rows, kit.Pad(4, 0, 4, 0, kit.NewText(words.T("watched.none"), kit.ColorMuted, 13)))
	}
	rows = append(rows, kit.Pad(12, 0, 2, 0, kit.NewText(show.Upper(words.T("watched.agents")), kit.ColorFaint, 11).Bold()))
	for _, p := range v.offered {
		count := words.T("watched.sessions", "count", p.Count)
		if p.More {
			count = words.T("watched.sessionsMore", "count", p.Count)
		}
		watch := kit.NewButton(words.T("watched.watch"), kit.Secondary, func() { v.w.Desk.Watch(p.Path); v.fill() }).Small()
		if watched[p.Path] {
			watch.SetText(words.T("watched.already"))
			watch.SetEnabled(false)
		}
		rows = append(rows, v.row(p.Path, words.T("files."+p.Key), count, kit.ColorFaint, watch))
	}
	if v.counted && len(v.offered) == 0 {
		rows = append(rows, kit.NewText(words.T("watched.noAgents"), kit.ColorMuted, 13))
	}
	v.box.Objects = rows
	v.box.Refresh()
	v.dlg.Refresh()
}

// row is a folder with what can be done with it.
func (v *watchedDialog) row(path, name, note string, color fyne.ThemeColorName, buttons ...fyne.CanvasObject) fyne.CanvasObject {
	items := []fyne.CanvasObject{}
	if name != "" {
		items = append(items, kit.Sized(110, 28, kit.Label(name)))
	}
	items = append(items, kit.Stretch(kit.NewText(show.ShortHome(path), kit.ColorText, 13).Fit()), kit.NewText(note, color, 12))
	return kit.Sized(0, 30, kit.Row(8, append(items, buttons...)...))
}

// choose asks for a folder to watch.
func (v *watchedDialog) choose() {
	v.dlg.Hide()
	chooseFile(v.w, words.T("watched.choose"), words.T("watched.here"), v.w.Settings.Folder(), true, func(path string) {
		v.w.Desk.Watch(path)
		ShowWatched(v.w)
	})
}
