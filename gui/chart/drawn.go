package chart

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
)

// drawn is a chart of a raster with words over it.
type drawn interface {
	layout(fyne.Size)
	refresh()
	objects() []fyne.CanvasObject
}

type drawnRenderer struct {
	d     drawn
	stale kit.Stale
}

func (r *drawnRenderer) Layout(s fyne.Size) { r.d.layout(s) }
func (r *drawnRenderer) MinSize() fyne.Size { return fyne.NewSize(kit.Px(200), kit.Px(120)) }
func (r *drawnRenderer) Refresh()           { r.d.refresh() }
func (r *drawnRenderer) Destroy()           {}

func (r *drawnRenderer) Objects() []fyne.CanvasObject {
	if r.stale.Due() {
		r.Refresh()
	}
	return r.d.objects()
}
