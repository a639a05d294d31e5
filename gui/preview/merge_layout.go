package preview

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/show"
)

// resized folds what is lost into a mode of the right side, or takes it out again.
func (p *Screen) resized(s fyne.Size) {
	narrow := s.Width < kit.Px(narrowWidth)
	if narrow != p.narrow {
		p.narrow = narrow
		p.head.setModes(narrow)
		if p.Open {
			p.showMode()
		}
	}
}

// mergeLayout puts both sides and what is lost beside each other. In a narrow window what
// is lost has no column.
type mergeLayout struct{ p *Screen }

// Widths in units of the design.
const lostWidth, paneGap = 310, 6

// MinSize implements fyne.Layout.
func (l *mergeLayout) MinSize(objs []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(2*kit.Px(320)+kit.Px(paneGap), fyne.Max(objs[0].MinSize().Height, kit.Px(200)))
}

// Layout implements fyne.Layout.
func (l *mergeLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	l.p.resized(s)
	was, will, lost := objs[0], objs[1], objs[2]
	gap, column := kit.Px(paneGap), float32(0)
	if !l.p.narrow {
		column = kit.Px(lostWidth + paneGap)
	}
	show.SetVisible(lost, !l.p.narrow || l.p.head.Mode.Selected() == ModeLost)
	alone := l.p.head.Mode.Selected() == ModeColumns
	show.SetVisible(was, !alone)
	half := (s.Width - gap - column) / 2
	left, width := half+gap, half
	if alone {
		left, width = 0, s.Width-column
	}
	place := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	}
	place(was, 0, 0, half, s.Height)
	place(will, left, 0, width, s.Height)
	if l.p.narrow { // below the head of the right side
		top := l.p.head.obj.MinSize().Height
		place(lost, s.Width-half, top, half, s.Height-top)
		return
	}
	place(lost, s.Width-column+gap, 0, column-gap, s.Height)
}
