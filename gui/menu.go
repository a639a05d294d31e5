package gui

import (
	"strings"

	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// menus are the menus with their commands in order; a rule is where a bar is. All other
// commands are where they are used, in the preferences, and in the search of commands.
var menus = []struct{ name, commands string }{
	{"file", "openFile openFolder | export writeBack repair | samples remove | quit"},
	{"edit", "undo redo | find findAll goto | pin note copyText | settings"},
	{"view", "flip | hideSessions hideParameters aboutMessage history hideChart | textLarger textSmaller fullScreen"},
	{"session", "sessions rename star | planHere threads agents filling | readAs skippedLines"},
	{"compaction", "preview compact ask | why compare sweep recorded | openPreset useIn"},
	{"records", "records workbench | restore compareRecords | importRecords exportRecords metrics"},
	{"help", "palette keys welcome formats about"},
}

// newMenu makes the menu strip.
func (w *window) newMenu() *kit.MenuStrip {
	var entries []kit.MenuEntry
	for _, m := range menus {
		open := func() []kit.MenuItem { return items(w.Commands, m.commands) }
		entries = append(entries, kit.MenuEntry{Text: words.T("menu." + m.name), Items: open})
	}
	strip := kit.NewMenuStrip(words.T("app.name"), entries, words.T("do.search"), w.Commands.Key(commands.Palette))
	strip.OnSearch = func() { w.Commands.Run(commands.Palette) }
	return strip
}

// items are the lines of a menu.
func items(c *commands.Table, list string) (items []kit.MenuItem) {
	for id := range strings.FieldsSeq(list) {
		cmd := c.ByID[id]
		switch {
		case id == "|":
			items = append(items, kit.Rule)
		case cmd != nil && cmd.Run != nil:
			items = append(items, kit.MenuItem{Text: cmd.Title(), Shortcut: cmd.Key(), Disabled: !cmd.Can(), Why: cmd.Reason(),
				Checked: cmd.Checked != nil && cmd.Checked(), Run: cmd.Run})
		}
	}
	return items
}
