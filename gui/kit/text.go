package kit

import (
	"iter"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit/faces"
)

// Text is one line of text without padding, in a named colour. It is cleaned
// of what no font can draw. By default it is as wide as its words; after
// [Text.Fit] it takes the width it is given and ends in an ellipsis.
type Text struct {
	widget.BaseWidget
	text  string
	color fyne.ThemeColorName
	size  float32
	style fyne.TextStyle
	align fyne.TextAlign
	fit   bool

	shorter []string // see SetTexts
}

// NewText makes a line of text; size is in units of the design: 13 for text, 12
// and 11 for what is secondary, 22 for the one big result.
func NewText(s string, c fyne.ThemeColorName, size float32) *Text {
	t := &Text{text: Clean(s), color: c, size: size}
	t.ExtendBaseWidget(t)
	return t
}

// Label is text of the ordinary size and colour.
func Label(s string) *Text { return NewText(s, ColorText, 13) }

// Caption is the small text under a control that says what its value does.
func Caption(s string) *Text { return NewText(s, ColorFaint, 11).Fit() }

// Bold makes the text bold and returns it.
func (t *Text) Bold() *Text { t.style.Bold = true; return t }

// SetBold makes the text bold, or not.
func (t *Text) SetBold(on bool) {
	if t.style.Bold != on {
		t.style.Bold = on
		t.Refresh()
	}
}

// Mono makes the text monospaced and returns it.
func (t *Text) Mono() *Text { t.style.Monospace = true; return t }

// Right aligns the text to the right and returns it.
func (t *Text) Right() *Text { t.align = fyne.TextAlignTrailing; return t }

// Center centres the text and returns it.
func (t *Text) Center() *Text { t.align = fyne.TextAlignCenter; return t }

// Fit lets the text be narrower than its words and returns it.
func (t *Text) Fit() *Text { t.fit = true; return t }

// Text is what is shown.
func (t *Text) Text() string { return t.text }

// SetText changes the words.
func (t *Text) SetText(s string) { t.SetTexts(s) }

// SetTexts changes the words of a text that was made to [Text.Fit]: the first of them that
// has room is shown.
func (t *Text) SetTexts(s string, shorter ...string) {
	for i, x := range shorter {
		shorter[i] = Clean(x)
	}
	if s = Clean(s); s != t.text || !slices.Equal(shorter, t.shorter) {
		t.text, t.shorter = s, shorter
		t.Refresh()
	}
}

// within is what is shown in a width.
func (t *Text) within(room, size float32) string {
	text := t.text
	for _, s := range t.shorter {
		if width(text, size, t.style) <= room {
			break
		}
		text = s
	}
	return Ellipsize(text, room, size, t.style)
}

// SetColor changes the colour.
func (t *Text) SetColor(c fyne.ThemeColorName) {
	if c != t.color {
		t.color = c
		t.Refresh()
	}
}

// wanted is the width of all its words.
func (t *Text) wanted() float32 { return fyne.MeasureText(t.text, FontPx(t.size), t.style).Width + 1 }

// CreateRenderer implements fyne.Widget.
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	c := line(13, false, t.align)
	look := func() {
		c.Color, c.TextSize, c.TextStyle, c.Alignment = Color(t.color), FontPx(t.size), t.style, t.align
		c.Text = t.text
		if t.fit {
			c.Text = t.within(t.BaseWidget.Size().Width, c.TextSize)
		}
	}
	look()
	return &renderer{
		of: t, look: look,
		objs:   []fyne.CanvasObject{c},
		layout: func(s fyne.Size) { mid(c, 0, 0, s.Width, s.Height) },
		min: func() fyne.Size {
			m := fyne.MeasureText(t.text, FontPx(t.size), t.style)
			if t.fit {
				m.Width = 0
			}
			return m
		},
	}
}

// bolder are the CJK parts of those objects that are bold texts, to be drawn once more.
func bolder(objs []fyne.CanvasObject) (out []fyne.CanvasObject) {
	for _, o := range objs {
		t, ok := o.(*canvas.Text)
		if !ok || !t.TextStyle.Bold || !t.Visible() {
			continue
		}
		for run, x := range Bolder(t.Text, t.TextSize, t.TextStyle) {
			switch spare := t.Size().Width - t.MinSize().Width; t.Alignment {
			case fyne.TextAlignTrailing:
				x += spare
			case fyne.TextAlignCenter:
				x += spare / 2
			}
			again := canvas.NewText(run, t.Color)
			again.TextSize, again.TextStyle = t.TextSize, t.TextStyle
			put(again, t.Position().X+x, t.Position().Y, again.MinSize().Width, t.Size().Height)
			out = append(out, again)
		}
	}
	return out
}

// Bolder are the runs of a bold text that are drawn once more, each with its place: those
// of the CJK font, which has one weight, and a second one would make the program 4 MB
// larger. Latin letters have a bold face, and would be smeared. Glyphs are drawn at whole
// pixels, and so is what is drawn again.
func Bolder(s string, size float32, style fyne.TextStyle) iter.Seq2[string, float32] {
	return func(yield func(string, float32) bool) {
		if !style.Bold {
			return
		}
		const beside = .6
		end := 0 // of the run before
		for run := range strings.FieldsFuncSeq(s, func(r rune) bool { return r < faces.CJKFirst }) {
			begin := end + strings.Index(s[end:], run)
			end = begin + len(run)
			at := math.Floor(float64(width(s, size, style) - width(s[begin:], size, style)))
			if !yield(run, float32(at)+beside) {
				return
			}
		}
	}
}

// FontPx scales a text size without rounding it.
func FontPx(v float32) float32 { return v * Scale() }
