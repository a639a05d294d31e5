package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Area is a field of several lines. Esc is the dialog's or the screen's.
type Area struct {
	widget.Entry
	// OnLeft is called when the field loses the keyboard; nil: nobody asks.
	OnLeft func(text string)
}

// NewArea makes a field with a text in it; changed hears of each change, and may be nil.
func NewArea(text string, changed func(string)) *Area {
	a := &Area{}
	a.MultiLine, a.Wrapping = true, fyne.TextWrapWord
	a.ExtendBaseWidget(a)
	a.SetText(text)
	a.OnChanged = changed
	return a
}

// CreateRenderer is Fyne's.
func (a *Area) CreateRenderer() fyne.WidgetRenderer {
	r := RestingCaret(a, a.Entry.CreateRenderer())
	if !a.Size().IsZero() { // it was hidden for long
		r.Layout(a.Size())
	}
	return r
}

// KeyDown takes away what floats at the pointer.
func (a *Area) KeyDown(k *fyne.KeyEvent) { a.Entry.KeyDown(k); HideTipOf(a) }

// TypedShortcut hands the window what a text has no use for.
func (a *Area) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*desktop.CustomShortcut); ok &&
		!slices.Contains([]fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyBackspace, fyne.KeyDelete}, c.KeyName) {
		passShortcut(a, s)
		return
	}
	was := a.Text
	a.Entry.TypedShortcut(s)
	switch s.(type) {
	case *fyne.ShortcutUndo, *fyne.ShortcutRedo:
		if a.Text == was { // nothing was typed here
			passShortcut(a, s)
		}
	}
}

// TypedKey is Fyne's.
func (a *Area) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		PassKey(a, k)
		return
	}
	a.Entry.TypedKey(k)
}

// FocusLost is Fyne's.
func (a *Area) FocusLost() {
	a.Entry.FocusLost()
	if a.OnLeft != nil {
		a.OnLeft(a.Text)
	}
}
