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

type drawnRenderer struct{ d drawn }

func (r *drawnRenderer) Layout(s fyne.Size)           { r.d.layout(s) }
func (r *drawnRenderer) MinSize() fyne.Size           { return fyne.NewSize(kit.Px(200), kit.Px(120)) }
func (r *drawnRenderer) Refresh()                     { r.d.refresh() }
func (r *drawnRenderer) Objects() []fyne.CanvasObject { return r.d.objects() }
func (r *drawnRenderer) Destroy()                     {}
