package kit

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Fill is a plain rectangle of a named colour.
type Fill struct {
	widget.BaseWidget
	color  fyne.ThemeColorName
	line   fyne.ThemeColorName // of the border; "": none
	radius float32
	min    fyne.Size
}

// NewFill makes a rectangle with a corner radius.
func NewFill(c fyne.ThemeColorName, radius float32) *Fill {
	f := &Fill{color: c, radius: radius}
	f.ExtendBaseWidget(f)
	return f
}

// NewFrame makes a rectangle with a border, for what floats over other things.
func NewFrame(c, line fyne.ThemeColorName) *Fill {
	f := NewFill(c, 4)
	f.line = line
	return f
}

// NewRule makes a line one unit thick that parts what is above and below
// it, or left and right of it.
func NewRule() *Fill {
	f := NewFill(ColorLine, 0)
	f.min = fyne.NewSize(1, 1)
	return f
}

// SetColor changes the colour.
func (f *Fill) SetColor(c fyne.ThemeColorName) {
	if c != f.color {
		f.color = c
		f.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (f *Fill) CreateRenderer() fyne.WidgetRenderer {
	if f.radius == 0 {
		return f.plain()
	}
	r := box(f.radius)
	look := func() {
		var line color.Color
		if f.line != "" {
			line = Color(f.line)
		}
		paint(r, Color(f.color), line)
	}
	look()
	return &renderer{
		of:     f,
		objs:   []fyne.CanvasObject{r},
		layout: func(s fyne.Size) { put(r, 0, 0, s.Width, s.Height) },
		min:    func() fyne.Size { return fyne.Size{} },
		refresh: func() {
			look()
			canvas.Refresh(r)
		},
	}
}

// plain draws a surface, which may be large, or a rule.
func (f *Fill) plain() fyne.WidgetRenderer {
	r := newFlat()
	r.set(Color(f.color))
	return &renderer{
		of:      f,
		objs:    []fyne.CanvasObject{r.Raster},
		layout:  func(s fyne.Size) { r.put(0, 0, s.Width, s.Height) },
		min:     func() fyne.Size { return f.min },
		refresh: func() { r.set(Color(f.color)) },
	}
}

// flat is a plain surface or a line, without corners or border. It is a picture of
// one point that is stretched: Fyne's rectangle decides for each of its points
// whether it belongs to a border or a shadow, which takes two to three times as
// long where graphics are computed, however small it is.
type flat struct {
	picture
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

// picture is what is drawn as one.
type picture struct{ *canvas.Raster }

// put places it as a rectangle is: a whole number of pixels wide and high, wherever it
// begins, so that lines are of one thickness where a unit is no whole number of pixels.
func (p picture) put(x, y, w, h float32) {
	whole := func(v float32) float32 { return float32(math.Round(float64(v*pixels))) / pixels }
	put(p.Raster, x, y, whole(w), whole(h))
}

// plate is a box with round corners as a picture, for the same reason as [flat]: where
// graphics are computed it takes half the time of Fyne's, which computes the distance to
// its edge for each of its points and in every frame.
type plate struct {
	picture
	fill, stroke color.Color // stroke nil: no line
	radius       float32
	drawn        image.Image // the last one, and
	as           drawnPlate  // what it was drawn for
}

type drawnPlate struct {
	fill, stroke color.Color
	w, h         int
	pixels       float32
}

func newPlate(radius float32) *plate {
	p := &plate{radius: radius, fill: color.Transparent}
	p.Raster = canvas.NewRaster(p.draw)
	p.ScaleMode = canvas.ImageScalePixels
	return p
}

// set gives it colours; a nil line is none. Without any it is hidden.
func (p *plate) set(fill, stroke color.Color) {
	if p.fill == fill && p.stroke == stroke {
		return
	}
	p.fill, p.stroke = fill, stroke
	_, _, _, a := fill.RGBA()
	p.Hidden = a == 0 && stroke == nil
	canvas.Refresh(p.Raster)
}

func (p *plate) draw(w, h int) image.Image {
	as := drawnPlate{p.fill, p.stroke, w, h, pixels}
	if p.as == as { // its widget is painted anew
		return p.drawn
	}
	im := image.NewRGBA(image.Rect(0, 0, w, h))
	p.as, p.drawn = as, im
	line := 0.
	if p.stroke != nil {
		line = math.Max(1, math.Round(float64(pixels)))
	}
	inside := color.RGBAModel.Convert(p.fill).(color.RGBA)
	r := math.Min(float64(p.radius*pixels), float64(min(w, h))/2)
	at := func(u, v float64) color.RGBA { // u and v: how far into the square of a round corner, from its inner one
		if math.Sqrt2*math.Max(u, v) < r-line-1 { // far from the edge
			return inside
		}
		out := math.Hypot(u, v) - r // how far the middle of the pixel is beyond the edge
		c := p.fill
		if p.stroke != nil {
			c = over(p.fill, p.stroke, beyond(out+line))
		}
		return color.RGBAModel.Convert(fade(c, beyond(-out))).(color.RGBA)
	}
	above := -1.
	for y := range (h + 1) / 2 { // the others are its mirror images
		v, row := math.Max(0, r-float64(y)-.5), im.Pix[y*im.Stride:][:im.Stride]
		if v == above {
			copy(row, im.Pix[(y-1)*im.Stride:])
		} else {
			beside, c := -1., inside
			for x := range (w + 1) / 2 {
				if u := math.Max(0, r-float64(x)-.5); u != beside {
					beside, c = u, at(u, v)
				}
				im.SetRGBA(x, y, c)
				im.SetRGBA(w-1-x, y, c)
			}
		}
		copy(im.Pix[(h-1-y)*im.Stride:], row)
		above = v
	}
	return im
}

// over is a share of the second colour over the first.
func over(a, b color.Color, share float64) color.Color {
	if _, _, _, opacity := a.RGBA(); opacity == 0 {
		return fade(b, share)
	}
	return blend(a, b, share)
}

// pixels is how many there are to a unit, on the canvas that is drawn or laid out.
var pixels float32 = 1
