package gui

import (
	"fyne.io/fyne/v2"
)

// offscreen is a window without a screen: the same content on a canvas in
// memory. It does what this package asks of a window and nothing else.
type offscreen struct {
	fyne.Window
	canvas fyne.Canvas
}

// Canvas is Fyne's.
func (o *offscreen) Canvas() fyne.Canvas { return o.canvas }

// Content is Fyne's.
func (o *offscreen) Content() fyne.CanvasObject { return o.canvas.Content() }

// SetContent is Fyne's.
func (o *offscreen) SetContent(c fyne.CanvasObject) { o.canvas.SetContent(c) }

// SetTitle is Fyne's.
func (o *offscreen) SetTitle(string) {}

// SetPadded is Fyne's.
func (o *offscreen) SetPadded(bool) {}

// Resize is Fyne's.
func (o *offscreen) Resize(s fyne.Size) {
	if c, ok := o.canvas.(interface{ Resize(fyne.Size) }); ok {
		c.Resize(s)
	}
}

// SetOnDropped is Fyne's.
func (o *offscreen) SetOnDropped(func(fyne.Position, []fyne.URI)) {}

// SetCloseIntercept is Fyne's.
func (o *offscreen) SetCloseIntercept(func()) {}

// FullScreen is Fyne's.
func (o *offscreen) FullScreen() bool { return false }
