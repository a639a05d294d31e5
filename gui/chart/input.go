package chart

import (
	"math"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"palimpsest/gui/kit"
)

type dragKind uint8

const (
	dragNone dragKind = iota
	dragZoom
	dragLevel
	dragBand
)

type dragState struct {
	kind       dragKind
	id         string
	start, now float64
	beyond     float64 // the value of a level that is pulled down from above the axis
}

// grip is how near the pointer must be to grab a line, in units.
const grip = 6

// target is what a drag from a place would move.
func (t *Timeline) target(at fyne.Position) dragState {
	for _, l := range t.data.Levels {
		d := dragState{kind: dragLevel, id: l.ID}
		near, to := float64(kit.Px(grip)), t.BaseWidget.Size().Width
		if l.Value > t.paint.top { // by its tag alone
			d.beyond, d.now, near, to = l.Value, l.Value, float64(kit.Px(tagHeight))/2, t.over.tagEnd
		}
		if l.Drag && at.X <= to && math.Abs(float64(at.Y)-t.tagY(l)) <= near && float64(at.X) >= t.area.x-4 {
			return d
		}
	}
	for _, b := range t.data.Bands {
		if b.Drag && math.Abs(float64(at.X)-t.px(b.From)) <= float64(kit.Px(grip)) {
			return dragState{kind: dragBand, id: b.ID}
		}
	}
	return dragState{kind: dragZoom, start: t.valueX(at.X)}
}

// valueAt is the height of the first series at an x.
func (t *Timeline) valueAt(x float64) (float64, bool) {
	if len(t.data.Series) == 0 {
		return 0, false
	}
	return At(t.data.Series[0].Points, x)
}

// At is the value of a curve at the last point not after x.
func At(pts []Point, x float64) (float64, bool) {
	i := sort.Search(len(pts), func(i int) bool { return pts[i].X > x })
	if i == 0 {
		return 0, false
	}
	return pts[i-1].Y, true
}

// MouseDown remembers where a drag would begin.
func (t *Timeline) MouseDown(e *desktop.MouseEvent) {
	t.drag = dragState{}
	t.last = e.Position
}

