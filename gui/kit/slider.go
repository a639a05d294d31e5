package kit

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Slider chooses a number of a range by dragging, with the arrow keys (Shift
// ten steps at once) and with a click on its track.
type Slider struct {
	control
	// OnChanged gets each value while the thumb moves; OnChangeEnded the
	// value when it is let go. SetValue calls neither.
	OnChanged, OnChangeEnded func(float64)

	min, max, step, value float64
	dragging              bool
}

// NewSlider makes a slider from lo to hi in steps; a step of 0 is continuous.
func NewSlider(lo, hi, step, value float64) *Slider {
	s := &Slider{min: lo, max: hi, step: step}
	s.value = s.legal(value)
	s.init(s)
	return s
}

// Value is the number chosen.
func (s *Slider) Value() float64 { return s.value }

// SetValue shows a number without a callback.
func (s *Slider) SetValue(v float64) {
	if v = s.legal(v); v != s.value {
		s.value = v
		s.Refresh()
	}
}

// SetRange changes the ends and the step.
func (s *Slider) SetRange(lo, hi, step float64) {
	s.min, s.max, s.step = lo, hi, step
	s.value = s.legal(s.value)
	s.Refresh()
}

func (s *Slider) legal(v float64) float64 {
	if s.step > 0 {
		v = s.min + math.Round((v-s.min)/s.step)*s.step
	}
	if math.IsNaN(v) {
		v = s.min
	}
	return math.Max(s.min, math.Min(s.max, v))
}

// move is a change by a person.
func (s *Slider) move(v float64) {
	if v = s.legal(v); s.disabled || v == s.value {
		return
	}
	s.value = v
	s.Refresh()
	if s.OnChanged != nil {
		s.OnChanged(v)
	}
}

func (s *Slider) ended() {
	if !s.disabled && s.OnChangeEnded != nil {
		s.OnChangeEnded(s.value)
	}
}

func (s *Slider) moveTo(x float32) {
	r := Px(thumb) / 2
	w := s.BaseWidget.Size().Width - 2*r
	if w > 0 {
		s.move(s.min + float64((x-r)/w)*(s.max-s.min))
	}
}

// Dragged implements fyne.Draggable.
func (s *Slider) Dragged(e *fyne.DragEvent) { HideTipOf(s); s.dragging = true; s.moveTo(e.Position.X) }

// DragEnd implements fyne.Draggable.
func (s *Slider) DragEnd() { s.dragging = false; s.ended() }

// Tapped jumps to the place that was clicked.
func (s *Slider) Tapped(e *fyne.PointEvent) {
	if s.disabled {
		return
	}
	focus(s)
	s.moveTo(e.Position.X)
	s.ended()
}

// TypedKey moves the value with the arrow keys, PgUp, PgDn, Home and End.
func (s *Slider) TypedKey(e *fyne.KeyEvent) {
	step := s.step
	if step == 0 {
		step = (s.max - s.min) / 100
	}
	if s.shift {
		step *= 10
	}
	old := s.value
	switch e.Name {
	case fyne.KeyLeft, fyne.KeyDown:
		s.move(s.value - step)
	case fyne.KeyRight, fyne.KeyUp:
		s.move(s.value + step)
	case fyne.KeyPageDown:
		s.move(s.value - 10*step)
	case fyne.KeyPageUp:
		s.move(s.value + 10*step)
	case fyne.KeyHome:
		s.move(s.min)
	case fyne.KeyEnd:
		s.move(s.max)
	default:
		PassKey(s, e)
		return
	}
	if s.value != old {
		s.ended()
	}
}

const thumb = 14

func (s *Slider) share(v float64) float32 {
	if s.max <= s.min {
		return 0
	}
	return clamp(float32((v-s.min)/(s.max-s.min)), 0, 1)
}

// CreateRenderer implements fyne.Widget.
func (s *Slider) CreateRenderer() fyne.WidgetRenderer {
	track, done := box(2), box(2)
	halo, knob := canvas.NewCircle(nil), canvas.NewCircle(nil)
	look := func() {
		ink := Color(ColorAccent)
		if s.disabled {
			ink = Color(ColorFaint)
		}
		paint(track, Color(ColorLine), nil)
		paint(done, ink, nil)
		knob.FillColor = ink
		if s.hovered && !s.disabled {
			knob.FillColor = blend(ink, Color(ColorText), .2)
		}
		halo.FillColor = fade(ink, .3)
		halo.Hidden = !s.focused && !s.dragging || s.disabled
	}
	place := func(z fyne.Size) {
		d := Px(thumb)
		x := d/2 + s.share(s.value)*(z.Width-d)
		y := z.Height / 2
		put(track, 0, y-2, z.Width, 4)
		put(done, 0, y-2, x, 4)
		put(knob, x-d/2, y-d/2, d, d)
		put(halo, x-d/2-4, y-d/2-4, d+8, d+8)
	}
	return &renderer{
		of: s, look: look,
		objs:   []fyne.CanvasObject{track, done, halo, knob},
		layout: place,
		min:    func() fyne.Size { return fyne.NewSize(Px(48), Px(24)) },
	}
}
