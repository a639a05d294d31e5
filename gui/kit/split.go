package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Keeps says what keeps its size when the window changes its own.
type Keeps uint8

// What can be kept.
const (
	KeepShare  Keeps = iota // both parts their share
	KeepFirst               // the first part its length
	KeepSecond              // the second part its length
)

// Split puts two panes beside or above each other with a gap of 6 units that
// can be dragged; a double click on it goes back to the first setting. Either
// pane can be hidden.
type Split struct {
	widget.BaseWidget
	// OnChanged gets the setting when a drag ends, to be saved.
	OnChanged func(at float32)

	first, second fyne.CanvasObject
	down          bool
	keeps         Keeps
	at            float32 // share of the first part, or a length of the design
	start         float32
	bar           *splitBar
	within        bool

	spared fyne.CanvasObject // the part that is not shown where there is no room for both; nil: none
	gone   bool              // it is not
	turned func(gone bool)   // hears when that changes; may be nil
}

// NewSplit puts panes beside each other, or above each other with down. at is
// the share of the first (0–1) with KeepShare, else the length of the part that
// is kept, in units of the design.
func NewSplit(down bool, first, second fyne.CanvasObject, keeps Keeps, at float32) *Split {
	s := &Split{first: first, second: second, down: down, keeps: keeps, at: at, start: at}
	s.bar = &splitBar{s: s}
	s.bar.usual = says("kit.split.tip")
	s.bar.init(s.bar)
	s.ExtendBaseWidget(s)
	return s
}

// Within says that the parts are within a pane, so that no background shows
// between them, and returns the split.
func (s *Split) Within() *Split { s.within = true; return s }

// Spare says that a part is not shown where there is no room for both, and returns the
// split. turned hears when it goes and when it comes back; nil: nobody asks.
func (s *Split) Spare(part fyne.CanvasObject, turned func(gone bool)) *Split {
	s.spared, s.turned = part, turned
	return s
}

// At is the present setting.
func (s *Split) At() float32 { return s.at }

// SetAt changes the setting without a callback.
func (s *Split) SetAt(at float32) {
	if s.at != at {
		s.at = at
		s.Refresh()
	}
}

// ShowFirst shows or hides the first part.
func (s *Split) ShowFirst(on bool) { s.showPart(s.first, on) }

// ShowSecond shows or hides the second part.
func (s *Split) ShowSecond(on bool) { s.showPart(s.second, on) }

func (s *Split) showPart(o fyne.CanvasObject, on bool) {
	if on {
		o.Show()
	} else {
		o.Hide()
	}
	s.Refresh()
}

func (s *Split) along(z fyne.Size) float32 {
	if s.down {
		return z.Height
	}
	return z.Width
}

const splitGap = 6

// length is that of the first part.
func (s *Split) length(total float32) float32 {
	gap := Px(splitGap)
	var v float32
	switch s.keeps {
	case KeepFirst:
		v = Px(s.at)
	case KeepSecond:
		v = total - gap - Px(s.at)
	default:
		v = float32(int((total - gap) * s.at))
	}
	lo := s.along(s.first.MinSize())
	hi := total - gap - s.along(s.second.MinSize())
	return fyne.Max(fyne.Min(v, hi), fyne.Min(lo, total-gap))
}

