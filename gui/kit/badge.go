package kit

import (
	"image"
	"image/color"
	"math"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// A fate's badge: shape, letter and colour, always all three.
const (
	badgeWidth  = 20
	badgeHeight = 17
)

type badgeKey struct {
	letter string
	w, h   int
	c, p   color.NRGBA // of the shape and its darker part
}

var badgeCache sync.Map // of badgeKey to *image.RGBA

// badgeImage draws the shape of a fate without its letter. The image is shared
// and must not be written to.
func badgeImage(letter string, w, h int, dim bool) image.Image {
	c := color.NRGBAModel.Convert(Color(FateColor(letter))).(color.NRGBA)
	p := color.NRGBAModel.Convert(Color(ColorText)).(color.NRGBA) // away from the letter's, which stays readable
	if dim {
		c = blend(c, Color(ColorPanel), .84)
		p = color.NRGBAModel.Convert(Color(ColorPanel)).(color.NRGBA)
	}
	k := badgeKey{letter, w, h, c, p}
	if im, ok := badgeCache.Load(k); ok {
		return im.(*image.RGBA)
	}
	im := image.NewRGBA(image.Rect(0, 0, w, h))
	const n = 4 // samples a pixel and direction
	for y := range h {
		for x := range w {
			var inside, shaded float64
			for s := range n * n {
				u := float64(x) + (float64(s%n)+.5)/n
				v := float64(y) + (float64(s/n)+.5)/n
				in, shade := badgePoint(letter, u, v, float64(w), float64(h))
				if in {
					inside++
					if shade {
						shaded++
					}
				}
			}
			if inside > 0 {
				im.Set(x, y, fade(blend(c, p, .38*shaded/inside), inside/(n*n)))
			}
		}
	}
	badgeCache.Store(k, im)
	return im
}

// badgePoint reports whether a point is in the shape, and in its darker part.
func badgePoint(letter string, x, y, w, h float64) (in, shade bool) {
	unit := h / badgeHeight
	rounded := func(inset, r float64) bool {
		dx := math.Max(math.Abs(x-w/2)-w/2+inset+r, 0)
		dy := math.Max(math.Abs(y-h/2)-h/2+inset+r, 0)
		return dx*dx+dy*dy <= r*r
	}
	switch letter {
	case "K":
		return rounded(0, 2.5*unit), false
	case "P":
		return math.Abs(x-w/2)/(w/2)+math.Abs(y-h/2)/(h/2) <= 1, false
	case "C":
		return rounded(0, 2.5*unit), math.Mod((x+y)/unit, 5) < 1.9
	case "S":
		fold := 5.5 * unit
		return rounded(0, 2.5*unit) && x-y < w-fold, x > w-fold && y < fold
	case "D":
		return rounded(0, 2.5*unit) && !rounded(1.4*unit, 1.5*unit), false
	case "+":
		return rounded(0, h/2), false
	}
	return false, false
}

// letterColor is what a fate's letter is written in.
func letterColor(letter string, dim bool) color.Color {
	if letter == "D" || dim {
		return Color(FateColor(letter))
	}
	return Color(ColorOnAccent)
}

// Badge shows a fate by its letter.
type Badge struct {
	widget.BaseWidget
	letter string
}

// NewBadge makes the badge of a fate's letter: K P C S D or +.
func NewBadge(letter string) *Badge {
	b := &Badge{letter: letter}
	b.ExtendBaseWidget(b)
	return b
}

// Set changes the fate.
func (b *Badge) Set(letter string) {
	if b.letter != letter {
		b.letter = letter
		b.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (b *Badge) CreateRenderer() fyne.WidgetRenderer {
	p := newBadgeParts()
	p.set(b.letter, false)
	return &renderer{
		of:     b,
		objs:   []fyne.CanvasObject{p.raster, p.text},
		layout: func(s fyne.Size) { p.place(0, 0, s.Width, s.Height) },
		min:    func() fyne.Size { return fyne.NewSize(Px(badgeWidth), Px(badgeHeight)) },
		refresh: func() {
			p.set(b.letter, false)
			p.raster.Refresh()
			p.text.Refresh()
		},
	}
}

// badgeParts is a badge inside another widget.
type badgeParts struct {
	raster *canvas.Raster
	text   *canvas.Text
	letter string
	dim    bool
}

func newBadgeParts() *badgeParts {
	p := &badgeParts{text: line(10, true, fyne.TextAlignCenter)}
	p.raster = canvas.NewRaster(func(w, h int) image.Image { return badgeImage(p.letter, w, h, p.dim) })
	p.raster.ScaleMode = canvas.ImageScalePixels
	return p
}

// set takes over a fate and reports whether the picture changes by it.
func (p *badgeParts) set(letter string, dim bool) bool {
	changed := p.letter != letter || p.dim != dim
	p.letter, p.dim = letter, dim
	p.text.Text, p.text.Color, p.text.TextSize = letter, letterColor(letter, dim), Px(10)
	return changed
}

func (p *badgeParts) place(x, y, w, h float32) {
	put(p.raster, x, y, w, h)
	mid(p.text, x, y, w, h)
}
