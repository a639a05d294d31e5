package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/words"
)

// Host is the root of a window's content: it holds the content and, above it,
// what floats without stopping the work below: tooltips and toasts. Wrap the
// content of each window in one.
type Host struct {
	widget.BaseWidget
	// After runs a function on the UI goroutine when a time has passed; the
	// function it returns calls that off. A window whose results come by a
	// dispatcher of its own puts that in its place, so that nothing of it is
	// drawn by two goroutines.
	After func(time.Duration, func()) (stop func())
	// OnZoom is called when the wheel is turned with Ctrl held: larger or smaller.
	OnZoom func(larger bool)

	zoom    *zoomer
	content fyne.CanvasObject
	float   fyne.CanvasObject // over the lower edge of the content
	tip     *tipBox
	card    *cardBox
	toast   *toastBox
	tipStop func()
}

// NewHost wraps the content of a window.
func NewHost(content fyne.CanvasObject) *Host {
	h := &Host{content: content, float: layout.NewSpacer(), tip: newTipBox(), card: newCardBox(), toast: newToastBox()}
	h.After = func(d time.Duration, f func()) func() {
		t := time.AfterFunc(d, func() { fyne.Do(f) })
		return func() { t.Stop() }
	}
	h.zoom = newZoomer(h)
	h.tip.Hide()
	h.card.Hide()
	h.toast.Hide()
	h.ExtendBaseWidget(h)
	return h
}

// SetContent puts other content in.
func (h *Host) SetContent(o fyne.CanvasObject) {
	h.hideTip()
	h.content = o
	h.Refresh()
}

// SetFloat puts an object over the lower edge of the content, where it moves
// nothing: what has to be said and stays until it is closed. Toasts appear above it.
func (h *Host) SetFloat(o fyne.CanvasObject) {
	h.float = o
	h.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (h *Host) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{of: h, objs: []fyne.CanvasObject{h.content, h.float, h.tip, h.card, h.toast, h.zoom}}
	r.layout = func(s fyne.Size) {
		put(h.content, 0, 0, s.Width, s.Height)
		put(h.zoom, 0, 0, s.Width, s.Height)
		h.placeFloat()
		h.placeToast()
	}
	r.min = func() fyne.Size { return h.content.MinSize() }
	r.refresh = func() {
		r.objs[0], r.objs[1] = h.content, h.float
		r.layout(h.BaseWidget.Size())
		canvas.Refresh(h)
	}
	return r
}

// zoomer is over all of a window while Ctrl is held, and takes nothing but the wheel.
type zoomer struct {
	widget.BaseWidget
	h *Host
}

func newZoomer(h *Host) *zoomer {
	z := &zoomer{h: h}
	z.ExtendBaseWidget(z)
	return z
}

// Visible implements fyne.CanvasObject.
func (z *zoomer) Visible() bool {
	if z.h.OnZoom == nil || fyne.CurrentApp() == nil {
		return false
	}
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers() == fyne.KeyModifierControl
}

// Scrolled implements fyne.Scrollable.
func (z *zoomer) Scrolled(e *fyne.ScrollEvent) {
	if e.Scrolled.DY != 0 {
		z.h.OnZoom(e.Scrolled.DY > 0)
	}
}

// CreateRenderer implements fyne.Widget.
func (z *zoomer) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(layout.NewSpacer())
}

// How long the pointer rests until a card or a tip appears.
const (
	cardDelay = 300 * time.Millisecond
	tipDelay  = 2 * cardDelay
)

// hostOf finds the host a widget floats its tip in: the window's, or that of
// the dialog it is in.
func hostOf(w fyne.CanvasObject) *Host {
	c := fyne.CurrentApp().Driver().CanvasForObject(w)
	if c == nil {
		return nil
	}
	if d, ok := c.Overlays().Top().(interface{ tipHost() *Host }); ok {
		return d.tipHost()
	}
	h, _ := c.Content().(*Host)
	return h
}

