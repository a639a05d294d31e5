package kit

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2/canvas"
)

// flat is a plain surface without corners or border. It is a picture of one
// point that is stretched: Fyne's rectangle decides for each of its points
// whether it belongs to a border or a shadow, which takes three times as long
// where graphics are computed, and is seen where a surface is large.
type flat struct {
	*canvas.Raster
	point *image.RGBA
}

func newFlat() *flat {
	f := &flat{point: image.NewRGBA(image.Rect(0, 0, 1, 1))}
	f.Raster = canvas.NewRaster(func(int, int) image.Image { return f.point })
	f.ScaleMode = canvas.ImageScalePixels
	f.Hidden = true // until it has a colour
	return f
}

// set gives it a colour; a transparent one hides it.
func (f *flat) set(c color.Color) {
	p := color.RGBAModel.Convert(c).(color.RGBA)
	if p == f.point.RGBAAt(0, 0) {
		return
	}
	f.point.SetRGBA(0, 0, p)
	f.Hidden = p.A == 0
	canvas.Refresh(f.Raster)
}
