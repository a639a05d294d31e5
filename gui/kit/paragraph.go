package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Paragraph is a sentence or two that wrap at the width they are given. Its
// height follows the width it had last, so what holds it is laid out twice when
// the width changes; [Flow] does that.
type Paragraph struct {
	widget.BaseWidget
	text  string
	color fyne.ThemeColorName
	size  float32
	most  int
	pitch float32 // height of a line
	room  float32 // the width to wrap at; 0: the one it has
	align fyne.TextAlign
}

// NewParagraph makes a paragraph of at most so many lines.
func NewParagraph(text string, c fyne.ThemeColorName, size float32, most int) *Paragraph {
	p := &Paragraph{text: Clean(text), color: c, size: size, most: most, pitch: size * 1.36}
	p.ExtendBaseWidget(p)
	return p
}

// Set changes words and colour.
func (p *Paragraph) Set(text string, c fyne.ThemeColorName) {
	if text = Clean(text); text != p.text || c != p.color {
		p.text, p.color = text, c
		p.Refresh()
	}
}

// SetLines is Set for words of several lines.
func (p *Paragraph) SetLines(text string, c fyne.ThemeColorName) {
	if text = cleanBlock(text); text != p.text || c != p.color {
		p.text, p.color = text, c
		p.Refresh()
	}
}

// SetText changes the words.
func (p *Paragraph) SetText(s string) { p.Set(s, p.color) }

// Center centres the lines and returns the paragraph.
func (p *Paragraph) Center() *Paragraph { p.align = fyne.TextAlignCenter; return p }

// Text is what is shown.
func (p *Paragraph) Text() string { return p.text }

// lines are the words as they are shown.
func (p *Paragraph) lines() []string {
	w := Px(p.room)
	if w == 0 {
		w = p.BaseWidget.Size().Width
	}
	if w <= 0 || p.text == "" {
		return []string{p.text}
	}
	return wrapWords(p.text, w, FontPx(p.size), p.most)
}

// CreateRenderer implements fyne.Widget.
func (p *Paragraph) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{of: p}
	r.layout = func(s fyne.Size) {
		lines, pitch := p.lines(), Px(p.pitch)
		top := max(0, (s.Height-float32(len(lines))*pitch)/2) // beside something higher
		for len(r.objs) < len(lines) {
			r.objs = append(r.objs, line(p.size, false, fyne.TextAlignLeading))
		}
		for i, o := range r.objs {
			t := o.(*canvas.Text)
			t.Text = ""
			if i < len(lines) {
				t.Text, t.TextSize, t.Color, t.Alignment = lines[i], FontPx(p.size), Color(p.color), p.align
				put(t, 0, top+float32(i)*pitch, s.Width, pitch)
			}
		}
	}
	r.min = func() fyne.Size {
		lines := p.lines()
		m := fyne.NewSize(0, float32(len(lines))*Px(p.pitch))
		for _, l := range lines {
			if p.room > 0 {
				m.Width = max(m.Width, width(l, FontPx(p.size), fyne.TextStyle{}))
			}
		}
		return m
	}
	return r
}

// Flow stacks objects like [Column] and lays them out a second time when that
// changed the height of one of them, as it does with a Paragraph.
func Flow(gap float32, objs ...fyne.CanvasObject) *fyne.Container {
	c := Column(gap, objs...)
	c.Layout = &flowLayout{rowLayout{gap: gap, down: true}}
	return c
}

type flowLayout struct{ rowLayout }

// Layout implements fyne.Layout.
func (l *flowLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	l.rowLayout.Layout(objs, s)
	l.rowLayout.Layout(objs, s)
}
