package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Pane is a framed region: a head of 30 units with a title at the left and
// items at the right, a line, and the body. Without a title and items it has
// no head.
type Pane struct {
	widget.BaseWidget
	title *Text
	about fyne.CanvasObject // the title, with words about it
	left  []fyne.CanvasObject
	right []fyne.CanvasObject
	body  fyne.CanvasObject
}

// NewPane makes a pane; the items are at the right end of the head.
func NewPane(title string, body fyne.CanvasObject, items ...fyne.CanvasObject) *Pane {
	p := &Pane{title: Label(title).Bold(), body: body, right: items}
	p.title.Fit()
	p.about = p.title
	p.ExtendBaseWidget(p)
	return p
}

// SetTitle changes the title.
func (p *Pane) SetTitle(s string) { p.title.SetText(s) }

// WithTip gives the title the words of a key, and returns the pane.
func (p *Pane) WithTip(key string) *Pane { p.about = Means(p.title, key); return p }

// SetLeft puts items beside the title.
func (p *Pane) SetLeft(items ...fyne.CanvasObject) { p.left = items; p.Refresh() }

// SetRight replaces the items at the right.
func (p *Pane) SetRight(items ...fyne.CanvasObject) { p.right = items; p.Refresh() }

// headed reports whether there is a head.
func (p *Pane) headed() bool { return p.title.Text() != "" || len(p.left)+len(p.right) > 0 }

// away is where an item of the head waits that has no room.
const away = -20000

// saying reports whether an item of the head is words alone.
func saying(o fyne.CanvasObject) bool {
	if c, ok := o.(*fyne.Container); ok && len(c.Objects) == 1 {
		o = c.Objects[0]
	}
	if h, ok := o.(*hint); ok {
		o = h.of
	}
	_, ok := o.(*Text)
	return ok
}

// placeHead puts the items into the head. Where there is no room, the items
// nearest to the middle go first, and words at the end before the title is cut.
func (p *Pane) placeHead(w, h float32) {
	gap, end := Px(10), w-Px(8)
	title := width(p.title.Text(), FontPx(13), fyne.TextStyle{Bold: true}) + 1
	put1 := func(o fyne.CanvasObject, x, w float32) {
		m := o.MinSize()
		put(o, x, 1+(h-1-m.Height)/2, w, m.Height)
	}
	wide := func(o fyne.CanvasObject, room float32) float32 { // as far as there is room
		w := o.MinSize().Width
		if w+more(o) <= room {
			w += more(o)
		}
		return w
	}
	need := Px(10) + fyne.Min(title, w*.7) // what a pane is called is read before its items
	var others float32                     // at the left of an item
	for _, o := range p.right {
		if o.Visible() {
			others += o.MinSize().Width + gap
		}
	}
	for i := len(p.right) - 1; i >= 0; i-- {
		if !p.right[i].Visible() {
			continue
		}
		others -= p.right[i].MinSize().Width + gap
		mw := wide(p.right[i], end-need-others)
		said := saying(p.right[i])
		if end-mw < need && (said || i < len(p.right)-1) {
			for _, o := range p.right[:i+1] {
				put1(o, away, o.MinSize().Width)
			}
			break
		}
		end -= mw
		put1(p.right[i], end, mw)
		end -= gap
	}
	title = fyne.Min(title, fyne.Max(0, end-Px(10)))
	mid(p.about, Px(10), 1, title, h-1)
	x := Px(10) + title
	if p.title.Text() != "" {
		x += gap
	}
	for _, o := range p.left {
		if !o.Visible() {
			continue
		}
		if mw := wide(o, end-x); x+mw <= end {
			put1(o, x, mw)
			x += mw + gap
		} else {
			put1(o, away, mw)
		}
	}
}

// CreateRenderer implements fyne.Widget.
func (p *Pane) CreateRenderer() fyne.WidgetRenderer {
	bg, rule := newGround(6), box(0)
	r := &renderer{of: p}
	look := func() {
		bg.look()
		tint(rule, Color(ColorLine))
		r.objs = append(r.objs[:0], bg.objects()...)
		if p.headed() {
			r.objs = append(r.objs, rule, p.about)
			r.objs = append(append(r.objs, p.left...), p.right...)
		}
		r.objs = append(r.objs, p.body)
	}
	top := func() float32 {
		if !p.headed() {
			return 1
		}
		return Px(30) + 1
	}
	r.look = look
	r.layout = func(s fyne.Size) {
		bg.resize(s)
		y := top()
		if p.headed() {
			p.placeHead(s.Width, y-1)
			put(rule, 1, y-1, s.Width-2, 1)
		}
		put(p.body, 1, y, s.Width-2, s.Height-y-1)
	}
	r.min = func() fyne.Size {
		m := p.body.MinSize()
		if n := len(p.right); p.headed() && n > 0 && p.right[n-1].Visible() {
			m.Width = fyne.Max(m.Width, p.right[n-1].MinSize().Width+Px(90))
		}
		return fyne.NewSize(m.Width+2, m.Height+top()+1)
	}
	return r
}
