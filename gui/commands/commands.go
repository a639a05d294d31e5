package commands

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"palimpsest/gui/words"
)

// Command is one thing a person can do from anywhere in the window.
type Command struct {
	ID   string   // its words are "command.ID"
	Menu string   // the group it is in: "file", "edit", …; "" for none
	Keys []string // as written: "Ctrl+Shift+O", "p", "F1"; the first is shown

	Enabled func() bool   // nil: always
	Needs   string        // what has to be there for it to be done: its words are "needs.NEEDS"
	Not     func() string // why it can't be done where that is another reason; nil or "": it is not
	Checked func() bool   // nil: never ticked
	Run     func()        // nil: nobody does it in this window; it is shown nowhere
	Text    func() string
}

// Title is the command's words.
func (c *Command) Title() string {
	if c.Text != nil {
		return c.Text()
	}
	return words.T("command." + c.ID)
}

// Key is how the command's first key is read; "" if it has none.
func (c *Command) Key() string {
	if len(c.Keys) == 0 {
		return ""
	}
	return c.Keys[0]
}

func (c *Command) Can() bool { return c.Run != nil && (c.Enabled == nil || c.Enabled()) }

// Reason says why the command can't be done now; "" if it can.
func (c *Command) Reason() string {
	if c.Can() || c.Needs == "" {
		return ""
	}
	if c.Not != nil && c.Not() != "" {
		return c.Not()
	}
	return words.T("needs." + c.Needs)
}

// Table is the table of commands, and what panes may ask of the window
// around them.
type Table struct {
	List []*Command
	ByID map[string]*Command

	// Show puts a full-window sheet in the place of the panes, between the menu
	// strip and the status bar; back runs on Esc, or nil closes the sheet.
	Show func(sheet fyne.CanvasObject, back func())
	// Hide goes back to the panes.
	Hide func()
	// Toast says something short at the lower edge, with an optional action.
	Toast func(text, action string, do func())
	// Hush takes the words of Toast away.
	Hush func()
	// Why opens the decision log at the call that answers a history position or
	// follows it.
	Why func(history int)
	// Kept opens what a found compaction kept, by its place among those of the thread.
	Kept func(found int)
	// Read opens a message of the history in a sheet of its own.
	Read func(history int)
	// Lost opens the search of what a record took out of its history, for words.
	Lost func(record, text string)
	// Ran is called with the name of a command before it is done.
	Ran func(id string)
}

func NewCommands(list []*Command) *Table {
	c := &Table{ByID: map[string]*Command{}}
	c.Show, c.Hide = func(fyne.CanvasObject, func()) {}, func() {}
	c.Toast, c.Hush = func(string, string, func()) {}, func() {}
	c.Why = func(int) {}
	c.Kept, c.Read = func(int) {}, func(int) {}
	c.Lost = func(string, string) {}
	c.Ran = func(string) {}
	for _, cmd := range list {
		c.Add(cmd)
	}
	return c
}

// Menus lists the menus that commands are in, each where its first command is.
func (c *Table) Menus() []string {
	var out []string
	for _, cmd := range c.List {
		if cmd.Menu != "" && !slices.Contains(out, cmd.Menu) {
			out = append(out, cmd.Menu)
		}
	}
	return out
}

// Add puts a command into the table.
func (c *Table) Add(cmd *Command) {
	c.List = append(c.List, cmd)
	c.ByID[cmd.ID] = cmd
}

// Bind says what a command of the table does; panes bind those that are theirs
// alone, such as "find" and "raw". enabled may be nil.
func (c *Table) Bind(id string, enabled func() bool, run func()) {
	if cmd := c.ByID[id]; cmd != nil {
		cmd.Enabled, cmd.Run = enabled, run
	}
}

// Run does a command, if it can be done now.
func (c *Table) Run(id string) {
	if cmd := c.ByID[id]; cmd != nil && cmd.Can() {
		c.Ran(id)
		cmd.Run()
	}
}

// Enabled reports whether a command can be done now.
func (c *Table) Enabled(id string) bool {
	cmd := c.ByID[id]
	return cmd != nil && cmd.Can()
}

// Reason says why a command can't be done now; "" if it can.
func (c *Table) Reason(id string) string {
	if cmd := c.ByID[id]; cmd != nil {
		return cmd.Reason()
	}
	return ""
}

// Tip is what the tooltip of a command's button says: what it does and its key, or
// why it can't be done now.
func (c *Table) Tip(id string) string {
	cmd := c.ByID[id]
	switch {
	case cmd == nil:
		return ""
	case cmd.Reason() != "":
		return cmd.Title() + "\n" + cmd.Reason()
	}
	tip := cmd.Title()
	if key := "command." + id + ".tip"; words.T(key) != key {
		tip = words.T(key)
	}
	if cmd.Key() != "" {
		tip += " · " + cmd.Key()
	}
	return tip
}

// Key is how a command's first key is read, for captions beside it.
func (c *Table) Key(id string) string {
	if cmd := c.ByID[id]; cmd != nil {
		return cmd.Key()
	}
	return ""
}

// keyed is what a key of the table is to the toolkit: a shortcut with
// modifiers, the name of a plain key, or a character.
type keyed struct {
	Shortcut fyne.Shortcut
	Name     fyne.KeyName
	Char     rune
}

var plainKeys = map[string]fyne.KeyName{
	"Esc": fyne.KeyEscape, "Enter": fyne.KeyReturn, "Delete": fyne.KeyDelete,
	"↑": fyne.KeyUp, "↓": fyne.KeyDown, "PgUp": fyne.KeyPageUp, "PgDn": fyne.KeyPageDown,
	"←": fyne.KeyLeft, "→": fyne.KeyRight,
	"F1": fyne.KeyF1, "F2": fyne.KeyF2, "F3": fyne.KeyF3, "F5": fyne.KeyF5, "F7": fyne.KeyF7, "F10": fyne.KeyF10, "F11": fyne.KeyF11,
}

// ParseKey reads a key as the table writes it.
func ParseKey(s string) keyed {
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
		return keyed{Name: name}
	case mod == 0:
		return keyed{Char: []rune(rest)[0]}
	case s == "Ctrl+Z":
		return keyed{Shortcut: &fyne.ShortcutUndo{}}
	case s == "Ctrl+Y":
		return keyed{Shortcut: &fyne.ShortcutRedo{}}
	}
	if !named {
		name = fyne.KeyName(rest)
	}
	return keyed{Shortcut: &desktop.CustomShortcut{KeyName: name, Modifier: mod}}
}
