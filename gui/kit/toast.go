package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

const toastTime = 6 * time.Second

// Toast shows a short message at the lower edge for some seconds, with an
// optional action such as Undo. It does not stop the work below; a new one
// takes the place of the old.
func (h *Host) Toast(text, action string, do func()) {
	t := h.toast
	if t.stop != nil {
		t.stop()
	}
	hide := func() { t.Hide(); h.Refresh() }
	t.text.SetText(text)
	t.action.Hide()
	if action != "" {
		t.action.SetText(action)
		t.action.OnTapped = func() {
			hide()
			if do != nil {
				do()
			}
		}
		t.action.Show()
	}
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

func (h *Host) placeToast() {
	m, s := h.toast.MinSize(), h.BaseWidget.Size()
	m.Width = fyne.Min(m.Width, s.Width-24)
	put(h.toast, (s.Width-m.Width)/2, s.Height-m.Height-Px(42), m.Width, m.Height)
}

type toastBox struct {
	widget.BaseWidget
	text   *Text
	action *Link
	close  *IconButton
	stop   func()
}

func newToastBox() *toastBox {
	t := &toastBox{text: NewText("", ColorText, 13), action: NewLink("", nil), close: NewIconButton(GlyphClose, "", nil)}
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer implements fyne.Widget.
func (t *toastBox) CreateRenderer() fyne.WidgetRenderer {
	bg := box(6)
	row := Row(14, t.text, t.action, t.close)
	look := func() { paint(bg, Color(ColorRaised), Color(ColorFaint)) }
	look()
	return &renderer{
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
