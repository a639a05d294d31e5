package kit

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/words"
)

// Dialog is a framed question over the window: a head with title, subtitle and
// a sign to close it, the body, and a foot with a caption at the left and
// buttons at the right, of which at most one is primary. Esc closes it, Enter
// presses the primary button. Only what needs an answer is a dialog; all else
// is a banner.
type Dialog struct {
	widget.BaseWidget
	// OnClose is called when the dialog is closed without a button.
	OnClose func()
	// OnKey gets the keys that no widget in the dialog used, and reports whether it used them.
	OnKey func(*fyne.KeyEvent) bool
	Types *TextField // gets what is typed while no widget in the dialog has the keyboard; nil: it is lost
	// OnFind is the window's key for searching, while the dialog is open.
	OnFind func()

	title, subtitle *Text
	caption         *Text
	body            fyne.CanvasObject
	buttons         []*Button
	size            fyne.Size
	canvas          fyne.Canvas
	before          fyne.Focusable
	host            *Host
	inner           *dialogFrame
}

// NewDialog makes a dialog of a size in units of the design; a size of 0 is
// what the content needs.
func NewDialog(title, subtitle string, body fyne.CanvasObject, w, h float32) *Dialog {
	d := &Dialog{title: Label(title).Bold(), subtitle: NewText(subtitle, ColorMuted, 12).Fit(), body: body, size: fyne.NewSize(w, h)}
	d.caption = NewText("", ColorFaint, 12).Fit()
	d.ExtendBaseWidget(d)
	return d
}

// SetCaption sets the words at the left of the foot.
func (d *Dialog) SetCaption(s string) { d.caption.SetText(s) }

// SetTitle sets the words of the head.
func (d *Dialog) SetTitle(s string) { d.title.SetText(s) }

// SetSubtitle sets the words beside the title.
func (d *Dialog) SetSubtitle(s string) { d.subtitle.SetText(s) }

// SetButtons sets the buttons of the foot. Their OnTapped decides whether the
// dialog closes: see [Dialog.Hide].
func (d *Dialog) SetButtons(buttons ...*Button) {
	for _, b := range buttons {
		switch {
		case b.usual != nil:
		case b.text == words.T("do.cancel") || b.text == words.T("do.close") || b.text == words.T("do.done"):
			b.usual = says("kit.closes.tip")
		case b.kind == Primary:
			b.usual = says("kit.enter.tip")
		case b.kind == Danger:
			b.usual = says("kit.danger.tip")
		}
	}
	d.buttons = buttons
}

// ShowOn opens the dialog on a canvas.
func (d *Dialog) ShowOn(c fyne.Canvas) {
	if d.canvas != nil {
		return
	}
	d.canvas, d.before = c, c.Focused()
	d.inner = newDialogFrame(d)
	d.host = NewHost(d.inner)
	if h, ok := c.Content().(*Host); ok {
		d.host.After = h.After
	}
	HideTip(c) // the pointer is over the dialog now
	c.Overlays().Add(d)
	d.Resize(c.Size())
	d.Refresh()
	c.Focus(d)
}

// Hide takes the dialog away without calling OnClose and gives the keyboard
// back.
func (d *Dialog) Hide() {
	if d.canvas == nil {
		return
	}
	c := d.canvas
	d.canvas = nil
	c.Overlays().Remove(d)
	if d.before != nil {
		c.Focus(d.before)
	}
}

// Close takes the dialog away and calls OnClose.
func (d *Dialog) Close() {
	if d.canvas == nil {
		return
	}
	d.Hide()
	if d.OnClose != nil {
		d.OnClose()
	}
}

// Shown reports whether the dialog is open.
func (d *Dialog) Shown() bool { return d.canvas != nil }

func (d *Dialog) tipHost() *Host { return d.host }

// FindIn begins a search in the dialog on top of a canvas, if it has one.
func FindIn(c fyne.Canvas) {
	if d, ok := c.Overlays().Top().(*Dialog); ok && d.OnFind != nil {
		d.OnFind()
	}
}

// takeKey gets the keys that the focused widget did not use.
func (d *Dialog) takeKey(e *fyne.KeyEvent) bool {
	if d.OnKey != nil && d.OnKey(e) {
		return true
	}
	switch e.Name {
	case fyne.KeyEscape:
		d.Close()
	case fyne.KeyReturn, fyne.KeyEnter:
		for _, b := range d.buttons {
			if b.kind == Primary && !b.Disabled() {
				b.Tapped(nil)
				break
			}
		}
	default:
		return false
	}
	return true
}

// FocusGained implements fyne.Focusable: the dialog itself takes the keyboard until one of its
// widgets does.
func (d *Dialog) FocusGained() {}

// FocusLost implements fyne.Focusable.
func (d *Dialog) FocusLost() {}

// TypedRune implements fyne.Focusable.
func (d *Dialog) TypedRune(r rune) {
	if d.Types != nil {
		d.Types.Begin(r)
	}
}

// TypedKey implements fyne.Focusable.
func (d *Dialog) TypedKey(e *fyne.KeyEvent) { d.takeKey(e) }

