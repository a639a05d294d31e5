package chart

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"palimpsest/gui/kit"
)

// Tapped chooses the cell.
func (h *HeatMap) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(h); c != nil {
		c.Focus(h)
	}
	h.choose(h.at(e.Position))
}

// DoubleTapped opens the cell.
func (h *HeatMap) DoubleTapped(e *fyne.PointEvent) {
	if cell := h.at(e.Position); cell >= 0 {
		h.choose(cell)
		h.open()
	}
}

func (h *HeatMap) open() {
	if h.OnOpen != nil && h.selected >= 0 {
		h.OnOpen(h.selected)
	}
}

// MouseIn implements desktop.Hoverable.
func (h *HeatMap) MouseIn(e *desktop.MouseEvent) { h.MouseMoved(e) }

// MouseMoved reports which cell the pointer is over.
func (h *HeatMap) MouseMoved(e *desktop.MouseEvent) { h.hover(h.at(e.Position)) }

// MouseOut implements desktop.Hoverable.
func (h *HeatMap) MouseOut() { h.hover(-1) }

func (h *HeatMap) hover(cell int) {
	if cell == h.hovered {
		return
	}
	h.hovered = cell
	if h.OnHover != nil {
		h.OnHover(cell)
	}
}

// FocusGained implements fyne.Focusable.
func (h *HeatMap) FocusGained() { h.focused = true; h.replace() }

// FocusLost implements fyne.Focusable.
func (h *HeatMap) FocusLost() { h.focused = false; h.replace() }

// TypedRune hands letters on to the window's shortcuts.
func (h *HeatMap) TypedRune(r rune) { kit.PassRune(h, r) }

// TypedKey moves the choice.
func (h *HeatMap) TypedKey(e *fyne.KeyEvent) {
	nx, ny := len(h.data.Columns), len(h.data.Rows)
	if nx*ny == 0 {
		kit.PassKey(h, e)
		return
	}
	at := h.selected
	if at < 0 {
		at = max(0, h.data.Current)
	}
	x, y := at%nx, at/nx
	switch e.Name {
	case fyne.KeyLeft:
		x--
	case fyne.KeyRight:
		x++
	case fyne.KeyUp:
		y++
	case fyne.KeyDown:
		y--
	case fyne.KeyHome:
		x = 0
	case fyne.KeyEnd:
		x = nx - 1
	case fyne.KeyReturn, fyne.KeyEnter:
		h.open()
		return
	default:
		kit.PassKey(h, e)
		return
	}
	h.choose(max(0, min(ny-1, y))*nx + max(0, min(nx-1, x)))
}
