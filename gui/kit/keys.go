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

// focus gives a widget the keyboard, if it is on a canvas.
func focus(w interface {
	fyne.CanvasObject
	fyne.Focusable
}) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(w); c != nil {
		c.Focus(w)
	}
}
