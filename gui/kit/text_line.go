package kit

import (
	"image/color"

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
	text     *canvas.Text
}

func newTextLine(v *TextView) *textLine {
	n := &textLine{v: v, bg: box(0)}
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
	mid(n.text, Px(textLeft), 0, fyne.Max(0, s.Width-Px(textLeft)), s.Height)
	refreshAll(n.bg, n.text)
}

// CreateRenderer implements fyne.Widget.
func (n *textLine) CreateRenderer() fyne.WidgetRenderer {
	return &renderer{
		of:   n,
		objs: []fyne.CanvasObject{n.bg, n.text},
		layout: func(fyne.Size) {
			if n.filled {
				n.fill()
			}
		},
		min:     func() fyne.Size { return fyne.NewSize(Px(40), Px(18)) },
		refresh: func() { n.fill() },
	}
}
