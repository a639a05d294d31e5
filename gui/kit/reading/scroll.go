package reading

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
)

// scrollBar shows which part of the body is seen, and where the hits are. Fyne's
// own counts in pixels, of which a long body has more than a float can count exactly.
type scrollBar struct {
	widget.BaseWidget
	v     *View
	thumb *canvas.Rectangle
	ticks []*canvas.Rectangle
	objs  []fyne.CanvasObject
	grab  float32 // where in the thumb a drag began
	over  bool
	seen  [4]float32 // what was drawn last: hits, generation, size, rows
}

func newScrollBar(v *View) *scrollBar {
	b := &scrollBar{v: v, thumb: canvas.NewRectangle(color.Transparent)}
	b.ExtendBaseWidget(b)
	return b
}

// span is where the thumb is and how long.
func (b *scrollBar) span() (y, h float32) {
	all, size := float64(len(b.v.lay.Rows))+.3, b.BaseWidget.Size().Height
	page := b.v.page()
	if all <= page || size <= 0 {
		return 0, 0
	}
	h = max(kit.Px(18), size*float32(page/all))
	return (size - h) * float32(b.v.top/(all-page)), h
}

// mostTicks bounds what is drawn; more would run into each other.
const mostTicks = 200

func (b *scrollBar) update() {
	y, h := b.span()
	b.thumb.Hidden = h == 0
	b.thumb.FillColor, b.thumb.CornerRadius = kit.Color(theme.ColorNameScrollBar), kit.Px(3)
	inset := kit.Px(3)
	if b.over {
		inset = kit.Px(1)
	}
	w := b.BaseWidget.Size().Width
	b.thumb.Move(fyne.NewPos(inset, y))
	b.thumb.Resize(fyne.NewSize(w-2*inset, h))
	canvas.Refresh(b.thumb)
	now := [4]float32{float32(len(b.v.hits)), float32(b.v.gen), b.BaseWidget.Size().Height, float32(len(b.v.lay.Rows))}
	if now == b.seen {
		return
	}
	b.seen = now
	b.objs = append(b.objs[:0], b.thumb)
	if len(b.v.hits) == 0 {
		return
	}
	step := max(1, len(b.v.hits)/mostTicks)
	for i, n := 0, 0; i < len(b.v.hits); i, n = i+step, n+1 {
		row := b.v.lay.RowOf(b.v.hits[i].Start())
		if row < 0 {
			continue
		}
		for n >= len(b.ticks) {
			b.ticks = append(b.ticks, canvas.NewRectangle(color.Transparent))
		}
		t := b.ticks[n]
		high := kit.Px(2)
		if i <= b.v.current && b.v.current < i+step {
			high = kit.Px(4)
		}
		t.FillColor = kit.Color(kit.ColorAccent)
		t.Move(fyne.NewPos(1, (now[2]-high)*float32(row)/max(1, now[3])))
		t.Resize(fyne.NewSize(w-2, high))
		b.objs = append(b.objs, t)
	}
	canvas.Refresh(b)
}

// to scrolls so that the thumb begins at y.
func (b *scrollBar) to(y float32) {
	_, h := b.span()
	if room := b.BaseWidget.Size().Height - h; h > 0 && room > 0 {
		b.v.scrollTo(float64(y/room) * (float64(len(b.v.lay.Rows)) + .3 - b.v.page()))
	}
}

// MouseDown takes the thumb, or brings it to the pointer.
func (b *scrollBar) MouseDown(e *desktop.MouseEvent) {
	y, h := b.span()
	b.grab = e.Position.Y - y
	if b.grab < 0 || b.grab > h {
		b.grab = h / 2
		b.to(e.Position.Y - b.grab)
	}
}

// MouseUp implements desktop.Mouseable.
func (b *scrollBar) MouseUp(*desktop.MouseEvent) {}

// Dragged implements fyne.Draggable.
func (b *scrollBar) Dragged(e *fyne.DragEvent) { b.to(e.Position.Y - b.grab) }

// DragEnd implements fyne.Draggable.
func (b *scrollBar) DragEnd() {}

// Scrolled implements fyne.Scrollable.
func (b *scrollBar) Scrolled(e *fyne.ScrollEvent) { b.v.Scrolled(e) }

// MouseIn implements desktop.Hoverable.
func (b *scrollBar) MouseIn(*desktop.MouseEvent) { b.over = true; b.update() }

// MouseMoved implements desktop.Hoverable.
func (b *scrollBar) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (b *scrollBar) MouseOut() { b.over = false; b.update() }

// CreateRenderer implements fyne.Widget.
func (b *scrollBar) CreateRenderer() fyne.WidgetRenderer {
	b.objs = append(b.objs[:0], b.thumb)
	b.seen = [4]float32{}
	return &kit.Parts{Place: func(fyne.Size) { b.update() }, Least: func() fyne.Size { return fyne.NewSize(kit.Px(barWidth), 0) },
		Again: func() { b.seen = [4]float32{}; b.update() }, List: func() []fyne.CanvasObject { return b.objs }}
}