// Tapped keeps clicks beside the dialog from the window below, and the keyboard here.
func (d *Dialog) Tapped(*fyne.PointEvent) { focus(d) }

// CreateRenderer implements fyne.Widget.
func (d *Dialog) CreateRenderer() fyne.WidgetRenderer {
	veil := box(0)
	r := &renderer{of: d, objs: []fyne.CanvasObject{veil}}
	look := func() {
		paint(veil, fade(color.NRGBA{0, 0, 0, 255}, .45), nil)
		r.objs = append(r.objs[:0], veil)
		if d.host != nil {
			r.objs = append(r.objs, d.host)
		}
	}
	r.look = look
	r.layout = func(s fyne.Size) {
		put(veil, 0, 0, s.Width, s.Height)
		if d.host != nil {
			m := d.inner.MinSize().Max(fyne.NewSize(Px(d.size.Width), Px(d.size.Height))).Min(fyne.NewSize(s.Width-16, s.Height-16))
			put(d.host, float32(int((s.Width-m.Width)/2)), float32(int((s.Height-m.Height)/2.4)), m.Width, m.Height)
		}
	}
	r.min = func() fyne.Size { return fyne.NewSize(1, 1) }
	return r
}

// dialogFrame is the visible part of a dialog.
type dialogFrame struct {
	widget.BaseWidget
	d     *Dialog
	parts *fyne.Container // head, body and foot
}

func newDialogFrame(d *Dialog) *dialogFrame {
	head := Row(10, d.title, Stretch(d.subtitle), NewIconButton(GlyphClose, words.T("kit.close"), d.Close))
	parts := Column(0, Sized(0, 30, Pad(1, 5, 0, 9, head)), NewRule(), Stretch(container.New(yieldLayout{}, container.NewVScroll(d.body))))
	if len(d.buttons) > 0 || d.caption.Text() != "" {
		foot := Row(8, Stretch(d.caption))
		for _, b := range d.buttons {
			foot.Add(b)
		}
		parts.Add(Pad(1, 0, 0, 0, NewRule()))
		parts.Add(Sized(0, 44, Pad(0, 15, 0, 15, foot)))
	}
	f := &dialogFrame{d: d, parts: parts}
	f.ExtendBaseWidget(f)
	return f
}

// Tapped keeps the window below from being clicked, and the keyboard here.
func (f *dialogFrame) Tapped(e *fyne.PointEvent) { f.d.Tapped(e) }

// CreateRenderer implements fyne.Widget.
func (f *dialogFrame) CreateRenderer() fyne.WidgetRenderer {
	bg := box(6)
	return &renderer{
		of: f, look: func() { paint(bg, Color(ColorPanel), Color(ColorFaint)) },
		objs: []fyne.CanvasObject{bg, f.parts},
		layout: func(s fyne.Size) {
			put(bg, 0, 0, s.Width, s.Height)
			put(f.parts, 1, 0, s.Width-2, s.Height-1)
		},
		min: func() fyne.Size {
			m := f.parts.MinSize()
			title := f.d.title.MinSize().Width + Px(160)
			return fyne.NewSize(max(m.Width+2, title), m.Height+2)
		},
	}
}

// Ask opens a dialog with one sentence or more and a primary button that does
// something; cancel is the other button's words. more are further buttons.
//
//revive:disable-next-line:argument-limit every question has all of these parts
func Ask(c fyne.Canvas, title, text, do, cancel string, kind ButtonKind, done func(), more ...*Button) *Dialog {
	body := NewParagraph(text, ColorText, 13, 12)
	body.room, body.pitch = 408, 20
	d := NewDialog(title, "", Pad(14, 16, 14, 16, Sized(408, 0, body)), 440, 0)
	yes := NewButton(do, kind, func() { d.Hide(); done() })
	d.SetButtons(append(append([]*Button{NewButton(cancel, Secondary, d.Close)}, more...), yes)...)
	d.ShowOn(c)
	return d
}

// LineQuestion is a question that is answered with a line of text.
type LineQuestion struct {
	Title, About string
	Hint, Text   string                   // of the field
	Do           string                   // words of the button
	Right        func(answer string) bool // reports whether that will do; nil: any does
	Caption      func(answer string) string
	Done         func(answer string)
}

// AskLine opens a dialog with a question.
func AskLine(c fyne.Canvas, q LineQuestion) {
	field := NewTextField(q.Hint, nil)
	d := NewDialog(q.Title, q.About, Pad(14, 16, 14, 16, field), 520, 0)
	do := NewButton(q.Do, Primary, nil)
	answer := func() {
		if text := strings.TrimSpace(field.Text()); !do.Disabled() {
			d.Hide()
			q.Done(text)
		}
	}
	look := func(string) {
		text := strings.TrimSpace(field.Text())
		do.SetEnabled(q.Right == nil || q.Right(text))
		d.SetCaption(q.Caption(text))
	}
	do.OnTapped, field.OnSubmitted = answer, func(string) { answer() }
	field.SetText(q.Text)
	field.OnChanged = look
	look("")
	d.SetButtons(NewButton(words.T("do.cancel"), Secondary, d.Close), do)
	d.ShowOn(c)
	field.FocusOn(c)
}
