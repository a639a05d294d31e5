package reading

import (
	"image/color"

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
	if kit.Contrast(c, ground) >= leastContrast {
		return c
	}
	goal := color.Color(color.White)
	if kit.Contrast(color.Black, ground) > kit.Contrast(color.White, ground) {
		goal = color.Black
	}
	for t := .1; t < 1; t += .1 {
		if m := kit.Blend(c, goal, t); kit.Contrast(m, ground) >= leastContrast {
			return m
		}
	}
	return goal
}