// drag moves the gap so that the first part has a length.
func (s *Split) drag(v float32) {
	total := s.along(s.BaseWidget.Size())
	gap := Px(splitGap)
	v = clamp(v, s.along(s.first.MinSize()), fyne.Max(0, total-gap-s.along(s.second.MinSize())))
	switch s.keeps {
	case KeepFirst:
		s.at = v / Scale()
	case KeepSecond:
		s.at = (total - gap - v) / Scale()
	default:
		if total > gap {
			s.at = v / (total - gap)
		}
	}
	s.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (s *Split) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{of: s, objs: []fyne.CanvasObject{s.first, s.second, s.bar}}
	r.layout = func(z fyne.Size) {
		s.bar.Hidden = !s.first.Visible() || !s.second.Visible()
		if s.bar.Hidden {
			put(s.first, 0, 0, z.Width, z.Height)
			put(s.second, 0, 0, z.Width, z.Height)
			return
		}
		gone := s.spared != nil && s.along(z) < s.along(s.first.MinSize())+s.along(s.second.MinSize())+Px(splitGap)
		if gone {
			s.bar.Hidden = true
			left := s.first
			if s.spared == s.first {
				left = s.second
			}
			put(s.spared, away, 0, s.spared.MinSize().Width, z.Height)
			put(left, 0, 0, z.Width, z.Height)
		}
		if gone != s.gone {
			if s.gone = gone; s.turned != nil {
				s.turned(gone)
			}
		}
		if gone {
			return
		}
		v, gap := s.length(s.along(z)), Px(splitGap)
		if s.down {
			put(s.first, 0, 0, z.Width, v)
			put(s.bar, 0, v, z.Width, gap)
			put(s.second, 0, v+gap, z.Width, fyne.Max(0, z.Height-v-gap))
			return
		}
		put(s.first, 0, 0, v, z.Height)
		put(s.bar, v, 0, gap, z.Height)
		put(s.second, v+gap, 0, fyne.Max(0, z.Width-v-gap), z.Height)
	}
	r.min = func() fyne.Size {
		var a, b fyne.Size
		if s.first.Visible() && s.first != s.spared {
			a = s.first.MinSize()
		}
		if s.second.Visible() && s.second != s.spared {
			b = s.second.MinSize()
		}
		gap := Px(splitGap)
		if !s.first.Visible() || !s.second.Visible() {
			gap = 0
		}
		if s.down {
			return fyne.NewSize(fyne.Max(a.Width, b.Width), a.Height+b.Height+gap)
		}
		return fyne.NewSize(a.Width+b.Width+gap, fyne.Max(a.Height, b.Height))
	}
	r.refresh = func() {
		r.layout(s.BaseWidget.Size())
		canvas.Refresh(s.bar)
	}
	return r
}

// splitBar is the gap between the panes.
type splitBar struct {
	control
	s *Split
}

// Cursor implements desktop.Cursorable.
func (b *splitBar) Cursor() desktop.Cursor {
	if b.s.down {
		return desktop.VResizeCursor
	}
	return desktop.HResizeCursor
}

// Dragged moves the gap.
func (b *splitBar) Dragged(e *fyne.DragEvent) {
	HideTipOf(b)
	p := b.Position()
	if b.s.down {
		b.s.drag(p.Y + e.Position.Y - Px(splitGap)/2)
		return
	}
	b.s.drag(p.X + e.Position.X - Px(splitGap)/2)
}

// DragEnd calls OnChanged.
func (b *splitBar) DragEnd() { b.tell() }

func (b *splitBar) tell() {
	if b.s.OnChanged != nil {
		b.s.OnChanged(b.s.at)
	}
}

// DoubleTapped goes back to the first setting.
func (b *splitBar) DoubleTapped(*fyne.PointEvent) {
	b.s.SetAt(b.s.start)
	b.tell()
}

// CreateRenderer implements fyne.Widget.
func (b *splitBar) CreateRenderer() fyne.WidgetRenderer {
	ground, r := box(0), box(2)
	look := func() {
		if !b.s.within {
			tint(ground, Color(ColorBackground))
		}
		paint(r, color.Transparent, nil)
		if b.hovered {
			paint(r, fade(Color(ColorAccent), .5), nil)
		}
	}
	return &renderer{
		of: b, look: look,
		objs: []fyne.CanvasObject{ground, r},
		layout: func(s fyne.Size) {
			put(ground, 0, 0, s.Width, s.Height)
			if b.s.down {
				put(r, 0, s.Height/2-1, s.Width, 2)
			} else {
				put(r, s.Width/2-1, 0, 2, s.Height)
			}
		},
		min: func() fyne.Size { return fyne.NewSize(1, 1) },
	}
}