// MouseUp selects the place of a click; a drag ends in DragEnd.
func (t *Timeline) MouseUp(e *desktop.MouseEvent) {
	if t.drag.kind != dragNone || e.Button != desktop.MouseButtonPrimary {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(t); c != nil {
		c.Focus(t)
	}
	if m, ok := t.markAt(e.Position); ok && t.OnMark != nil {
		t.choose(m.X)
		t.OnMark(m)
		return
	}
	t.choose(t.pointed(e.Position))
}

// pointed is the x that the pointer at a place means, for its words and for a
// click alike.
func (t *Timeline) pointed(at fyne.Position) float64 {
	x := t.valueX(at.X)
	if t.Snap != nil {
		return t.Snap(x)
	}
	return math.Round(x)
}

// markAt is the mark whose diamond or triangle is at a place; of several the
// nearest.
func (t *Timeline) markAt(at fyne.Position) (Mark, bool) {
	f := t.area
	var best Mark
	near := float64(kit.Px(grip)) + .5
	for _, m := range t.data.Marks {
		if m.X < t.from || m.X > t.to {
			continue
		}
		y := f.y - markRise
		if m.Simulated {
			y = f.y + f.h - triangleSize/2
		}
		d := math.Max(math.Abs(t.px(m.X)-float64(at.X)), math.Abs(y-float64(at.Y)))
		if d < near {
			near, best = d, m
		}
	}
	return best, near < float64(kit.Px(grip))+.5
}

func (t *Timeline) choose(x float64) {
	x = math.Max(t.data.XMin, math.Min(t.data.XMax, math.Round(x)))
	if t.OnSelect != nil && t.data.XMax > t.data.XMin {
		t.OnSelect(x)
	}
}

// TappedSecondary opens the menu of a place.
func (t *Timeline) TappedSecondary(e *fyne.PointEvent) {
	if t.OnMenu != nil && len(t.data.Series) > 0 {
		t.OnMenu(math.Max(t.data.XMin, math.Min(t.data.XMax, math.Round(t.pointed(e.Position)))), e.AbsolutePosition)
	}
}

// DoubleTapped shows everything again.
func (t *Timeline) DoubleTapped(*fyne.PointEvent) { t.userView(t.data.XMin, t.data.XMax) }

// Dragged moves what was taken hold of, or spans the range to zoom to.
func (t *Timeline) Dragged(e *fyne.DragEvent) {
	kit.HideTipOf(t)
	if t.drag.kind == dragNone {
		t.drag = t.target(e.Position.Subtract(e.Dragged))
	}
	t.last = e.Position
	switch t.drag.kind {
	case dragLevel:
		now := t.valueY(e.Position.Y)
		if t.drag.beyond > 0 && float64(e.Position.Y) <= t.area.y+float64(kit.Px(tagHeight)) {
			if now = t.drag.beyond; now == t.drag.now {
				break // not pulled down yet
			}
		}
		if t.drag.now = now; t.OnDragLevel != nil {
			t.OnDragLevel(t.drag.id, now, false)
		}
	case dragBand:
		t.drag.now = t.valueX(e.Position.X)
		if t.OnDragBand != nil {
			t.OnDragBand(t.drag.id, t.drag.now, false)
		}
	default:
		t.drag.now = t.valueX(e.Position.X)
		t.replace()
	}
}

// DragEnd finishes a drag.
func (t *Timeline) DragEnd() {
	d := t.drag
	t.drag = dragState{}
	switch d.kind {
	case dragLevel:
		if t.OnDragLevel != nil {
			t.OnDragLevel(d.id, d.now, true)
		}
		t.Refresh() // on the axis of its present place
	case dragBand:
		if t.OnDragBand != nil {
			t.OnDragBand(d.id, d.now, true)
		}
	case dragZoom:
		a, b := math.Min(d.start, d.now), math.Max(d.start, d.now)
		if t.px(b)-t.px(a) >= grip {
			t.userView(a, b)
		} else {
			t.choose(t.pointed(t.last)) // a click with an unsteady hand
		}
	}
	t.hoverX = t.pointed(t.last) // the pointer moved, and perhaps what is under it
	t.replace()
}

// Scrolled zooms at the pointer; with a sideways wheel it moves.
func (t *Timeline) Scrolled(e *fyne.ScrollEvent) {
	kit.HideTipOf(t)
	if w := t.to - t.from; e.Scrolled.DX != 0 && math.Abs(float64(e.Scrolled.DX)) > math.Abs(float64(e.Scrolled.DY)) {
		d := -float64(e.Scrolled.DX) / t.area.w * w
		t.userView(t.from+d, t.to+d)
		return
	}
	t.zoom(t.valueX(e.Position.X), math.Pow(1.0015, -float64(e.Scrolled.DY)*4))
}

// zoom multiplies the visible range by a factor around an x.
func (t *Timeline) zoom(at, factor float64) {
	factor = math.Max(.2, math.Min(5, factor))
	t.userView(at-(at-t.from)*factor, at+(t.to-at)*factor)
}

// MouseIn implements desktop.Hoverable.
func (t *Timeline) MouseIn(e *desktop.MouseEvent) { t.MouseMoved(e) }

// MouseMoved shows the words at the pointer.
func (t *Timeline) MouseMoved(e *desktop.MouseEvent) {
	t.last = e.Position
	f := t.area
	x := float64(e.Position.X)
	t.hovering = x >= f.x && x <= f.x+f.w && len(t.data.Series) > 0
	t.hoverX = t.pointed(e.Position)
	if t.OnHover != nil {
		t.OnHover(t.hoverX, t.hovering)
	}
	t.replace()
}

// MouseOut implements desktop.Hoverable.
func (t *Timeline) MouseOut() {
	t.hovering = false
	if t.OnHover != nil {
		t.OnHover(0, false)
	}
	t.replace()
}

// Cursor shows by its shape what can be dragged.
func (t *Timeline) Cursor() desktop.Cursor {
	d := t.drag
	if d.kind == dragNone {
		d = t.target(t.last)
	}
	if _, ok := t.markAt(t.last); ok && t.drag.kind == dragNone && t.OnMark != nil {
		return desktop.PointerCursor
	}
	switch d.kind {
	case dragLevel:
		return desktop.VResizeCursor
	case dragBand:
		return desktop.HResizeCursor
	}
	return desktop.CrosshairCursor
}

// FocusGained implements fyne.Focusable.
func (t *Timeline) FocusGained() { t.focused = true; t.replace() }

// FocusLost implements fyne.Focusable.
func (t *Timeline) FocusLost() { t.focused = false; t.replace() }

// TypedRune zooms with + and −, shows everything with 0.
func (t *Timeline) TypedRune(r rune) {
	m := (t.from + t.to) / 2
	if t.hasCursor && t.cursor >= t.from && t.cursor <= t.to {
		m = t.cursor
	}
	switch r {
	case '+', '=':
		t.zoom(m, .7)
	case '-', '−':
		t.zoom(m, 1/.7)
	case '0':
		t.userView(t.data.XMin, t.data.XMax)
	default:
		kit.PassRune(t, r)
	}
}

// TypedKey moves the cursor.
func (t *Timeline) TypedKey(e *fyne.KeyEvent) {
	x := t.cursor
	switch e.Name {
	case fyne.KeyLeft:
		x--
	case fyne.KeyRight:
		x++
	case fyne.KeyPageUp:
		x -= (t.to - t.from) / 10
	case fyne.KeyPageDown:
		x += (t.to - t.from) / 10
	case fyne.KeyHome:
		x = t.data.XMin
	case fyne.KeyEnd:
		x = t.data.XMax
	default:
		kit.PassKey(t, e)
		return
	}
	t.choose(x)
}
