package preferences

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
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

// keysPage is the table of keys, made from the table of commands.
type keysPage struct {
	held
	body fyne.CanvasObject
}

func newKeysPage(x *Window) page {
	var list [2][]fyne.CanvasObject
	col := func(o ...fyne.CanvasObject) { // to the shorter column
		i := 0
		if len(list[1]) < len(list[0]) {
			i = 1
		}
		list[i] = append(list[i], o...)
	}
	for _, m := range x.W.Commands.Menus() {
		rows := []fyne.CanvasObject{keyHead(words.T("menu." + m))}
		for _, c := range x.W.Commands.List {
			if c.Menu == m && c.Run != nil && len(c.Keys) > 0 {
				rows = append(rows, keyRow(strings.Join(c.Keys, "  "), titleOf(c)))
			}
		}
		if len(rows) > 1 {
			col(rows...)
		}
	}
	rows := []fyne.CanvasObject{keyHead(words.T("keys.lists"))}
	for _, k := range moreKeys {
		rows = append(rows, keyRow(k.keys, words.T(k.key)))
	}
	col(rows...)
	var columns []fyne.CanvasObject
	for _, c := range list {
		columns = append(columns, kit.Column(0, append(c, kit.Spring())...))
	}
	beside := len(columns)
	if kit.Scale() > 1.2 { // half of the page is too narrow for large words
		beside = 1
	}
	return &keysPage{body: scrolled(container.NewGridWithColumns(beside, columns...))}
}

// titleOf is what a command is called whatever there is to undo.
func titleOf(c *commands.Command) string {
	if c.ID == commands.Undo || c.ID == commands.Redo {
		return words.T("command." + c.ID)
	}
	return c.Title()
}

func (k *keysPage) object() fyne.CanvasObject { return k.body }

func keyHead(s string) fyne.CanvasObject {
	return kit.Pad(10, 0, 4, 0, kit.NewText(show.Upper(s), kit.ColorFaint, 11).Bold())
}

func keyRow(key, what string) fyne.CanvasObject {
	return kit.Row(10, kit.Sized(124, 22, kit.NewText(key, kit.ColorMuted, 12).Fit()),
		kit.Stretch(kit.NewText(what, kit.ColorText, 12).Fit()))
}
