package kit

import (
	"fyne.io/fyne/v2"
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
	return RestingCaret(a, a.Entry.CreateRenderer())
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
