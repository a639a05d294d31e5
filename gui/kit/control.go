package kit

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/words"
)

// keyboard is what all widgets share that can have the keyboard: focus, the key
// Shift, being disabled. The widget sets self to itself.
type keyboard struct {
	widget.BaseWidget
	self     fyne.Widget
	focused  bool
	disabled bool
	shift    bool // the key is held
}

func (k *keyboard) init(self fyne.Widget) {
	k.self = self
	k.ExtendBaseWidget(self)
}

// FocusGained implements fyne.Focusable.
func (k *keyboard) FocusGained() {
	k.focused = true
	k.self.Refresh()
}

// FocusLost implements fyne.Focusable.
func (k *keyboard) FocusLost() { k.focused, k.shift = false, false; k.self.Refresh() }

// TypedRune hands single letters on to the window's shortcuts.
func (k *keyboard) TypedRune(r rune) { PassRune(k.self, r) }

// KeyDown implements desktop.Keyable.
func (k *keyboard) KeyDown(e *fyne.KeyEvent) { HideTipOf(k.self); k.setShift(e.Name, true) }

// KeyUp implements desktop.Keyable.
func (k *keyboard) KeyUp(e *fyne.KeyEvent) { k.setShift(e.Name, false) }

func (k *keyboard) setShift(name fyne.KeyName, down bool) {
	if name == desktop.KeyShiftLeft || name == desktop.KeyShiftRight {
		k.shift = down
	}
}

// Enable makes the widget usable.
func (k *keyboard) Enable() { k.setDisabled(false) }

// Disable greys the widget; it no longer answers.
func (k *keyboard) Disable() { k.setDisabled(true) }

// Disabled reports whether the widget is greyed.
func (k *keyboard) Disabled() bool { return k.disabled }

// SetEnabled enables or disables.
func (k *keyboard) SetEnabled(on bool) { k.setDisabled(!on) }

func (k *keyboard) setDisabled(d bool) {
	if k.disabled != d {
		k.disabled = d
		k.self.Refresh()
	}
}

// border is the colour of a frame in the widget's state.
func (k *keyboard) border(plain fyne.ThemeColorName) color.Color {
	if k.focused && !k.disabled {
		return Color(ColorAccent)
	}
	return Color(plain)
}

// control is a keyboard that also answers to the pointer: hover and a tooltip.
type control struct {
	keyboard
	hovered bool
	tip     string
	key     string        // of the words of usual; "": it has others
	usual   func() string // says what such a control takes, while it has no tip of its own; nil: nothing
	// OnHover is called when the pointer comes over the widget and when it leaves; nil:
	// nobody asks. What is around the widget was left before.
	OnHover func(over bool)
}

// SetTip sets the words that appear when the pointer rests on the widget.
func (c *control) SetTip(s string) { c.tip = s }

// Tip is the words that appear when the pointer rests on the widget.
func (c *control) Tip() string {
	if c.tip == "" && c.usual != nil {
		return c.usual()
	}
	return c.tip
}

// says is a usual tip by its key.
func says(key string) func() string { return func() string { return words.T(key) } }

// explain makes the words of a key, "….tip", what the control does, and those of "….off", if
// there are any, why it can't while it is disabled.
func (c *control) explain(key string) {
	c.usual = func() string {
		if off := offKey(key); c.disabled {
			if why := words.T(off); why != off {
				return why
			}
		}
		return words.T(key)
	}
	c.key = key
}

func offKey(key string) string { return strings.TrimSuffix(key, ".tip") + ".off" }

// Unexplained reports whether the control is disabled and says only what it would do.
func (c *control) Unexplained() bool {
	return c.disabled && c.key != "" && c.tip == "" && words.T(offKey(c.key)) == offKey(c.key)
}

// MouseIn implements desktop.Hoverable.
func (c *control) MouseIn(e *desktop.MouseEvent) {
	c.hover(true)
	if c.Tip() != "" {
		showTip(c.self, c.Tip, e.AbsolutePosition)
	}
	c.self.Refresh()
}

