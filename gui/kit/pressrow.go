package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// PressRow is a line of objects that can be pressed as one, and shows hover and
// focus around them. A disabled one is a line like any other; its tooltip still
// appears.
type PressRow struct {
	pressed
	obj    fyne.CanvasObject
	height float32
}

// NewPressRow makes a row of a height in units of the design.
func NewPressRow(height float32, o fyne.CanvasObject, tapped func()) *PressRow {
	p := &PressRow{obj: o, height: height}
	p.OnTapped = tapped
	p.init(p)
	return p
}

// Cursor implements desktop.Cursorable.
func (p *PressRow) Cursor() desktop.Cursor {
	if p.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// CreateRenderer implements fyne.Widget.
func (p *PressRow) CreateRenderer() fyne.WidgetRenderer {
	bg := box(4)
	look := func() {
		fill, stroke := fade(Color(ColorHover), 0), p.border(ColorPanel)
		if p.hovered && !p.disabled {
			fill = fade(Color(ColorHover), 1)
		}
		if !p.focused || p.disabled {
			stroke = nil
		}
		paint(bg, fill, stroke)
	}
	return &renderer{
		of: p, look: look,
		objs: []fyne.CanvasObject{bg, p.obj},
		layout: func(s fyne.Size) {
			put(bg, 0, 0, s.Width, s.Height)
			put(p.obj, 0, 0, s.Width, s.Height)
		},
		min: func() fyne.Size { return fyne.NewSize(p.obj.MinSize().Width, Px(p.height)) },
	}
}
