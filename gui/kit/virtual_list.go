package kit

import (
	"image/color"
	"math"
	"slices"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// vlist shows the visible ones of any number of rows of one height. It makes as
// many row objects as fit, and moves and refills them while scrolling, so that
// its cost does not grow with the number of rows. Fyne's List is not used: its
// row pitch comes from the theme, and a theme of its own would load every font
// once more.
type vlist struct {
	widget.BaseWidget
	length func() int
	pitch  func() float32
	// height is that of a row; nil: all have the pitch. Rows of heights of their
	// own are summed up at every refill.
	height func(i int) float32
	tops   []float32
	create func() fyne.CanvasObject
	// update fills a row; it must skip the work when nothing changed.
	update   func(i int, o fyne.CanvasObject)
	onScroll func()

	scroll *container.Scroll
	body   *vlistBody
	shown  map[int]fyne.CanvasObject
	pool   []fyne.CanvasObject
	ticks  []int // rows that are marked at the edge
	marks  []fyne.CanvasObject
	first  int // row to be seen once the list is laid out; 0: its beginning

	scale  float32     // text size and
	ground color.Color // colour of panes that the rows are drawn for
}

func (l *vlist) init() {
	l.shown = map[int]fyne.CanvasObject{}
	l.body = &vlistBody{l: l}
	l.body.ExtendBaseWidget(l.body)
	l.scroll = container.NewVScroll(l.body)
	l.scroll.OnScrolled = func(fyne.Position) {
		HideTipOf(l)
		l.sync()
		if l.onScroll != nil {
			l.onScroll()
		}
	}
	l.ExtendBaseWidget(l)
}

// scrollQuietly scrolls without calling onScroll.
func (l *vlist) scrollQuietly(offset float32) {
	f := l.onScroll
	l.onScroll = nil
	l.scrollTo(offset)
	l.onScroll = f
}

// span is the visible rows, as a half-open range.
func (l *vlist) span() (from, to int) {
	p, n := l.pitch(), l.length()
	if p <= 0 {
		return 0, 0
	}
	top := l.scroll.Offset.Y
	if l.height != nil {
		n = min(n, len(l.tops)-1)
		if n <= 0 {
			return 0, 0
		}
		from = max(0, sort.Search(n, func(i int) bool { return l.tops[i+1] > top }))
		to = sort.Search(n, func(i int) bool { return l.tops[i] >= top+l.scroll.Size().Height })
		return min(from, to), to
	}
	from = max(0, int(top/p))
	to = min(n, int(math.Ceil(float64((top+l.scroll.Size().Height)/p))))
	return min(from, to), to
}

// place is where a row begins, and its height.
func (l *vlist) place(i int) (top, height float32) {
	if l.height != nil && i+1 < len(l.tops) {
		return l.tops[i], l.tops[i+1] - l.tops[i]
	}
	p := l.pitch()
	return float32(i) * p, p
}

// measure sums up the heights of rows that have their own.
func (l *vlist) measure() {
	if l.height == nil {
		return
	}
	l.tops = append(l.tops[:0], 0)
	for i := range l.length() {
		l.tops = append(l.tops, l.tops[i]+l.height(i))
	}
}

func (l *vlist) total() float32 {
	if l.height != nil && len(l.tops) > 0 {
		return l.tops[len(l.tops)-1]
	}
	return float32(l.length()) * l.pitch()
}

// sync makes the row objects agree with what is to be seen.
func (l *vlist) sync() {
	from, to := l.span()
	for i, o := range l.shown {
		if i < from || i >= to {
			delete(l.shown, i)
			l.pool = append(l.pool, o)
		}
	}
	w := l.body.Size().Width
	changed := false
	for i := from; i < to; i++ {
		o := l.shown[i]
		if o == nil {
			if n := len(l.pool); n > 0 {
				o, l.pool = l.pool[n-1], l.pool[:n-1]
			} else {
				o = l.create()
			}
			l.shown[i] = o
			changed = true
		}
		y, h := l.place(i)
		put(o, 0, y, w, h)
		l.update(i, o)
	}
	if changed || len(l.shown) != len(l.body.objs) {
		l.body.objs = l.body.objs[:0]
		for i := from; i < to; i++ {
			l.body.objs = append(l.body.objs, l.shown[i])
		}
		if l.body.r != nil {
			l.body.r.objs = l.body.objs
		}
	}
}

// refill shows the rows again after their number or content changed.
func (l *vlist) refill() {
	l.measure()
	l.body.Resize(fyne.NewSize(l.scroll.Size().Width, fyne.Max(l.body.MinSize().Height, l.scroll.Size().Height)))
	most := fyne.Max(0, l.body.MinSize().Height-l.scroll.Size().Height)
	if l.scroll.Offset.Y > most {
		l.scroll.Offset.Y = most
	}
	l.scroll.Refresh()
	l.sync()
}

// redraw shows which rows are selected now, and new rows where it was scrolled.
func (l *vlist) redraw() {
	l.sync()
	canvas.Refresh(l.body)
}

// restyled reports whether the theme changed since it was asked last.
func (l *vlist) restyled() bool {
	was, ground := l.scale, l.ground
	l.scale, l.ground = Scale(), Color(ColorPanel)
	return l.scale != was || l.ground != ground
}

// restyle fills every visible row again, after a change of theme.
func (l *vlist) restyle() {
	l.pool = nil
	clear(l.shown)
	l.refill()
}

// scrollTo brings the top of the window to an offset in units of the canvas.
func (l *vlist) scrollTo(y float32) {
	most := fyne.Max(0, l.body.MinSize().Height-l.scroll.Size().Height)
	y = clamp(y, 0, most)
	if y == l.scroll.Offset.Y {
		return
	}
	l.scroll.ScrollToOffset(fyne.NewPos(0, y))
	l.sync()
}

// reveal scrolls as little as needed to make a row visible.
func (l *vlist) reveal(i int) {
	y, p := l.place(i)
	h := l.scroll.Size().Height
	if h <= 0 {
		return // not laid out yet; the list begins at its top
	}
	switch top := l.scroll.Offset.Y; {
	case y < top:
		l.scrollTo(y)
	case y+p > top+h:
		l.scrollTo(y + p - h)
	}
}

// sees reports whether a row is seen whole.
func (l *vlist) sees(i int) bool {
	y, p := l.place(i)
	top, h := l.scroll.Offset.Y, l.scroll.Size().Height
	return i >= 0 && top <= y && y+p <= top+h
}

// centre brings a row that is not seen to the middle; before the list is laid
// out, once it is.
func (l *vlist) centre(i int) {
	h := l.scroll.Size().Height
	if h <= 0 {
		l.first = i
		return
	}
	y, p := l.place(i)
	if top := l.scroll.Offset.Y; y < top || y+p > top+h {
		l.scrollTo(y + p/2 - h/2)
	}
}

// page is how many whole rows are visible.
func (l *vlist) page() int { return max(1, int(l.scroll.Size().Height/l.pitch())) }

// CreateRenderer implements fyne.Widget.
func (l *vlist) CreateRenderer() fyne.WidgetRenderer {
	l.restyled()
	r := &renderer{of: l, objs: []fyne.CanvasObject{l.scroll}, min: func() fyne.Size { return fyne.NewSize(Px(40), l.pitch()) }}
	edge := func() {
		l.placeTicks()
		r.objs = append([]fyne.CanvasObject{l.scroll}, l.marks...)
	}
	r.layout = func(s fyne.Size) {
		put(l.scroll, 0, 0, s.Width, s.Height)
		l.refill()
		if l.first > 0 {
			l.centre(l.first)
			l.first = 0
		}
		edge()
	}
	r.refresh = func() { l.refill(); edge(); canvas.Refresh(l.scroll) }
	return r
}

// setTicks marks rows at the right edge, each where the scroll bar is when it is
// seen.
func (l *vlist) setTicks(rows []int) {
	if !slices.Equal(l.ticks, rows) {
		l.ticks = rows
		l.Refresh()
	}
}

// mostTicks bounds what is drawn; more would run into each other.
const mostTicks = 400

// placeTicks makes the marks at the edge; rows at the same height have one.
func (l *vlist) placeTicks() {
	l.marks = nil
	size, total, last := l.BaseWidget.Size(), l.total(), float32(-10)
	if total <= 0 {
		return
	}
	for _, i := range l.ticks {
		top, height := l.place(i)
		y := float32(int((top + height/2) / fyne.Max(total, size.Height) * size.Height))
		if y-last < Px(3) || len(l.marks) >= mostTicks {
			continue
		}
		last = y
		b := box(0)
		paint(b, Color(ColorAccent), nil)
		put(b, size.Width-Px(8), y, Px(8), Px(2))
		l.marks = append(l.marks, b)
	}
}

// vlistBody is as high as all rows and holds the visible ones.
type vlistBody struct {
	widget.BaseWidget
	l    *vlist
	objs []fyne.CanvasObject
	r    *renderer
}

// CreateRenderer implements fyne.Widget.
func (b *vlistBody) CreateRenderer() fyne.WidgetRenderer {
	b.r = &renderer{
		of:      b,
		objs:    b.objs,
		layout:  func(fyne.Size) { b.l.sync() },
		min:     func() fyne.Size { return fyne.NewSize(0, b.l.total()) },
		refresh: func() { b.l.sync() },
	}
	return b.r
}
