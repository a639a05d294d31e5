package commands

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// A command runs when it can be done, and says else why not; one without a function is not run.
func TestCommandsRunWhenTheyCan(t *testing.T) {
	can, ran, told := false, 0, ""
	c := NewCommands([]*Command{
		{ID: "undo", Menu: "edit", Keys: []string{"Ctrl+Z", "u"}, Needs: "undo"},
		{ID: "open", Menu: "file", Run: func() { ran++ }},
		{ID: "redo", Menu: "edit"},
	})
	c.Ran = func(id string) { told += id + " " }
	c.Run("undo") // nobody does it yet
	c.Bind("undo", func() bool { return can }, func() { ran += 10 })
	c.Bind("nothing", nil, func() { ran += 100 })
	c.Run("undo")
	if ran != 0 || c.Reason("undo") == "" || !strings.HasSuffix(c.Tip("undo"), c.Reason("undo")) || c.Enabled("undo") {
		t.Errorf("ran %d, %q", ran, c.Tip("undo"))
	}
	can = true
	c.Run("undo")
	c.Run("open")
	c.Run("nothing")
	if ran != 11 || told != "undo open " || c.Reason("undo") != "" || !strings.HasSuffix(c.Tip("undo"), " · Ctrl+Z") {
		t.Errorf("ran %d: %s; %q", ran, told, c.Tip("undo"))
	}
	if c.Key("undo") != "Ctrl+Z" || c.Key("open") != "" || c.Key("nothing") != "" || c.Tip("nothing") != "" {
		t.Errorf("keys %q, %q", c.Key("undo"), c.Key("open"))
	}
	if got := c.Menus(); !slices.Equal(got, []string{"edit", "file"}) {
		t.Errorf("the menus are %v", got)
	}
	can = false
	c.ByID["undo"].Not = func() string { return "It is being saved." }
	if c.Reason("undo") != "It is being saved." {
		t.Errorf("it says %q", c.Reason("undo"))
	}
}

// A key as the table writes it is the toolkit's.
func TestParseKey(t *testing.T) {
	custom := func(name fyne.KeyName, mod fyne.KeyModifier) fyne.Shortcut {
		return &desktop.CustomShortcut{KeyName: name, Modifier: mod}
	}
	ctrl := fyne.KeyModifierShortcutDefault
	for key, want := range map[string]keyed{
		"p": {Char: 'p'}, "+": {Char: '+'}, "F5": {Name: fyne.KeyF5}, "Esc": {Name: fyne.KeyEscape}, "↑": {Name: fyne.KeyUp},
		"Ctrl+Z": {Shortcut: &fyne.ShortcutUndo{}}, "Ctrl+Y": {Shortcut: &fyne.ShortcutRedo{}},
		"Ctrl+Shift+F": {Shortcut: custom("F", ctrl|fyne.KeyModifierShift)}, "Alt+←": {Shortcut: custom(fyne.KeyLeft, fyne.KeyModifierAlt)},
		"Ctrl+Enter": {Shortcut: custom(fyne.KeyReturn, ctrl)},
	} {
		got := ParseKey(key)
		same := got.Shortcut == nil && want.Shortcut == nil
		if got.Shortcut != nil && want.Shortcut != nil {
			same = got.Shortcut.ShortcutName() == want.Shortcut.ShortcutName()
		}
		if got.Name != want.Name || got.Char != want.Char || !same {
			t.Errorf("%s is %+v, want %+v", key, got, want)
		}
	}
}
