package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/model"
)

// spanMark frames a part of the history on a bar that is drawn along it.
type spanMark struct {
	obj         *fyne.Container
	edges       [2]*kit.Fill
	place, over model.Range
}

func newSpanMark(bar fyne.CanvasObject) *spanMark {
	m := &spanMark{edges: [2]*kit.Fill{kit.NewFill(kit.ColorText, 0), kit.NewFill(kit.ColorText, 0)}}
	m.obj = container.New(m, bar, m.edges[0], m.edges[1])
	return m
}

// set frames a place of what the bar is drawn over; an empty one is no place.
func (m *spanMark) set(place, over model.Range) {
	m.place, m.over = place, over
	m.Layout(m.obj.Objects, m.obj.Size())
	m.obj.Refresh()
}

// MinSize is Fyne's.
func (m *spanMark) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

// Layout is Fyne's.
func (m *spanMark) Layout(o []fyne.CanvasObject, s fyne.Size) {
	o[0].Move(fyne.NewPos(0, 0))
	o[0].Resize(s)
	shown := m.place.To > m.place.From && m.over.To > m.over.From && m.place.To > m.over.From && m.place.From < m.over.To
	for i, at := range []int{m.place.From, m.place.To} {
		e := m.edges[i]
		if e.Hidden = !shown; !shown {
			continue
		}
		share := float32(at-m.over.From) / float32(m.over.To-m.over.From)
		x := max(0, min(1, share)) * (s.Width - kit.Px(1.5))
		e.Move(fyne.NewPos(x, 0))
		e.Resize(fyne.NewSize(kit.Px(1.5), s.Height))
	}
}
