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

// mergeLayout puts the three columns and what is lost beside each other. In a narrow
// window what is lost has no column.
type mergeLayout struct{ p *Screen }

// Widths in units of the design.
const jointsWidth, jointsNarrow, lostWidth, paneGap = 64, 40, 310, 6

// MinSize implements fyne.Layout.
func (l *mergeLayout) MinSize(objs []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(2*kit.Px(320)+kit.Px(jointsNarrow), fyne.Max(objs[0].MinSize().Height, kit.Px(200)))
}

// Layout implements fyne.Layout.
func (l *mergeLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	l.p.resized(s)
	joints, lost := kit.Px(jointsWidth), kit.Px(lostWidth+paneGap)
	show.SetVisible(objs[3], !l.p.narrow || l.p.head.Mode.Selected() == ModeLost)
	if l.p.narrow {
		joints, lost = kit.Px(jointsNarrow), 0
	}
	half := (s.Width - joints - lost) / 2
	widths := []float32{half, joints, half}
	wide := l.p.head.Mode.Selected() == ModeColumns
	if wide {
		widths = []float32{0, 0, s.Width - lost}
	}
	show.SetVisible(objs[0], !wide)
	show.SetVisible(objs[1], !wide)
	x := float32(0)
	for i, w := range widths {
		objs[i].Move(fyne.NewPos(x, 0))
		objs[i].Resize(fyne.NewSize(w, s.Height))
		x += w
	}
	if !l.p.narrow {
		objs[3].Move(fyne.NewPos(s.Width-lost+kit.Px(paneGap), 0))
		objs[3].Resize(fyne.NewSize(lost-kit.Px(paneGap), s.Height))
	} else { // below the head of the right side
		top := l.p.head.obj.MinSize().Height
		objs[3].Move(fyne.NewPos(s.Width-half, top))
		objs[3].Resize(fyne.NewSize(half, s.Height-top))
	}
	l.p.lights.connect()
}
