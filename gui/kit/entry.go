package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// bareEntry is Fyne's one-line entry without a look of its own: the theme
// gives it no border, and the frame around it draws the rest. It tells the
// frame what it needs to know and hands it the keys first.
type bareEntry struct {
	widget.Entry
	onFocus func(bool)
	onKey   func(*fyne.KeyEvent) bool
}

func newBareEntry() *bareEntry {
	e := &bareEntry{}
	e.Scroll = fyne.ScrollNone
	e.ExtendBaseWidget(e)
	return e
}

// FocusGained implements fyne.Focusable.
func (e *bareEntry) FocusGained() { e.Entry.FocusGained(); e.onFocus(true) }

// FocusLost implements fyne.Focusable.
func (e *bareEntry) FocusLost() { e.Entry.FocusLost(); e.onFocus(false) }

// TypedKey implements fyne.Focusable.
func (e *bareEntry) TypedKey(k *fyne.KeyEvent) {
	if !e.onKey(k) {
		e.Entry.TypedKey(k)
	}
}

// TypedShortcut implements fyne.Shortcutable. What an entry has no use for goes to the window,
// which would not hear of it otherwise.
func (e *bareEntry) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*desktop.CustomShortcut); ok {
		switch c.KeyName {
		case fyne.KeyLeft, fyne.KeyRight, fyne.KeyBackspace, fyne.KeyDelete:
		default:
			passShortcut(e, s)
			return
		}
	}
	e.Entry.TypedShortcut(s)
}

// showStart brings the beginning of the text into view.
func (e *bareEntry) showStart() {
	e.CursorColumn = 0
	e.Refresh()
}

// selectAll marks the whole text, so that typing replaces it.
func (e *bareEntry) selectAll() {
	e.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// fieldLook paints the ground and the border of a field in its state. The
// border lies above the entry, whose own ground would cover it.
func fieldLook(bg, edge *canvas.Rectangle, c *control, bad bool) {
	paint(bg, Color(ColorBackground), nil)
	stroke := c.border(ColorLine)
	switch {
	case bad:
		stroke = Color(ColorError)
	case c.hovered && !c.focused && !c.disabled:
		stroke = Color(ColorFaint)
	}
	paint(edge, color.Transparent, stroke)
}
