package gui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// bindKeys gives the window the keys of the table. Plain keys and letters
// reach it only when no text is being typed, shortcuts also then; while a
// dialog is open neither does.
func (w *window) bindKeys() {
	canvas := w.Win.Canvas()
	names, chars := map[fyne.KeyName]string{}, map[rune]string{}
	for _, cmd := range w.Commands.List {
		for _, k := range cmd.Keys {
			switch p := commands.ParseKey(k); {
			case p.Shortcut != nil:
				canvas.RemoveShortcut(p.Shortcut)
				canvas.AddShortcut(p.Shortcut, func(fyne.Shortcut) { w.key(commandOf(w.Commands, k)) })
			case p.Name != "":
				names[p.Name] = cmd.ID
			default:
				chars[p.Char] = cmd.ID
			}
		}
	}
	if c, ok := canvas.(desktop.Canvas); ok { // keys while nothing has the focus; else its widget sees them
		c.SetOnKeyDown(func(*fyne.KeyEvent) { kit.HideTip(canvas) })
	}
	canvas.SetOnTypedKey(func(e *fyne.KeyEvent) {
		if kit.OverlayKey(canvas, e) {
			return
		}
		if e.Name == fyne.KeyEscape && w.Back != nil {
			w.Back()
			return
		}
		if id, ok := names[e.Name]; ok {
			w.Commands.Run(id)
			return
		}
		if e.Name == fyne.KeyEscape {
			escape(w)
			return
		}
		w.listKey(e)
	})
	canvas.SetOnTypedRune(func(r rune) {
		if id, ok := chars[r]; ok && canvas.Overlays().Top() == nil {
			w.Commands.Run(id)
		}
	})
}

// escape is the key Esc where nothing else takes it: the filter of the messages goes
// first, where they have the keys or nothing has.
func escape(w *window) {
	canvas := w.Win.Canvas()
	f := w.Desk.Filter()
	ledger := canvas.Focused() == nil
	if !ledger {
		_, ledger = canvas.Focused().(*kit.Ledger)
	}
	if f.Text != "" && ledger {
		w.Desk.SetFilter(desk.Filter{Sort: f.Sort})
		return
	}
	canvas.Unfocus()
}

// commandOf is the command of a key; of several with the same key the first that can
// be done.
func commandOf(c *commands.Table, key string) (id string) {
	for _, cmd := range c.List {
		if !slices.Contains(cmd.Keys, key) {
			continue
		}
		if cmd.Can() {
			return cmd.ID
		}
		if id == "" {
			id = cmd.ID
		}
	}
	return id
}

// key runs the command of a shortcut, or says why it can't be done. While a dialog is open
// only the one that ends the program does anything.
func (w *window) key(id string) {
	if id == commands.Find {
		kit.FindIn(w.Win.Canvas())
	}
	if w.Win.Canvas().Overlays().Top() != nil && id != "quit" {
		return
	}
	if why := w.Commands.Reason(id); why != "" && id != commands.Find {
		w.Commands.Toast(words.T("shell.cannot", "command", strings.TrimSuffix(w.Commands.ByID[id].Title(), "…"), "why", why), "", nil)
		return
	}
	w.Commands.Run(id)
}

// listKey moves the selection of the ledger while nothing has the focus, so
// that the arrow keys work from the start.
func (w *window) listKey(e *fyne.KeyEvent) {
	d := w.Desk
	if w.InSheet() || d.RowCount() == 0 {
		return
	}
	at, last := d.Selected(), d.RowCount()-1
	const page = 12
	switch e.Name {
	case fyne.KeyDown:
		at++
	case fyne.KeyUp:
		at--
	case fyne.KeyPageDown, fyne.KeySpace:
		at += page
	case fyne.KeyPageUp:
		at -= page
	case fyne.KeyHome:
		at = 0
	case fyne.KeyEnd:
		at = last
	default:
		return
	}
	d.SelectRow(max(0, min(last, at)))
}
