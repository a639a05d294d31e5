package show

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/model"
)

// SpanMark frames a part of the history on a bar that is drawn along it.
type SpanMark struct {
	Obj         *fyne.Container
	edges       [2]*kit.Fill
	place, over model.Range
}

func NewSpanMark(bar fyne.CanvasObject) *SpanMark {
	m := &SpanMark{edges: [2]*kit.Fill{kit.NewFill(kit.ColorText, 0), kit.NewFill(kit.ColorText, 0)}}
	m.Obj = container.New(m, bar, m.edges[0], m.edges[1])
	return m
}

// Set frames a place of what the bar is drawn over; an empty one is no place.
func (m *SpanMark) Set(place, over model.Range) {
	m.place, m.over = place, over
	m.Layout(m.Obj.Objects, m.Obj.Size())
	m.Obj.Refresh()
}

// MinSize is Fyne's.
func (m *SpanMark) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

// Layout is Fyne's.
func (m *SpanMark) Layout(o []fyne.CanvasObject, s fyne.Size) {
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
