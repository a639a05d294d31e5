package gui

import (
	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// newMenu makes the menu strip from the table. A command that nobody does in
// this window is in no menu.
func (w *window) newMenu() *kit.MenuStrip {
	var entries []kit.MenuEntry
	for _, m := range menus {
		entries = append(entries, kit.MenuEntry{Text: words.T("menu." + m), Items: func() []kit.MenuItem { return items(w.Commands, m) }})
	}
	strip := kit.NewMenuStrip(words.T("app.name"), entries, words.T("do.search"), w.Commands.Key(commands.Palette))
	strip.OnSearch = func() { w.Commands.Run(commands.Palette) }
	return strip
}

// items is the lines of a menu, with rules between its parts.
func items(c *commands.Table, menu string) []kit.MenuItem {
	var items []kit.MenuItem
	part := 0
	for _, cmd := range c.List {
		if cmd.Menu != menu || cmd.Run == nil || cmd.There && !cmd.Can() {
			continue
		}
		if len(items) > 0 && cmd.Part != part {
			items = append(items, kit.Rule)
		}
		part = cmd.Part
		items = append(items, kit.MenuItem{Text: cmd.Title(), Shortcut: cmd.Key(), Disabled: !cmd.Can(), Why: cmd.Reason(),
			Checked: cmd.Checked != nil && cmd.Checked(), Run: cmd.Run})
	}
	return items
}
