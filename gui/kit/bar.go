package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Bar is a share of a track.
type Bar struct {
	widget.BaseWidget
	value float64
	color fyne.ThemeColorName
	tick  float64
}

// NewBar makes a bar; value is from 0 to 1.
func NewBar(value float64, c fyne.ThemeColorName) *Bar {
	b := &Bar{value: value, color: c, tick: -1}
	b.ExtendBaseWidget(b)
	return b
}

// Set changes value and colour.
func (b *Bar) Set(value float64, c fyne.ThemeColorName) {
	if b.value != value || b.color != c {
		b.value, b.color = value, c
		b.Refresh()
	}
}

// SetTick marks a place of the track; below 0: none.
func (b *Bar) SetTick(at float64) {
	if b.tick != at {
		b.tick = at
		b.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (b *Bar) CreateRenderer() fyne.WidgetRenderer {
	track, done, tick := box(3), box(3), box(0)
	look := func() {
		paint(track, Color(ColorRaised), nil)
		paint(done, Color(b.color), nil)
		paint(tick, Color(ColorAccent), nil)
		tick.Hidden = b.tick < 0
	}
	place := func(s fyne.Size) {
		h := Px(6)
		put(track, 0, (s.Height-h)/2, s.Width, h)
		put(done, 0, (s.Height-h)/2, clamp(float32(b.value), 0, 1)*s.Width, h)
		put(tick, clamp(float32(b.tick), 0, 1)*s.Width-Px(1), (s.Height-2*h)/2, Px(2), 2*h)
	}
	return &renderer{
		of: b, look: look,
		objs:   []fyne.CanvasObject{track, done, tick},
		layout: place,
		min:    func() fyne.Size { return fyne.NewSize(Px(24), Px(6)) },
	}
}

// BarPart is one segment of a StackBar.
type BarPart struct {
	Value float64
	Color fyne.ThemeColorName
	Text  string // drawn inside if it fits
}

// StackBar is a track with segments one after the other, drawn to a common
// scale so that two bars above each other can be compared.
type StackBar struct {
	widget.BaseWidget
	parts  []BarPart
	scale  float64
	height float32
	note   string
}

// NewStackBar makes an empty bar of a height in units of the design.
func NewStackBar(height float32) *StackBar {
	b := &StackBar{height: height}
	b.ExtendBaseWidget(b)
	return b
}

// Set shows segments; scale is the value that fills the whole track, and 0
// means their sum. The note is at the right end if there is room.
func (b *StackBar) Set(parts []BarPart, scale float64, note string) {
	b.parts, b.scale, b.note = parts, scale, note
	b.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (b *StackBar) CreateRenderer() fyne.WidgetRenderer {
	track, note := box(2), line(11, false, fyne.TextAlignTrailing)
	r := &renderer{of: b}
	var fills []*canvas.Rectangle
	var texts []*canvas.Text
	look := func() {
		for len(fills) < len(b.parts) {
			fills = append(fills, box(0))
			texts = append(texts, line(11, true, fyne.TextAlignLeading))
		}
		paint(track, Color(ColorRaised), nil)
		note.Color, note.TextSize = Color(ColorFaint), FontPx(11)
		r.objs = append(r.objs[:0], track)
		for i, p := range b.parts {
			tint(fills[i], Color(p.Color))
			texts[i].Color, texts[i].TextSize = Color(ColorOnAccent), FontPx(11)
			r.objs = append(r.objs, fills[i], texts[i])
		}
		r.objs = append(r.objs, note)
	}
	r.look = look
	r.layout = func(s fyne.Size) {
		put(track, 0, 0, s.Width, s.Height)
		total := b.scale
		if total <= 0 {
			for _, p := range b.parts {
				total += p.Value
			}
		}
		if total <= 0 {
			total = 1
		}
		var sum float64
		for i, p := range b.parts {
			x0 := float32(sum / total * float64(s.Width))
			sum += p.Value
			x1 := fyne.Min(s.Width, float32(sum/total*float64(s.Width)))
			put(fills[i], x0, 0, fyne.Max(0, x1-x0-1), s.Height)
			texts[i].Text = ""
			if w := width(p.Text, FontPx(11), fyne.TextStyle{Bold: true}); p.Text != "" && w+Px(10) <= x1-x0 && s.Height >= Px(15) {
				texts[i].Text = p.Text
			}
			mid(texts[i], x0+Px(6), 0, fyne.Max(0, x1-x0-Px(8)), s.Height)
		}
		end := float32(sum / total * float64(s.Width))
		note.Text = ""
		if w := width(b.note, FontPx(11), fyne.TextStyle{}); end+w+Px(16) <= s.Width {
			note.Text = b.note
		}
		mid(note, end, 0, fyne.Max(0, s.Width-end-Px(8)), s.Height)
	}
	r.min = func() fyne.Size { return fyne.NewSize(Px(60), Px(b.height)) }
	return r
}

// Swatch is a short piece of a chart's curve, for a legend.
type Swatch struct {
	widget.BaseWidget
	color  fyne.ThemeColorName
	dotted bool
}

// NewSwatch makes a swatch, solid or dotted.
func NewSwatch(c fyne.ThemeColorName, dotted bool) *Swatch {
	s := &Swatch{color: c, dotted: dotted}
	s.ExtendBaseWidget(s)
	return s
}

// CreateRenderer implements fyne.Widget.
func (s *Swatch) CreateRenderer() fyne.WidgetRenderer {
	const dots = 3
	var parts [dots]*canvas.Rectangle
	objs := make([]fyne.CanvasObject, dots)
	for i := range parts {
		parts[i] = box(0)
		objs[i] = parts[i]
	}
	place := func(z fyne.Size) {
		for i, p := range parts {
			tint(p, Color(s.color))
			w, x := z.Width/(2*dots-1), float32(2*i)*z.Width/(2*dots-1)
			if !s.dotted {
				w, x = z.Width/dots, float32(i)*z.Width/dots
			}
			put(p, x, z.Height/2-.75, w, 1.5)
		}
	}
	return &renderer{
		of:     s,
		objs:   objs,
		layout: place,
		min:    func() fyne.Size { return fyne.NewSize(Px(16), Px(12)) },
	}
}
