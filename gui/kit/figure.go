package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Figure is a number that can be pointed at: it then has a frame and a [Card],
// after a moment under the pointer and at once with the keyboard. A click or
// Enter copies the full value. Without a value it is nothing to point at.
type Figure struct {
	control
	text  string
	full  string // what is copied
	color fyne.ThemeColorName
	size  float32
	bold  bool
	align fyne.TextAlign
	fit   bool
	card  func() Card

	// Beside is the pane that the card is at the left of; nil: the card is
	// below the figure.
	Beside fyne.CanvasObject
	// Copied is what is said when the value was copied.
	Copied func(full string) string
}

// NewFigure makes a figure; size is that of [NewText].
func NewFigure(c fyne.ThemeColorName, size float32) *Figure {
	f := &Figure{color: c, size: size}
	f.init(f)
	f.disabled = true
	return f
}

// Bold makes the text bold and returns the figure.
func (f *Figure) Bold() *Figure { f.bold = true; return f }

// Right aligns the text to the right and returns the figure.
func (f *Figure) Right() *Figure { f.align = fyne.TextAlignTrailing; return f }

// Fit lets the figure be narrower than its words and returns it.
func (f *Figure) Fit() *Figure { f.fit = true; return f }

// Set shows a value: its words, what is copied of it ("": nothing), and its card.
func (f *Figure) Set(text, full string, c fyne.ThemeColorName, card func() Card) {
	text = Clean(text)
	f.full, f.card, f.disabled = full, card, card == nil
	if text != f.text || c != f.color {
		f.text, f.color = text, c
		f.Refresh()
	}
}

// Clear shows nothing.
func (f *Figure) Clear() { f.Set("", "", f.color, nil) }

// Text is what is shown.
func (f *Figure) Text() string { return f.text }

// Card is the card; the zero one while there is no value.
func (f *Figure) Card() Card {
	if f.card == nil {
		return Card{}
	}
	return f.card()
}

// MouseIn implements desktop.Hoverable.
func (f *Figure) MouseIn(*desktop.MouseEvent) {
	f.hovered = true
	if h := hostOf(f); h != nil && f.card != nil {
		h.hideTip()
		h.tipStop = h.After(cardDelay, func() { h.showCard(f, f.Beside, f.card()) })
	}
	f.Refresh()
}

// MouseOut implements desktop.Hoverable.
func (f *Figure) MouseOut() {
	f.hovered = false
	HideTipOf(f)
	f.Refresh()
}

// FocusGained implements fyne.Focusable.
func (f *Figure) FocusGained() {
	f.keyboard.FocusGained()
	if h := hostOf(f); h != nil && f.card != nil {
		h.showCard(f, f.Beside, f.card())
	}
}

// FocusLost implements fyne.Focusable.
func (f *Figure) FocusLost() {
	HideTipOf(f)
	f.keyboard.FocusLost()
}

// Tapped implements fyne.Tappable.
func (f *Figure) Tapped(*fyne.PointEvent) {
	if f.disabled || f.full == "" { // nothing is known that could be copied
		return
	}
	Copy(f.full)
	if h := hostOf(f); h != nil && f.Copied != nil {
		h.Toast(f.Copied(f.full), "", nil)
	}
}

// TypedKey implements fyne.Focusable.
func (f *Figure) TypedKey(e *fyne.KeyEvent) {
	if isPress(e.Name) {
		f.Tapped(nil)
		return
	}
	HideTipOf(f)
	PassKey(f, e)
}

// Cursor implements desktop.Cursorable.
func (f *Figure) Cursor() desktop.Cursor {
	if f.disabled || f.full == "" {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// frameOut is how far the frame of a figure reaches out, in units of the design.
const frameOut = 4

// CreateRenderer implements fyne.Widget.
func (f *Figure) CreateRenderer() fyne.WidgetRenderer {
	frame, t := box(4), line(13, false, f.align)
	style := func() fyne.TextStyle { return fyne.TextStyle{Bold: f.bold} }
	look := func() {
		paint(frame, Color(ColorPanel), Color(ColorAccent))
		frame.Hidden = f.disabled || !(f.hovered || f.focused)
		t.Color, t.TextSize, t.TextStyle, t.Alignment = Color(f.color), FontPx(f.size), style(), f.align
		if t.Text = f.text; f.fit {
			t.Text = Ellipsize(f.text, f.BaseWidget.Size().Width, t.TextSize, t.TextStyle)
		}
	}
	return &renderer{
		of: f, look: look,
		objs: []fyne.CanvasObject{frame, t},
		layout: func(s fyne.Size) {
			w := fyne.Min(s.Width, width(t.Text, t.TextSize, t.TextStyle))
			x := float32(0)
			if f.align == fyne.TextAlignTrailing {
				x = s.Width - w
			}
			put(frame, x-Px(frameOut), -Px(1), w+2*Px(frameOut), s.Height+Px(2))
			mid(t, 0, 0, s.Width, s.Height)
		},
		min: func() fyne.Size {
			m := fyne.MeasureText(f.text, FontPx(f.size), style())
			if f.fit {
				m.Width = 0
			}
			return m
		},
	}
}