// ShowTip shows words at a place of the canvas when the pointer has rested there, for
// a widget whose parts have tips of their own. [HideTipOf] takes them away.
func ShowTip(w fyne.CanvasObject, text string, at fyne.Position) {
	showTip(w, func() string { return text }, at)
}

func showTip(w fyne.CanvasObject, says func() string, at fyne.Position) {
	h := hostOf(w)
	if h == nil {
		return
	}
	h.hideTip()
	h.tipStop = h.After(tipDelay, func() {
		text := says()
		h.tip.words.SetLines(text, ColorText)
		h.tip.Resize(h.tip.MinSize())
		m, s := h.tip.MinSize(), h.BaseWidget.Size()
		d := fyne.CurrentApp().Driver()
		origin, gap := d.AbsolutePositionForObject(h), Px(4)
		top, high := d.AbsolutePositionForObject(w).Y-origin.Y, w.Size().Height
		if high > Px(60) { // a part of it is meant
			top, high = at.Y-origin.Y-Px(8), Px(16)
		}
		x, y := at.X-origin.X+Px(10), top-m.Height-gap
		if n, ok := w.(*listLine); ok { // beside the list, whose other rows are read on
			left, wide := d.AbsolutePositionForObject(n.l.self).X-origin.X, n.l.BaseWidget.Size().Width
			if x, y = left-m.Width-gap, fyne.Min(top, s.Height-m.Height); x < 0 {
				x = left + wide + gap
			}
		} else if y < 0 {
			y = top + high + gap
		}
		h.tip.Move(fyne.NewPos(clamp(x, 0, fyne.Max(0, s.Width-m.Width-2)), y))
		h.tip.Show()
		canvas.Refresh(h) // else it waits for what is painted next
		h.watch(w, func() bool { return says() == text })
	})
}

// watch takes away what floats at the pointer once its widget is not drawn any more, or
// what it says is not true any more: a page that is put in the place of another does not
// report that the pointer left. Without holds it is true as long as it is shown.
func (h *Host) watch(w fyne.CanvasObject, holds func() bool) {
	h.tipStop = h.After(cardDelay, func() {
		if !w.Visible() || fyne.CurrentApp().Driver().AbsolutePositionForObject(w).IsZero() || holds != nil && !holds() {
			h.hideTip()
			return
		}
		h.watch(w, holds)
	})
}

// HideTip takes away what floats at the pointer, tip or card: after a key, a
// scroll, a drag, a change of the page.
func HideTip(c fyne.Canvas) {
	if c == nil {
		return
	}
	if d, ok := c.Overlays().Top().(interface{ tipHost() *Host }); ok {
		d.tipHost().hideTip()
	}
	if h, ok := c.Content().(*Host); ok {
		h.hideTip()
	}
}

// HideTipOf is HideTip on the canvas of a widget.
func HideTipOf(w fyne.CanvasObject) { HideTip(fyne.CurrentApp().Driver().CanvasForObject(w)) }

// Later calls f when a time has passed, unless the window of an object has gone.
func Later(w fyne.CanvasObject, d time.Duration, f func()) {
	if h := hostOf(w); h != nil {
		h.After(d, f)
	}
}

func (h *Host) hideTip() {
	if h.tipStop != nil {
		h.tipStop()
		h.tipStop = nil
	}
	if h.tip.Visible() || h.card.Visible() {
		h.tip.Hide()
		h.card.Hide()
		canvas.Refresh(h)
	}
}

// tipBox is the tooltip: up to six lines in a small frame.
type tipBox struct {
	widget.BaseWidget
	words *Paragraph
}

