package kit

import (
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// textLine is one line object of a TextView.
type textLine struct {
	widget.BaseWidget
	v        *TextView
	line     Line
	selected bool
	filled   bool
	mono     bool
	bg       *canvas.Rectangle
	no, text *canvas.Text
}

func newTextLine(v *TextView) *textLine {
	n := &textLine{v: v, bg: box(0)}
	n.no = line(12, false, fyne.TextAlignTrailing)
	n.text = line(13, false, fyne.TextAlignLeading)
	n.ExtendBaseWidget(n)
	return n
}

func (n *textLine) show(i int) {
	l, sel := n.v.lines[i], i >= n.v.from && i < n.v.to
	if n.filled && n.line == l && n.selected == sel && n.mono == n.v.mono {
		return
	}
	n.filled, n.line, n.selected, n.mono = true, l, sel, n.v.mono
	n.fill()
}

var lineColors = map[LineKind]fyne.ThemeColorName{
	LinePlain: ColorText, LineHead: ColorMuted, LineMuted: ColorFaint,
	LineAdded: ColorKept, LineRemoved: ColorDropped, LineWarn: ColorWarning,
}

func (n *textLine) fill() {
	s := n.BaseWidget.Size()
	fill := color.Color(color.Transparent)
	if n.selected {
		fill = Color(ColorSelection)
	}
	paint(n.bg, fill, nil)
	put(n.bg, 0, 0, s.Width, s.Height)
	n.text.Text = n.line.Text
	n.text.TextSize = FontPx(n.v.fontSize())
	n.text.TextStyle = fyne.TextStyle{Monospace: n.v.mono, Bold: n.line.Kind == LineHead && !n.v.mono}
	n.text.Color = Color(lineColors[n.line.Kind])
	n.no.Text = ""
	if n.v.numbers && n.line.No > 0 {
		n.no.Text = strconv.Itoa(n.line.No)
	}
	n.no.TextSize, n.no.TextStyle = FontPx(12), fyne.TextStyle{Monospace: n.v.mono}
	n.no.Color = Color(ColorFaint)
	g := n.v.gutter()
	mid(n.no, 0, 0, fyne.Max(0, g-Px(12)), s.Height)
	mid(n.text, g, 0, fyne.Max(0, s.Width-g), s.Height)
	refreshAll(n.bg, n.no, n.text)
}

// CreateRenderer implements fyne.Widget.
func (n *textLine) CreateRenderer() fyne.WidgetRenderer {
	return &renderer{
		of:   n,
		objs: []fyne.CanvasObject{n.bg, n.no, n.text},
		layout: func(fyne.Size) {
			if n.filled {
				n.fill()
			}
		},
		min:     func() fyne.Size { return fyne.NewSize(Px(40), Px(18)) },
		refresh: func() { n.fill() },
	}
}
