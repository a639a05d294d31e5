package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Segments is a choice of one among a few, all of them visible.
type Segments struct {
	control
	// OnChanged is told the index a person chose.
	OnChanged func(int)

	names    []string
	selected int
	over     int
}

// NewSegments makes the choice; selected is an index into names.
func NewSegments(names []string, selected int, changed func(int)) *Segments {
	s := &Segments{names: names, selected: selected, OnChanged: changed, over: -1}
	s.init(s)
	return s
}

// Selected is the chosen index.
func (s *Segments) Selected() int { return s.selected }

// Select chooses an index without telling OnChanged.
func (s *Segments) Select(i int) {
	if i != s.selected && i >= 0 && i < len(s.names) {
		s.selected = i
		s.Refresh()
	}
}

// SetNames changes the words; their number must stay the same.
func (s *Segments) SetNames(names []string) { s.names = names; s.Refresh() }

func (s *Segments) choose(i int) {
	if s.disabled || i < 0 || i >= len(s.names) || i == s.selected {
		return
	}
	s.selected = i
	s.Refresh()
	if s.OnChanged != nil {
		s.OnChanged(i)
	}
}

// Tapped implements fyne.Tappable.
func (s *Segments) Tapped(e *fyne.PointEvent) { s.choose(s.at(e.Position.X)) }

// TypedKey moves the choice with the arrow keys.
func (s *Segments) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		s.choose(s.selected - 1)
	case fyne.KeyRight:
		s.choose(s.selected + 1)
	default:
		PassKey(s, e)
	}
}

func (s *Segments) segWidth(i int) float32 {
	return width(s.names[i], FontPx(12), fyne.TextStyle{Bold: true}) + 2*Px(10)
}

func (s *Segments) at(x float32) int {
	for i := range s.names {
		if x -= s.segWidth(i); x < 0 {
			return i
		}
	}
	return len(s.names) - 1
}

// CreateRenderer implements fyne.Widget.
func (s *Segments) CreateRenderer() fyne.WidgetRenderer {
	frame := box(4)
	objs := []fyne.CanvasObject{frame}
	var fills []*canvas.Rectangle
	var texts []*canvas.Text
	for range s.names {
		f, t := box(3), line(12, true, fyne.TextAlignCenter)
		fills, texts = append(fills, f), append(texts, t)
		objs = append(objs, f, t)
	}
	look := func() {
		paint(frame, Color(ColorRaised), s.border(ColorLine))
		for i := range fills {
			t := texts[i]
			t.Text, t.TextSize, t.Color = s.names[i], FontPx(12), Color(ColorMuted)
			paint(fills[i], color.Transparent, nil)
			if i == s.selected {
				t.Color = Color(ColorText)
				paint(fills[i], Color(ColorSelection), nil)
			}
			if s.disabled {
				t.Color = Color(ColorFaint)
			}
		}
	}
	place := func(z fyne.Size) {
		put(frame, 0, 0, z.Width, z.Height)
		var total float32
		for i := range s.names {
			total += s.segWidth(i)
		}
		x, spare := float32(0), (z.Width-total)/float32(max(1, len(s.names)))
		for i := range fills {
			w := s.segWidth(i) + fyne.Max(0, spare)
			put(fills[i], x+1, 1, w-2, z.Height-2)
			mid(texts[i], x, 0, w, z.Height)
			x += w
		}
	}
	return &renderer{
		of: s, look: look,
		objs:   objs,
		layout: place,
		min: func() fyne.Size {
			var w float32
			for i := range s.names {
				w += s.segWidth(i)
			}
			return fyne.NewSize(w, Px(24))
		},
	}
}
