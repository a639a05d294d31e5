package kit

import (
	"fyne.io/fyne/v2"
)

// keyTaker is an overlay that wants the keys which the focused widget in it
// has no use for.
type keyTaker interface{ takeKey(*fyne.KeyEvent) bool }

// PassKey hands a key on that a focused widget has no use for: to the dialog it
// stands in, else to the window, so that focus does not swallow shortcuts.
func PassKey(w fyne.CanvasObject, e *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(w)
	if c == nil {
		return
	}
	if t, ok := c.Overlays().Top().(keyTaker); ok {
		t.takeKey(e)
		return
	}
	if f := c.OnTypedKey(); f != nil {
		f(e)
	}
}

// PassRune is PassKey for characters.
func PassRune(w fyne.CanvasObject, r rune) {
	c := fyne.CurrentApp().Driver().CanvasForObject(w)
	if c == nil || c.Overlays().Top() != nil {
		return
	}
	if f := c.OnTypedRune(); f != nil {
		f(r)
	}
}

// passShortcut is PassKey for shortcuts, which a dialog keeps from the window.
func passShortcut(w fyne.CanvasObject, s fyne.Shortcut) {
	c := fyne.CurrentApp().Driver().CanvasForObject(w)
	if c == nil || c.Overlays().Top() != nil {
		return
	}
	if t, ok := c.(fyne.Shortcutable); ok {
		t.TypedShortcut(s)
	}
}

// focus gives a widget the keyboard, if it is on a canvas.
func focus(w interface {
	fyne.CanvasObject
	fyne.Focusable
}) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(w); c != nil {
		c.Focus(w)
	}
}

// OverlayKey offers a key that no widget has the focus for to the dialog on
// top of a canvas, and tells whether there is one. A window's key handler asks
// it first.
func OverlayKey(c fyne.Canvas, e *fyne.KeyEvent) bool {
	t, ok := c.Overlays().Top().(keyTaker)
	if ok {
		t.takeKey(e)
	}
	return ok
}
