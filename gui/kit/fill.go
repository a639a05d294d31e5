package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Fill is a plain rectangle of a named colour.
type Fill struct {
	widget.BaseWidget
	color  fyne.ThemeColorName
	line   fyne.ThemeColorName // of the border; "": none
	radius float32
	min    fyne.Size
}

// NewFill makes a rectangle with a corner radius.
func NewFill(c fyne.ThemeColorName, radius float32) *Fill {
	f := &Fill{color: c, radius: radius}
	f.ExtendBaseWidget(f)
	return f
}

// NewFrame makes a rectangle with a border, for what floats over other things.
func NewFrame(c, line fyne.ThemeColorName) *Fill {
	f := NewFill(c, 4)
	f.line = line
	return f
}

// NewRule makes a line one unit thick that parts what is above and below
// it, or left and right of it.
func NewRule() *Fill {
	f := NewFill(ColorLine, 0)
	f.min = fyne.NewSize(1, 1)
	return f
}

// SetColor changes the colour.
func (f *Fill) SetColor(c fyne.ThemeColorName) {
	if c != f.color {
		f.color = c
		f.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (f *Fill) CreateRenderer() fyne.WidgetRenderer {
	r := box(f.radius)
	look := func() {
		var line color.Color
		if f.line != "" {
			line = Color(f.line)
		}
		paint(r, Color(f.color), line)
	}
	look()
	return &renderer{
		of:     f,
		objs:   []fyne.CanvasObject{r},
		layout: func(s fyne.Size) { put(r, 0, 0, s.Width, s.Height) },
		min:    func() fyne.Size { return f.min },
		refresh: func() {
			look()
			canvas.Refresh(r)
		},
	}
}
