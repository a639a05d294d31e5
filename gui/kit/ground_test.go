package kit

import (
	"image"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Panes, what is between them and their round corners have the colours of the
// design, in both themes: a pane shows what the window was cleared to, and every
// gap is painted.
func TestPanesAndGapsHaveTheirColours(t *testing.T) {
	for _, mode := range []Mode{Dark, Light} {
		a := test.NewTempApp(t)
		Use(a, mode, 1)
		first := NewPane("", NewFill(ColorPanel, 0))
		split := NewSplit(false, NewPane("", Spring()), NewPane("", NewSplit(false, Spring(), Spring(), KeepShare, .5).Within()), KeepShare, .5)
		hidden := NewPane("", Spring())
		hidden.Hide()
		w := test.NewTempWindow(t, Margin(6, 6, 6, 6, Panes(Sized(0, 40, first), Stretch(split), hidden)))
		w.SetPadded(false)
		w.Resize(fyne.NewSize(306, 212))
		im := w.Canvas().Capture()
		// 6 margin, 40 first pane, 6 gap, 154 split; the split's halves are 144
		// wide, its gap begins at 150.
		for at, want := range map[image.Point]fyne.ThemeColorName{
			{2, 100}: ColorBackground, {303, 100}: ColorBackground, {100, 2}: ColorBackground, {100, 209}: ColorBackground,
			{100, 49}: ColorBackground, {153, 120}: ColorBackground,
			{6, 6}: ColorBackground, {299, 6}: ColorBackground, {6, 205}: ColorBackground, {299, 205}: ColorBackground, // outside the corners
			{60, 30}: ColorPanel, {60, 120}: ColorPanel, {228, 120}: ColorPanel, {60, 18}: ColorPanel, {60, 194}: ColorPanel,
			{150 / 2, 6}: ColorLine, {6, 120}: ColorLine, {299, 120}: ColorLine, {228, 205}: ColorLine,
		} {
			if got := color.NRGBAModel.Convert(im.At(at.X, at.Y)); got != color.NRGBAModel.Convert(Color(want)) {
				t.Errorf("%s: %v is %v, want %s", mode, at, got, want)
			}
		}
	}
}
