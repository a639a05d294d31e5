package gui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"palimpsest/gui/words"
	"palimpsest/model"
)

// command is one thing a person can do from anywhere in the window.
type command struct {
	ID   string   // its words are "command.ID"
	Menu string   // the menu it stands in: "file", "edit", …; "" for none
	Keys []string // as written: "Ctrl+Shift+O", "p", "F1"; the first is shown
	Part int      // part of the menu; a rule stands between parts

	Enabled func() bool // nil: always
	Checked func() bool // nil: never ticked
	Run     func()      // nil: nobody does it in this window; it is shown nowhere
	Text    func() string
}

// title is the command's words.
func (c *command) title() string {
	if c.Text != nil {
		return c.Text()
	}
	return words.T("command." + c.ID)
}

// key is how the command's first key is read; "" if it has none.
func (c *command) key() string {
	if len(c.Keys) == 0 {
		return ""
	}
	return c.Keys[0]
}

func (c *command) enabled() bool { return c.Run != nil && (c.Enabled == nil || c.Enabled()) }

// commands is the table of commands, and what panes may ask of the window
// around them.
type commands struct {
	list []*command
	byID map[string]*command

	// show puts a full-window sheet in the place of the panes, between the menu
	// strip and the status bar; back runs on Esc, or nil closes the sheet.
	show func(sheet fyne.CanvasObject, back func())
	// hide goes back to the panes.
	hide func()
	// toast says something short at the lower edge, with an optional action.
	toast func(text, action string, do func())
	// why opens the decision log at the call that answers a history position or
	// follows it; of a record, under the record's parameters, else nil.
	why func(history int, of *model.Record)
}

func newCommands(list []*command) *commands {
	c := &commands{byID: map[string]*command{}}
	c.show, c.hide = func(fyne.CanvasObject, func()) {}, func() {}
	c.toast = func(string, string, func()) {}
	c.why = func(int, *model.Record) {}
	for _, cmd := range list {
		c.add(cmd)
	}
	return c
}

// add puts a command into the table.
func (c *commands) add(cmd *command) {
	c.list = append(c.list, cmd)
	c.byID[cmd.ID] = cmd
}

// bind says what a command of the table does; panes bind those that are theirs
// alone, such as "find" and "raw". enabled may be nil.
func (c *commands) bind(id string, enabled func() bool, run func()) {
	if cmd := c.byID[id]; cmd != nil {
		cmd.Enabled, cmd.Run = enabled, run
	}
}

// run does a command, if it can be done now.
func (c *commands) run(id string) {
	if cmd := c.byID[id]; cmd != nil && cmd.enabled() {
		cmd.Run()
	}
}

// enabled reports whether a command can be done now.
func (c *commands) enabled(id string) bool {
	cmd := c.byID[id]
	return cmd != nil && cmd.enabled()
}

// key is how a command's first key is read, for captions beside it.
func (c *commands) key(id string) string {
	if cmd := c.byID[id]; cmd != nil {
		return cmd.key()
	}
	return ""
}

// keyed is what a key of the table is to the toolkit: a shortcut with
// modifiers, the name of a plain key, or a character.
type keyed struct {
	shortcut fyne.Shortcut
	name     fyne.KeyName
	char     rune
}

var plainKeys = map[string]fyne.KeyName{
	"Esc": fyne.KeyEscape, "Enter": fyne.KeyReturn, "Delete": fyne.KeyDelete,
	"↑": fyne.KeyUp, "↓": fyne.KeyDown, "PgUp": fyne.KeyPageUp, "PgDn": fyne.KeyPageDown,
	"F1": fyne.KeyF1, "F3": fyne.KeyF3, "F5": fyne.KeyF5, "F7": fyne.KeyF7, "F10": fyne.KeyF10, "F11": fyne.KeyF11,
}

// parseKey reads a key as the table writes it.
func parseKey(s string) keyed {
	var mod fyne.KeyModifier
	rest := s
	for _, m := range []struct {
		name string
		mod  fyne.KeyModifier
	}{{"Ctrl+", fyne.KeyModifierShortcutDefault}, {"Alt+", fyne.KeyModifierAlt}, {"Shift+", fyne.KeyModifierShift}} {
		if after, ok := strings.CutPrefix(rest, m.name); ok && after != "" {
			mod, rest = mod|m.mod, after
		}
	}
	name, named := plainKeys[rest]
	switch {
	case mod == 0 && named:
		return keyed{name: name}
	case mod == 0:
		return keyed{char: []rune(rest)[0]}
	case s == "Ctrl+Z":
		return keyed{shortcut: &fyne.ShortcutUndo{}}
	case s == "Ctrl+Y":
		return keyed{shortcut: &fyne.ShortcutRedo{}}
	}
	if !named {
		name = fyne.KeyName(rest)
	}
	return keyed{shortcut: &desktop.CustomShortcut{KeyName: name, Modifier: mod}}
}
