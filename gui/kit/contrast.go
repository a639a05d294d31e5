package kit

import (
	"image/color"
	"math"
)

// Contrast returns the contrast of two colours as WCAG 2 defines it, 1 to 21.
func Contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + .05) / (math.Min(x, y) + .05)
}

// luminance is the relative luminance of WCAG 2, from 0 to 1.
func luminance(c color.Color) float64 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	linear := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= .04045 {
			return f / 12.92
		}
		return math.Pow((f+.055)/1.055, 2.4)
	}
	return .2126*linear(n.R) + .7152*linear(n.G) + .0722*linear(n.B)
}

// Blend mixes two colours; t is the share of the second.
func Blend(a, b color.Color, t float64) color.NRGBA { return blend(a, b, t) }