// MouseMoved implements desktop.Hoverable.
func (c *control) MouseMoved(*desktop.MouseEvent) {}

// MouseDown takes the tip away: it would lie over what the press does.
func (c *control) MouseDown(*desktop.MouseEvent) { HideTipOf(c.self) }

// MouseUp implements desktop.Mouseable.
func (c *control) MouseUp(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *control) MouseOut() {
	c.hover(false)
	if c.Tip() != "" {
		HideTipOf(c.self)
	}
	c.self.Refresh()
}

func (c *control) hover(over bool) {
	if c.hovered = over; c.OnHover != nil {
		c.OnHover(over)
	}
}

// pressed is a control that does one thing: on a click, and on Space and Enter.
type pressed struct {
	control
	OnTapped func()
}

func (p *pressed) does(c Commands, id string) {
	p.OnTapped, p.usual = func() { c.Run(id) }, func() string { return c.Tip(id) }
}

// Tapped implements fyne.Tappable.
func (p *pressed) Tapped(*fyne.PointEvent) {
	if !p.disabled && p.OnTapped != nil {
		p.OnTapped()
	}
}

// TypedKey implements fyne.Focusable.
func (p *pressed) TypedKey(e *fyne.KeyEvent) {
	if isPress(e.Name) {
		p.Tapped(nil)
		return
	}
	PassKey(p.self, e)
}

// isPress reports whether a key means "do it" to a focused widget.
func isPress(k fyne.KeyName) bool {
	return k == fyne.KeySpace || k == fyne.KeyReturn || k == fyne.KeyEnter
}

// keyTaker is an overlay that wants the keys which the focused widget in it
// has no use for.
type keyTaker interface{ takeKey(*fyne.KeyEvent) bool }

// PassKey hands a key on that a focused widget has no use for: to the dialog it
// is in, else to the window, so that focus does not swallow shortcuts.
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

// passShortcut is PassKey for shortcuts. While a dialog is open the window takes few of them.
func passShortcut(w fyne.CanvasObject, s fyne.Shortcut) {
	if t, ok := fyne.CurrentApp().Driver().CanvasForObject(w).(fyne.Shortcutable); ok {
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
// top of a canvas, and reports whether there is one. A window's key handler asks
// it first.
func OverlayKey(c fyne.Canvas, e *fyne.KeyEvent) bool {
	t, ok := c.Overlays().Top().(keyTaker)
	if ok {
		t.takeKey(e)
	}
	return ok
}

// hint is an object with words about it.
type hint struct {
	widget.BaseWidget
	of  fyne.CanvasObject
	tip func() string
}

// Hinted adds to an object that is not pressed the words that appear when the pointer
// rests on it; "": there are none.
func Hinted(o fyne.CanvasObject, tip func() string) fyne.CanvasObject {
	h := &hint{of: o, tip: tip}
	h.ExtendBaseWidget(h)
	return h
}

// Means is [Hinted] with the words of a key.
func Means(o fyne.CanvasObject, key string) fyne.CanvasObject { return Hinted(o, says(key)) }

// Tip is the words that appear when the pointer rests on the object.
func (h *hint) Tip() string { return h.tip() }

// Visible is that of the object.
func (h *hint) Visible() bool { return h.of.Visible() && h.BaseWidget.Visible() }

// MouseIn implements desktop.Hoverable.
func (h *hint) MouseIn(e *desktop.MouseEvent) {
	if h.tip() != "" {
		showTip(h, h.tip, e.AbsolutePosition)
	}
}

// MouseMoved implements desktop.Hoverable.
func (h *hint) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (h *hint) MouseOut() { HideTipOf(h) }

// CreateRenderer implements fyne.Widget.
func (h *hint) CreateRenderer() fyne.WidgetRenderer {
	return &renderer{
		of: h, objs: []fyne.CanvasObject{h.of}, min: h.of.MinSize,
		layout: func(s fyne.Size) { put(h.of, 0, 0, s.Width, s.Height) }, // it may have been elsewhere before
	}
}