func newTipBox() *tipBox {
	t := &tipBox{words: NewParagraph("", ColorText, 12, 6)}
	t.words.room, t.words.pitch = 320, 17
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer implements fyne.Widget.
func (t *tipBox) CreateRenderer() fyne.WidgetRenderer {
	bg, in := box(4), Pad(5, 8, 5, 8, t.words)
	return &renderer{
		of:   t,
		look: func() { paint(bg, Color(ColorRaised), Color(ColorLine)) },
		objs: []fyne.CanvasObject{bg, in},
		layout: func(s fyne.Size) {
			put(bg, 0, 0, s.Width, s.Height)
			put(in, 0, 0, s.Width, s.Height)
		},
		min: in.MinSize,
	}
}

const toastTime = 6 * time.Second

// Toast shows a short message at the lower edge for some seconds, with an
// optional action such as Undo. It does not stop the work below; a new one
// takes the place of the old.
func (h *Host) Toast(text, action string, do func()) {
	h.Offer(text, Action{action, do})
}

// Action is something that a toast offers to do.
type Action struct {
	Text string
	Do   func() // may be nil
}

// Offer is a [Host.Toast] with any number of actions.
func (h *Host) Offer(text string, actions ...Action) {
	t := h.toast
	if t.stop != nil {
		t.stop()
	}
	hide := func() { t.Hide(); h.Refresh() }
	t.text.SetText(text)
	t.actions.Objects = nil
	if len(actions) == 1 && actions[0].Text == "" {
		actions = nil
	}
	for _, a := range actions {
		t.actions.Add(NewLink(a.Text, func() {
			hide()
			if a.Do != nil {
				a.Do()
			}
		}).WithTip("kit.toast.tip"))
	}
	t.actions.Hidden = len(actions) == 0
	t.close.OnTapped = hide
	t.Show()
	t.Refresh()
	h.placeToast()
	t.stop = h.After(toastTime, hide)
}

// HideToast takes a toast away before its time.
func (h *Host) HideToast() {
	if h.toast.Visible() {
		h.toast.Hide()
		h.Refresh()
	}
}

// aboveFoot is how far what floats stays above the lower edge, where the status bar
// is and, above it, the row of buttons of a screen.
const aboveFoot = 84

// What floats leaves the lower corners free where it has room without them: the
// buttons that a screen is left by are there.
const (
	floatLeft  = 250
	floatRight = 350
	floatLeast = 560
)

// placeFloat places what floats, and returns how high it is.
func (h *Host) placeFloat() float32 {
	s, m := h.BaseWidget.Size(), h.float.MinSize()
	high := m.Height
	x, w := Px(floatLeft), s.Width-Px(floatLeft+floatRight)
	if w < fyne.Max(m.Width, Px(floatLeast)) {
		w = fyne.Min(s.Width-24, Px(1100))
		x = (s.Width - w) / 2
	}
	put(h.float, x, s.Height-high-Px(aboveFoot), w, high)
	if !h.float.Visible() || high == 0 {
		return 0
	}
	return high + Px(6)
}

// toastAt is where the middle of a toast is, as a share of the window: left of the
// actions in the corner, also where a pane beside them moves them to the left.
const toastAt = .4

func (h *Host) placeToast() {
	m, s := h.toast.MinSize(), h.BaseWidget.Size()
	m.Width = fyne.Min(m.Width, s.Width-24)
	put(h.toast, fyne.Max(0, s.Width*toastAt-m.Width/2), s.Height-m.Height-Px(aboveFoot)-h.placeFloat(), m.Width, m.Height)
}

type toastBox struct {
	widget.BaseWidget
	text    *Text
	actions *fyne.Container
	close   *IconButton
	stop    func()
}

func newToastBox() *toastBox {
	t := &toastBox{text: NewText("", ColorText, 13), actions: Row(14), close: NewIconButton(GlyphClose, words.T("kit.close"), nil)}
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer implements fyne.Widget.
func (t *toastBox) CreateRenderer() fyne.WidgetRenderer {
	bg := box(6)
	row := Row(14, t.text, t.actions, t.close)
	look := func() { paint(bg, Color(ColorRaised), Color(ColorFaint)) }
	look()
	return &renderer{
		of:   t,
		objs: []fyne.CanvasObject{bg, row},
		layout: func(s fyne.Size) {
			put(bg, 0, 0, s.Width, s.Height)
			put(row, Px(14), 0, s.Width-Px(22), s.Height)
		},
		min: func() fyne.Size {
			m := row.MinSize()
			return fyne.NewSize(m.Width+Px(22), Px(36))
		},
		refresh: func() { look(); row.Refresh(); canvas.Refresh(t) },
	}
}
