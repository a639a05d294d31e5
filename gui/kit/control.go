package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// control is what all interactive widgets share: hover, focus, being disabled,
// a tooltip. The widget sets self to itself.
type control struct {
	widget.BaseWidget
	self     fyne.Widget
	hovered  bool
	focused  bool
	disabled bool
	tip      string
}

func (c *control) init(self fyne.Widget) {
	c.self = self
	c.ExtendBaseWidget(self)
}

// SetTip sets the words that appear when the pointer rests on the widget.
func (c *control) SetTip(s string) { c.tip = s }

// MouseIn implements desktop.Hoverable.
func (c *control) MouseIn(e *desktop.MouseEvent) {
	c.hovered = true
	if c.tip != "" {
		showTip(c.self, c.tip, e.AbsolutePosition)
	}
	c.self.Refresh()
}

// MouseMoved implements desktop.Hoverable.
func (c *control) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *control) MouseOut() {
	c.hovered = false
	if c.tip != "" {
		hideTip(c.self)
	}
	c.self.Refresh()
}

// FocusGained implements fyne.Focusable.
func (c *control) FocusGained() { c.focused = true; c.self.Refresh() }

// FocusLost implements fyne.Focusable.
func (c *control) FocusLost() { c.focused = false; c.self.Refresh() }

// TypedRune hands single letters on to the window's shortcuts.
func (c *control) TypedRune(r rune) { PassRune(c.self, r) }

// Enable makes the widget usable.
func (c *control) Enable() { c.setDisabled(false) }

// Disable greys the widget; it no longer answers.
func (c *control) Disable() { c.setDisabled(true) }

// Disabled reports whether the widget is greyed.
func (c *control) Disabled() bool { return c.disabled }

// SetEnabled enables or disables.
func (c *control) SetEnabled(on bool) { c.setDisabled(!on) }

func (c *control) setDisabled(d bool) {
	if c.disabled != d {
		c.disabled = d
		c.self.Refresh()
	}
}

// border is the colour of a frame in the widget's state.
func (c *control) border(plain fyne.ThemeColorName) color.Color {
	if c.focused && !c.disabled {
		return Color(ColorAccent)
	}
	return Color(plain)
}

// press reports whether a key means "do it" to a focused widget.
func press(k fyne.KeyName) bool {
	return k == fyne.KeySpace || k == fyne.KeyReturn || k == fyne.KeyEnter
}

// refreshAll repaints objects whose fields were changed.
func refreshAll(objs ...fyne.CanvasObject) {
	for _, o := range objs {
		canvas.Refresh(o)
	}
}
