package preview

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// grip lies over a block's handle: dragging it moves the block to where it is let go.
type grip struct {
	widget.BaseWidget
	row *afterRow
	by  float32 // how far it was dragged, in units of the canvas
}

var (
	_ fyne.Draggable     = (*grip)(nil)
	_ desktop.Cursorable = (*grip)(nil)
)

func newGrip(row *afterRow) *grip {
	g := &grip{row: row}
	g.ExtendBaseWidget(g)
	return g
}

// CreateRenderer implements fyne.Widget.
func (g *grip) CreateRenderer() fyne.WidgetRenderer {
	over := canvas.NewRectangle(color.Transparent)
	over.Resize(g.Size()) // nothing lays out a renderer that is made again
	return widget.NewSimpleRenderer(over)
}

// Cursor implements desktop.Cursorable.
func (g *grip) Cursor() desktop.Cursor {
	if !g.row.p.Edits.movable(g.row.i) {
		return desktop.DefaultCursor
	}
	return desktop.VResizeCursor
}

// Dragged implements fyne.Draggable: the row on which the block would land is lit.
func (g *grip) Dragged(e *fyne.DragEvent) {
	if !g.row.p.Edits.movable(g.row.i) {
		return
	}
	g.by += e.Dragged.DY
	g.row.p.lights.showDrop(g.target())
}

// DragEnd implements fyne.Draggable.
func (g *grip) DragEnd() {
	p, from, to := g.row.p, g.row.p.Edits.blockAt(g.row.i), g.row.p.Edits.blockAt(g.target())
	g.by = 0
	p.lights.showDrop(-1)
	if from >= 0 && to >= 0 && from != to {
		p.Edits.MoveBlock(from, to-from)
	}
}

// target is the row under the pointer.
func (g *grip) target() int {
	return g.row.i + int(math.Round(float64(g.by/g.row.p.After.Pitch())))
}
