package gui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// moreKeys are the keys of lists and texts, which no command represents.
var moreKeys = []struct{ keys, key string }{
	{"↑  ↓  j  k", "keys.rows"}, {"PgUp  PgDn  Space", "keys.page"}, {"Home  End", "keys.ends"},
	{"Enter", "keys.enter"}, {"Esc", "keys.escape"}, {"Tab", "keys.tab"}, {"Ctrl+C", "keys.copy"},
	{"←  →  Shift", "keys.slider"},
}

// showKeys opens the sheet of keys, made from the table of commands.
func showKeys(w *screen.Host) {
	var columns [3][]fyne.CanvasObject
	col := func(i int, o ...fyne.CanvasObject) { columns[i] = append(columns[i], o...) }
	place := map[string]int{"file": 0, "edit": 0, "help": 0, "view": 1, "session": 2, "compaction": 2, "records": 2}
	for _, m := range menus {
		i := place[m]
		var rows []fyne.CanvasObject
		for _, c := range w.Commands.List {
			if c.Menu == m && c.Run != nil && len(c.Keys) > 0 {
				rows = append(rows, keyRow(strings.Join(c.Keys, "  "), c.Title()))
			}
		}
		if len(rows) > 0 {
			col(i, keyHead(words.T("menu."+m)))
			col(i, rows...)
		}
	}
	col(2, keyHead(words.T("keys.lists")))
	for _, k := range moreKeys {
		col(2, keyRow(k.keys, words.T(k.key)))
	}
	var all []fyne.CanvasObject
	for _, c := range columns {
		all = append(all, kit.Stretch(kit.Column(0, append(c, kit.Spring())...)))
	}
	scroll := container.NewVScroll(kit.Pad(6, 16, 12, 16, container.NewGridWithColumns(3, all...)))
	dlg := kit.NewDialog(words.T("command.keys"), words.T("keys.about"), scroll, 1080, 600)
	dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(w.Win.Canvas())
}

func keyHead(s string) fyne.CanvasObject {
	return kit.Pad(10, 0, 4, 0, kit.NewText(show.Upper(s), kit.ColorFaint, 11).Bold())
}

func keyRow(key, what string) fyne.CanvasObject {
	return kit.Row(10, kit.Sized(124, 22, kit.NewText(key, kit.ColorMuted, 12).Fit()),
		kit.Stretch(kit.NewText(what, kit.ColorText, 12).Fit()))
}
