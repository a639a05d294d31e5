package grid

import (
	"image/color"
	"regexp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
)

// HitText is a line of text in which the places of a word are marked.
type HitText struct {
	widget.BaseWidget
	ink        fyne.ThemeColorName
	text, word string
	re         *regexp.Regexp // marked in the place of a word; nil: the word is
	fill       []*canvas.Rectangle
	line       *canvas.Text
}

// NewHitText makes a line in a colour.
func NewHitText(ink fyne.ThemeColorName) *HitText {
	h := &HitText{ink: ink, line: canvas.NewText("", color.Transparent)}
	h.ExtendBaseWidget(h)
	return h
}

// Set changes the text, and the word that is marked in it whatever its case; "" marks
// nothing.
func (h *HitText) Set(text, word string) {
	if text = kit.Clean(text); text != h.text || word != h.word {
		h.text, h.word = text, word
		h.Refresh()
	}
}

// Find changes the text, and what is marked in it; nil marks nothing.
func (h *HitText) Find(text string, re *regexp.Regexp) {
	h.text, h.word, h.re = kit.Clean(text), "", re
	h.Refresh()
}

// hits are the places of the word in the text that is seen.
func (h *HitText) hits(seen string) (spans [][2]int) {
	if h.re != nil {
		for _, at := range h.re.FindAllStringIndex(seen, -1) {
			spans = append(spans, [2]int{at[0], at[1]})
		}
		return spans
	}
	low, word := strings.ToLower(seen), strings.ToLower(h.word)
	if word == "" || len(low) != len(seen) { // a letter whose small form has another length
		return nil
	}
	for from := 0; ; {
		i := strings.Index(low[from:], word)
		if i < 0 {
			return spans
		}
		spans = append(spans, [2]int{from + i, from + i + len(word)})
		from += i + len(word)
	}
}

// CreateRenderer implements fyne.Widget.
func (h *HitText) CreateRenderer() fyne.WidgetRenderer {
	return &kit.Parts{Place: h.place, Least: func() fyne.Size { return fyne.NewSize(0, h.line.MinSize().Height) },
		Again: func() { h.place(h.Size()); canvas.Refresh(h) }, List: func() (list []fyne.CanvasObject) {
			for _, f := range h.fill {
				list = append(list, f)
			}
			return append(list, h.line)
		}}
}

// place writes the words into a room, with what is found behind them.
func (h *HitText) place(s fyne.Size) {
	size := kit.FontPx(textSize)
	h.line.TextSize, h.line.Color = size, kit.Color(h.ink)
	h.line.Text = kit.Ellipsize(h.text, s.Width, size, fyne.TextStyle{})
	if hits := h.hits(h.text); len(hits) > 0 {
		h.line.Text = kit.EllipsizeAround(h.text, hits[0], s.Width, size, fyne.TextStyle{})
	}
	width := func(s string) float32 { return fyne.MeasureText(s, size, fyne.TextStyle{}).Width }
	high := h.line.MinSize().Height
	put(h.line, 0, (s.Height-high)/2, s.Width, high)
	h.fill = h.fill[:0]
	for _, span := range h.hits(h.line.Text) {
		n := color.NRGBAModel.Convert(kit.Color(kit.ColorAccent)).(color.NRGBA)
		n.A = 87 // 34 %
		f := canvas.NewRectangle(n)
		f.CornerRadius = 2
		put(f, width(h.line.Text[:span[0]]), (s.Height-high)/2, width(h.line.Text[span[0]:span[1]]), high)
		h.fill = append(h.fill, f)
	}
}
