package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Pane is a framed region: a head of 30 units with a title at the left and
// items at the right, a line, and the body. Without a title and items it has
// no head.
type Pane struct {
	widget.BaseWidget
	title *Text
	left  []fyne.CanvasObject
	right []fyne.CanvasObject
	body  fyne.CanvasObject
	head  *fyne.Container
}

// NewPane makes a pane; the items stand at the right end of the head.
func NewPane(title string, body fyne.CanvasObject, items ...fyne.CanvasObject) *Pane {
	p := &Pane{title: Label(title).Bold(), body: body, right: items}
	p.ExtendBaseWidget(p)
	p.build()
	return p
}

// SetTitle changes the title.
func (p *Pane) SetTitle(s string) { p.title.SetText(s) }

// SetLeft puts items beside the title.
func (p *Pane) SetLeft(items ...fyne.CanvasObject) { p.left = items; p.build(); p.Refresh() }

// SetRight replaces the items at the right.
func (p *Pane) SetRight(items ...fyne.CanvasObject) { p.right = items; p.build(); p.Refresh() }

// SetBody replaces the body.
func (p *Pane) SetBody(o fyne.CanvasObject) { p.body = o; p.Refresh() }

func (p *Pane) build() {
	p.head = nil
	if p.title.Text() == "" && len(p.left)+len(p.right) == 0 {
		return
	}
	items := append([]fyne.CanvasObject{p.title}, p.left...)
	items = append(items, Spring())
	p.head = Row(10, append(items, p.right...)...)
}

// CreateRenderer is Fyne's.
func (p *Pane) CreateRenderer() fyne.WidgetRenderer {
	bg, rule := box(6), box(0)
	r := &renderer{}
	look := func() {
		paint(bg, Color(ColorPanel), Color(ColorLine))
		paint(rule, Color(ColorLine), nil)
		r.objs = append(r.objs[:0], bg)
		if p.head != nil {
			r.objs = append(r.objs, rule, p.head)
		}
		r.objs = append(r.objs, p.body)
	}
	top := func() float32 {
		if p.head == nil {
			return 1
		}
		return Px(30) + 1
	}
	r.layout = func(s fyne.Size) {
		put(bg, 0, 0, s.Width, s.Height)
		y := top()
		if p.head != nil {
			put(p.head, Px(10), 1, s.Width-Px(10)-Px(8), y-2)
			put(rule, 1, y-1, s.Width-2, 1)
		}
		put(p.body, 1, y, s.Width-2, s.Height-y-1)
	}
	r.min = func() fyne.Size {
		m := p.body.MinSize()
		if p.head != nil {
			m.Width = fyne.Max(m.Width, p.head.MinSize().Width+Px(18))
		}
		return fyne.NewSize(m.Width+2, m.Height+top()+1)
	}
	r.refresh = func() {
		look()
		r.layout(p.BaseWidget.Size())
		canvas.Refresh(p)
	}
	look()
	return r
}
