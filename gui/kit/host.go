package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
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

	content fyne.CanvasObject
	tip     *tipBox
	toast   *toastBox
	tipStop func()
}

// NewHost wraps the content of a window.
func NewHost(content fyne.CanvasObject) *Host {
	h := &Host{content: content, tip: newTipBox(), toast: newToastBox()}
	h.After = func(d time.Duration, f func()) func() {
		t := time.AfterFunc(d, func() { fyne.Do(f) })
		return func() { t.Stop() }
	}
	h.tip.Hide()
	h.toast.Hide()
	h.ExtendBaseWidget(h)
	return h
}

// SetContent puts other content in.
func (h *Host) SetContent(o fyne.CanvasObject) {
	h.content = o
	h.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (h *Host) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{objs: []fyne.CanvasObject{h.content, h.tip, h.toast}}
	r.layout = func(s fyne.Size) {
		put(h.content, 0, 0, s.Width, s.Height)
		h.placeToast()
	}
	r.min = func() fyne.Size { return h.content.MinSize() }
	r.refresh = func() {
		r.objs[0] = h.content
		r.layout(h.BaseWidget.Size())
		canvas.Refresh(h)
	}
	return r
}

const tipDelay = 450 * time.Millisecond

// hostOf finds the host a widget floats its tip in: the window's, or that of
// the dialog it stands in.
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

func showTip(w fyne.CanvasObject, text string, at fyne.Position) {
	h := hostOf(w)
	if h == nil {
		return
	}
	h.hideTip()
	h.tipStop = h.After(tipDelay, func() {
		h.tip.set(text)
		h.tip.Resize(h.tip.MinSize())
		m, s := h.tip.MinSize(), h.BaseWidget.Size()
		origin := fyne.CurrentApp().Driver().AbsolutePositionForObject(h)
		x, y := at.X-origin.X+Px(10), at.Y-origin.Y+Px(18)
		if y+m.Height > s.Height {
			y = at.Y - origin.Y - m.Height - Px(8)
		}
		h.tip.Move(fyne.NewPos(clamp(x, 0, fyne.Max(0, s.Width-m.Width-2)), y))
		h.tip.Show()
	})
}

// HideTip takes away the words that float at the pointer, as when a key changes
// what lies under it.
func HideTip(c fyne.Canvas) {
	if h, ok := c.Content().(*Host); ok {
		h.hideTip()
	}
}

func hideTip(w fyne.CanvasObject) {
	if h := hostOf(w); h != nil {
		h.hideTip()
	}
}

func (h *Host) hideTip() {
	if h.tipStop != nil {
		h.tipStop()
		h.tipStop = nil
	}
	h.tip.Hide()
}

// tipBox is the tooltip: up to six lines in a small frame.
type tipBox struct {
	widget.BaseWidget
	lines []string
}

func newTipBox() *tipBox {
	t := &tipBox{}
	t.ExtendBaseWidget(t)
	return t
}

func (t *tipBox) set(s string) {
	t.lines = wrapWords(Clean(s), Px(320), FontPx(12), 6)
	t.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (t *tipBox) CreateRenderer() fyne.WidgetRenderer {
	bg := box(4)
	r := &renderer{objs: []fyne.CanvasObject{bg}}
	r.layout = func(s fyne.Size) {
		put(bg, 0, 0, s.Width, s.Height)
		for i, o := range r.objs[1:] {
			put(o, Px(8), Px(5)+float32(i)*Px(17), s.Width-Px(16), Px(17))
		}
	}
	r.min = func() fyne.Size {
		var w float32
		for _, l := range t.lines {
			w = fyne.Max(w, width(l, FontPx(12), fyne.TextStyle{}))
		}
		return fyne.NewSize(w+Px(16), float32(len(t.lines))*Px(17)+Px(10))
	}
	r.refresh = func() {
		paint(bg, Color(ColorRaised), Color(ColorLine))
		r.objs = r.objs[:1]
		for _, l := range t.lines {
			c := line(FontPx(12), false, fyne.TextAlignLeading)
			c.Text, c.Color = l, Color(ColorText)
			r.objs = append(r.objs, c)
		}
		r.layout(t.BaseWidget.Size())
		canvas.Refresh(t)
	}
	return r
}
