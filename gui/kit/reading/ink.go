package reading

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/model/body"
)

// The measures of the view, in units of the design.
const (
	pitch     = 19
	textSize  = 13
	monoSize  = 12.5
	leftRoom  = 12
	rightRoom = 18
	topRoom   = 6
	barWidth  = 10
)

// inks are the colours of the roles: five of ours for code, and never one that means
// a fate beside it.
var inks = map[body.Ink]fyne.ThemeColorName{
	body.InkText: kit.ColorText, body.InkMuted: kit.ColorMuted, body.InkFaint: kit.ColorFaint, body.InkLink: kit.ColorAccent,
	body.InkKeyword: kit.ColorAccent, body.InkType: kit.ColorSummarised, body.InkFunction: kit.ColorPinned,
	body.InkString: kit.ColorKept, body.InkNumber: kit.ColorCleared, body.InkComment: kit.ColorFaint,
	body.InkAdded: kit.ColorKept, body.InkRemoved: kit.ColorDropped, body.InkWarn: kit.ColorWarning,
	body.InkRed: kit.ColorError, body.InkGreen: kit.ColorKept, body.InkYellow: kit.ColorWarning, body.InkBlue: kit.ColorPinned,
	body.InkMagenta: kit.ColorSummarised, body.InkCyan: kit.ColorAdded,
}

// The shares of a colour in what is behind text.
const (
	hitShare     = .34
	diffShare    = .14 // of its colour behind a changed line
	changedShare = .34 // … behind what changed within it
)

// colorOf is the colour of a text on a ground.
func colorOf(st body.Style, ground color.Color) color.Color {
	if st.RGB != 0 {
		return readable(color.NRGBA{uint8(st.RGB >> 16), uint8(st.RGB >> 8), uint8(st.RGB), 255}, ground)
	}
	return readable(kit.Color(inks[st.Ink]), ground)
}

// leastContrast is what every text has to what is behind it.
const leastContrast = 4.5

// readable moves a colour towards the colour of text, or to black or white, until it
// can be read on a ground.
func readable(c, ground color.Color) color.Color {
	if contrast(c, ground) >= leastContrast {
		return c
	}
	goal := color.Color(color.White)
	if contrast(color.Black, ground) > contrast(color.White, ground) {
		goal = color.Black
	}
	for t := .1; t < 1; t += .1 {
		if m := mix(c, goal, t); contrast(m, ground) >= leastContrast {
			return m
		}
	}
	return goal
}

// contrast is that of two colours as WCAG 2 defines it: 1 to 21.
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + .05) / (math.Min(x, y) + .05)
}

func luminance(c color.Color) float64 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	lin := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= .03928 {
			return f / 12.92
		}
		return math.Pow((f+.055)/1.055, 2.4)
	}
	return .2126*lin(n.R) + .7152*lin(n.G) + .0722*lin(n.B)
}

// mix is a colour with a share of another.
func mix(a, b color.Color, share float64) color.Color {
	x, y := color.NRGBAModel.Convert(a).(color.NRGBA), color.NRGBAModel.Convert(b).(color.NRGBA)
	m := func(p, q uint8) uint8 { return uint8(float64(p)*(1-share) + float64(q)*share + .5) }
	return color.NRGBA{m(x.R, y.R), m(x.G, y.G), m(x.B, y.B), 255}
}
