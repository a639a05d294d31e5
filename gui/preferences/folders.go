package preferences

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// foldersPage lists the folders that are watched for new sessions, and offers
// those of known agents.
type foldersPage struct {
	held
	x       *Window
	w       *screen.Host
	body    fyne.CanvasObject
	box     *fyne.Container
	offered []desk.Place
	counted bool
}

func newFoldersPage(x *Window) page {
	v := &foldersPage{x: x, w: x.W, box: kit.Column(2)}
	about := "watched.about"
	if !x.W.Desk.Following() {
		about = "watched.off"
	}
	v.body = scrolled(kit.Column(10, kit.Row(10, kit.Stretch(kit.NewParagraph(words.T(about), kit.ColorMuted, 12, 4)),
		kit.NewButton(words.T("watched.choose"), kit.Secondary, v.choose).WithTip("watched.choose.tip")), v.box))
	v.fill()
	x.W.Desk.AgentPlaces(func(list []desk.Place) {
		v.offered, v.counted = list, true
		v.fill()
	})
	return v
}

func (v *foldersPage) object() fyne.CanvasObject { return v.body }

// fill makes the rows anew: there are few of them.
func (v *foldersPage) fill() {
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
			kit.NewButton(words.T("watched.listAll"), kit.Secondary, func() { v.x.Done(); dialogs.OpenPaths(v.w, f.Path) }).
				WithTip("watched.listAll.tip").Small(),
			kit.NewButton(words.T("watched.stop"), kit.Secondary, func() { v.w.Desk.Unwatch(f.Path); v.fill() }).
				WithTip("watched.stop.tip").Small()))
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
		watch := kit.NewButton(words.T("watched.watch"), kit.Secondary, func() { v.w.Desk.Watch(p.Path); v.fill() }).
			WithTip("watched.watch.tip").Small()
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
}

// row is a folder with what can be done with it.
func (v *foldersPage) row(path, name, note string, color fyne.ThemeColorName, buttons ...fyne.CanvasObject) fyne.CanvasObject {
	items := []fyne.CanvasObject{}
	if name != "" {
		items = append(items, kit.Sized(110, 28, kit.Label(name)))
	}
	items = append(items, kit.Stretch(kit.NewText(show.ShortHome(path), kit.ColorText, 13).Fit()), kit.NewText(note, color, 12))
	return kit.Sized(0, 30, kit.Row(8, append(items, buttons...)...))
}

// choose asks for a folder to watch.
func (v *foldersPage) choose() {
	q := dialogs.FileQuestion{Title: words.T("watched.choose"), Do: words.T("watched.here"), Dir: v.w.Settings.Folder(), Folder: true}
	dialogs.ChooseFile(v.w, q, func(path string) {
		v.w.Desk.Watch(path)
		v.fill()
	})
}
