package kit

import (
	"strings"

	"fyne.io/fyne/v2"
)

// Facts is a list of what is known of something: names, each with its value, under headings.
type Facts struct {
	Box   *fyne.Container
	width float32
}

// NewFacts makes an empty list whose names have so much room, in units of the design.
func NewFacts(width float32) *Facts { return &Facts{Box: Flow(2), width: width} }

// Head adds a heading, with an object at its right end if there is one.
func (f *Facts) Head(text string, right ...fyne.CanvasObject) {
	head := NewText(strings.ToUpper(text), ColorFaint, 11).Bold()
	f.Box.Add(Pad(9, 0, 3, 0, Row(6, append([]fyne.CanvasObject{head, Spring()}, right...)...)))
}

// Add adds a name and what it is.
func (f *Facts) Add(name string, o fyne.CanvasObject) {
	f.Box.Add(Sized(0, 19, Row(6, Sized(f.width, 0, NewText(name, ColorMuted, 12).Fit()), Stretch(o))))
}

// Clear takes all of it away.
func (f *Facts) Clear() { f.Box.Objects = nil }
