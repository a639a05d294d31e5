package gui

import (
	"slices"
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
	{"←  →  Shift", "keys.slider"}, {"Space  Shift+↑ ↓", "keys.tick"}, {"Ctrl+A", "keys.tickAll"}, {"←  →", "keys.fold"},
	{"Delete", "keys.delete"},
}

// showKeys opens the sheet of keys, made from the table of commands.
func showKeys(w *screen.Host) {
	var groups [][]fyne.CanvasObject
	for _, m := range menus {
		var rows []fyne.CanvasObject
		for _, c := range w.Commands.List {
			if c.Menu == m && c.Run != nil && len(c.Keys) > 0 {
				rows = append(rows, keyRow(strings.Join(c.Keys, "  "), c.Title()))
			}
		}
		if len(rows) > 0 {
			groups = append(groups, append([]fyne.CanvasObject{keyHead(words.T("menu." + m))}, rows...))
		}
	}
	lists := []fyne.CanvasObject{keyHead(words.T("keys.lists"))}
	for _, k := range moreKeys {
		lists = append(lists, keyRow(k.keys, words.T(k.key)))
	}
	columns := balance(append(groups, lists))
	var all []fyne.CanvasObject
	for _, c := range columns {
		all = append(all, kit.Stretch(kit.Column(0, append(c, kit.Spring())...)))
	}
	scroll := container.NewVScroll(kit.Pad(6, 16, 12, 16, container.NewGridWithColumns(3, all...)))
	dlg := kit.NewDialog(words.T("command.keys"), words.T("keys.about"), scroll, 1080, 600)
	dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(w.Win.Canvas())
}

// balance puts groups of lines into three columns, the longest group first and
// each into the shortest column, and keeps the order of the groups within one.
func balance(groups [][]fyne.CanvasObject) (columns [3][]fyne.CanvasObject) {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(groups[b]) - len(groups[a]) })
	var lines [3]int
	place := make([]int, len(groups))
	for _, g := range order {
		at := 0
		for c := range lines {
			if lines[c] < lines[at] {
				at = c
			}
		}
		place[g] = at
		lines[at] += len(groups[g]) + 1
	}
	for g, c := range place {
		columns[c] = append(columns[c], groups[g]...)
	}
	return columns
}

func keyHead(s string) fyne.CanvasObject {
	return kit.Pad(10, 0, 4, 0, kit.NewText(show.Upper(s), kit.ColorFaint, 11).Bold())
}

func keyRow(key, what string) fyne.CanvasObject {
	return kit.Row(10, kit.Sized(124, 22, kit.NewText(key, kit.ColorMuted, 12).Fit()),
		kit.Stretch(kit.NewText(what, kit.ColorText, 12).Fit()))
}
