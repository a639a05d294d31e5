package kit

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// StatusBar is the line at the bottom of a window, 26 units high: a dot with a
// state, then facts, and facts at the right end. While work runs, a thin bar
// is on its upper edge.
type StatusBar struct {
	widget.BaseWidget
	// OnTapped gets which of the facts at the right was clicked.
	OnTapped func(right int)
	// Card explains the fact under the pointer: from 0 those at the left, after them those at
	// the right; nil: there is nothing more to it than its words.
	Card func(fact int) func() Card

	spots       []span // of the facts
	at          int    // the one under the pointer; −1: none
	dot         fyne.ThemeColorName
	left, right []string
	share       float64
}

// NewStatusBar makes an empty bar.
func NewStatusBar() *StatusBar {
	b := &StatusBar{dot: ColorMuted, share: -1, at: -1}
	b.ExtendBaseWidget(b)
	return b
}

// Set shows the facts; the first at the left is beside the dot.
func (b *StatusBar) Set(dot fyne.ThemeColorName, left, right []string) {
	if b.dot == dot && slices.Equal(b.left, left) && slices.Equal(b.right, right) {
		return // a frame for nothing
	}
	b.dot, b.left, b.right = dot, left, right
	b.Refresh()
}

// SetProgress shows how much of some work is done, from 0 to 1; a negative
// share hides the bar.
func (b *StatusBar) SetProgress(share float64) {
	if b.share != share {
		b.share = share
		b.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (b *StatusBar) Tapped(e *fyne.PointEvent) {
	for i := len(b.spots) - 1; i >= len(b.left) && b.OnTapped != nil; i-- {
		if e.Position.X >= b.spots[i].x-Px(12) {
			b.OnTapped(i - len(b.left))
			return
		}
	}
}

// MouseIn implements desktop.Hoverable.
func (b *StatusBar) MouseIn(e *desktop.MouseEvent) { b.point(e.Position.X) }

// MouseMoved implements desktop.Hoverable.
func (b *StatusBar) MouseMoved(e *desktop.MouseEvent) { b.point(e.Position.X) }

// MouseOut implements desktop.Hoverable.
func (b *StatusBar) MouseOut() { b.at = -1; HideTipOf(b) }

// point shows the card of the fact at x.
func (b *StatusBar) point(x float32) {
	i := slices.IndexFunc(b.spots, func(s span) bool { return s.has(x) })
	if i == b.at {
		return
	}
	b.at = i
	HideTipOf(b)
	if i < 0 || b.Card == nil {
		return
	}
	if card := b.Card(i); card != nil {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
		ShowCard(b, at.AddXY(b.spots[i].x, 0), fyne.NewSize(b.spots[i].w, b.BaseWidget.Size().Height), card)
	}
}

// CreateRenderer implements fyne.Widget.
func (b *StatusBar) CreateRenderer() fyne.WidgetRenderer {
	ground, rule, done := box(0), box(0), box(0)
	dot := canvas.NewCircle(color.Transparent)
	r := &renderer{of: b}
	var texts []*canvas.Text
	r.layout = func(s fyne.Size) {
		tint(ground, Color(ColorBackground))
		put(ground, 0, 0, s.Width, s.Height)
		tint(rule, Color(ColorLine))
		tint(done, Color(ColorAccent))
		put(rule, 0, 0, s.Width, 1)
		put(done, 0, 0, clamp(float32(b.share), 0, 1)*s.Width, 2)
		done.Hidden = b.share < 0
		dot.FillColor = Color(b.dot)
		d := Px(8)
		put(dot, Px(12), (s.Height-d)/2, d, d)
		n := len(b.left) + len(b.right)
		for len(texts) < n {
			texts = append(texts, line(12, false, fyne.TextAlignLeading))
		}
		r.objs = append(r.objs[:0], ground, rule, done, dot)
		show := func(i int, words string, x, room float32) float32 {
			t := texts[i]
			t.TextSize, t.Color = FontPx(12), Color(ColorMuted)
			t.Text = Ellipsize(Clean(words), room, FontPx(12), t.TextStyle)
			w := t.MinSize().Width
			mid(t, x, 1, w, s.Height)
			r.objs = append(r.objs, t)
			return w
		}
		end := s.Width - Px(12)
		b.spots = make([]span, n) // those of facts that have no room are empty
		for i := len(b.right) - 1; i >= 0; i-- {
			w := width(Clean(b.right[i]), FontPx(12), fyne.TextStyle{})
			end -= w
			b.spots[len(b.left)+i] = span{end, w}
			show(len(b.left)+i, b.right[i], end, w+1)
			end -= Px(24)
		}
		x := Px(26)
		for i, l := range b.left {
			if end-x < Px(20) || i > 1 && width(Clean(l), FontPx(12), fyne.TextStyle{}) > end-x {
				break // a fact is said whole or not at all
			}
			w := show(i, l, x, end-x)
			b.spots[i] = span{x, w}
			x += w + Px(24)
		}
	}
	r.min = func() fyne.Size { return fyne.NewSize(Px(200), Px(26)) }
	r.objs = []fyne.CanvasObject{ground, rule, done, dot}
	return r
}
