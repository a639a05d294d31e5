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

// Glyph names a small sign. Signs are drawn as shapes and not as characters,
// so that no font has to have them.
type Glyph uint8

// The signs.
const (
	GlyphNone  Glyph = iota
	GlyphReset       // back to the default: an arrow that turns back
	GlyphClose       // ×
	GlyphDown        // small triangles, for lists and folding
	GlyphRight
	GlyphUp
	GlyphLeft
	GlyphSearch
	GlyphTick
	GlyphOK      // a disc with a tick
	GlyphWarning // a triangle with a mark
	GlyphError   // a disc with a cross
	GlyphInfo    // a ring with an i
	GlyphRing    // not begun
	GlyphHalf    // under way
	GlyphDot
	GlyphDiamond // a compaction found in the history
	GlyphPlus
	GlyphUpDown // can be dragged
	GlyphPin
	GlyphDots   // more
	GlyphBox    // kept, and not in use
	GlyphOff    // a ring that is struck through
	GlyphBar    // ended before it was done
	GlyphCorner // a flag in the corner of a cell
	GlyphMinus  // some of several
)

// A shape is the signed distance from a point to the outline of a sign, in a
// square of 16 units: negative inside.
type shape func(x, y float64) float64

// at is a point of that square.
type at struct{ x, y float64 }

// seg is how far a point is from the line between two.
func seg(x, y float64, a, b at) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	t := ((x-a.x)*dx + (y-a.y)*dy) / (dx*dx + dy*dy)
	t = math.Max(0, math.Min(1, t))
	return math.Hypot(x-a.x-t*dx, y-a.y-t*dy)
}

func disc(x, y, r float64) float64 { return math.Hypot(x-8, y-8) - r }

func ring(x, y, r, w float64) float64 { return math.Abs(disc(x, y, r)) - w/2 }

func tick(x, y, w float64) float64 {
	return math.Min(seg(x, y, at{4.6, 8.4}, at{7, 10.8}), seg(x, y, at{7, 10.8}, at{11.4, 5.6})) - w/2
}

func cross(x, y, r, w float64) float64 {
	return math.Min(seg(x, y, at{8 - r, 8 - r}, at{8 + r, 8 + r}), seg(x, y, at{8 - r, 8 + r}, at{8 + r, 8 - r})) - w/2
}

// triangle points in the direction (dx, dy) from the middle.
func triangle(x, y, dx, dy float64) float64 {
	u, v := (x-8)*dx+(y-8)*dy, math.Abs((x-8)*dy-(y-8)*dx)
	return math.Max(-u-2.2, (u-2.4+v)*math.Sqrt2/2)
}

func cut(a, b float64) float64 { return math.Max(a, -b) }

var shapes = map[Glyph]shape{
	GlyphReset: func(x, y float64) float64 {
		arc := ring(x, y-.6, 4.7, 1.3)
		if x < 8 && y < 8.6 { // the gap, with an arrow head at its upper end
			arc = math.Min(math.Hypot(x-8, y-3.9), math.Hypot(x-3.3, y-8.6)) - .65
		}
		return math.Min(arc, math.Max(x-8.2, (5-x+1.15*math.Abs(y-3.9))*.66))
	},
	GlyphClose: func(x, y float64) float64 { return cross(x, y, 3, 1.4) },
	GlyphDown:  func(x, y float64) float64 { return triangle(x, y, 0, 1) },
	GlyphUp:    func(x, y float64) float64 { return triangle(x, y, 0, -1) },
	GlyphRight: func(x, y float64) float64 { return triangle(x, y, 1, 0) },
	GlyphLeft:  func(x, y float64) float64 { return triangle(x, y, -1, 0) },
	GlyphSearch: func(x, y float64) float64 {
		return math.Min(ring(x+1.2, y+1.2, 3.8, 1.3), seg(x, y, at{9.8, 9.8}, at{12.8, 12.8})-.8)
	},
	GlyphTick:  func(x, y float64) float64 { return tick(x, y, 1.8) },
	GlyphOK:    func(x, y float64) float64 { return cut(disc(x, y, 7), tick(x, y, 1.8)) },
	GlyphError: func(x, y float64) float64 { return cut(disc(x, y, 7), cross(x, y, 2.6, 1.7)) },
	GlyphWarning: func(x, y float64) float64 {
		side := math.Min(seg(x, y, at{8, 2.2}, at{14.2, 13.4}), seg(x, y, at{8, 2.2}, at{1.8, 13.4}))
		edge := math.Min(side, seg(x, y, at{1.8, 13.4}, at{14.2, 13.4})) - .65
		mark := math.Min(seg(x, y, at{8, 6.2}, at{8, 9.2})-.65, math.Hypot(x-8, y-11.4)-.8)
		return math.Min(edge, mark)
	},
	GlyphInfo: func(x, y float64) float64 {
		return math.Min(ring(x, y, 6.3, 1.3), math.Min(seg(x, y, at{8, 7.4}, at{8, 11})-.7, math.Hypot(x-8, y-4.9)-.85))
	},
	GlyphRing: func(x, y float64) float64 { return ring(x, y, 6.3, 1.2) },
	GlyphHalf: func(x, y float64) float64 {
		return math.Min(ring(x, y, 6.3, 1.2), math.Max(disc(x, y, 6.3), x-8))
	},
	GlyphDot:     func(x, y float64) float64 { return disc(x, y, 4) },
	GlyphDiamond: func(x, y float64) float64 { return (math.Abs(x-8) + math.Abs(y-8) - 5) * math.Sqrt2 / 2 },
	GlyphPlus: func(x, y float64) float64 {
		return math.Min(seg(x, y, at{8, 4}, at{8, 12}), seg(x, y, at{4, 8}, at{12, 8})) - .8
	},
	GlyphUpDown: func(x, y float64) float64 {
		return math.Min(triangle(x, y+3.4, 0, -1), triangle(x, y-3.4, 0, 1))
	},
	GlyphPin: func(x, y float64) float64 {
		head := math.Hypot(x-8, y-5.4) - 3.2
		return math.Min(head, seg(x, y, at{8, 8}, at{8, 14})-.7)
	},
	GlyphDots: func(x, y float64) float64 {
		return math.Min(math.Hypot(x-8, y-8), math.Min(math.Hypot(x-3.6, y-8), math.Hypot(x-12.4, y-8))) - 1.2
	},
	GlyphBox: func(x, y float64) float64 {
		edge := math.Abs(math.Max(math.Abs(x-8), math.Abs(y-8))-5.4) - .6
		return math.Min(edge, seg(x, y, at{2.6, 6.2}, at{13.4, 6.2})-.6)
	},
	GlyphOff: func(x, y float64) float64 {
		return math.Min(ring(x, y, 6.3, 1.2), seg(x, y, at{3.6, 12.4}, at{12.4, 3.6})-.6)
	},
	GlyphBar: func(x, y float64) float64 {
		return math.Min(ring(x, y, 6.3, 1.2), seg(x, y, at{5, 8}, at{11, 8})-.9)
	},
	GlyphMinus: func(x, y float64) float64 { return seg(x, y, at{4.5, 8}, at{11.5, 8}) - .9 },
	GlyphCorner: func(x, y float64) float64 {
		return math.Max(math.Max(2.5-x, 2.5-y), (x+y-16)*math.Sqrt2/2)
	},
}

type glyphKey struct {
	g    Glyph
	w, h int
	c    color.NRGBA
}

var glyphCache sync.Map // of glyphKey to *image.RGBA

// glyphImage draws a sign, centred and as large as fits, in pixels. The image
// is shared and must not be written to.
func glyphImage(g Glyph, w, h int, c color.Color) image.Image {
	k := glyphKey{g, w, h, color.NRGBAModel.Convert(c).(color.NRGBA)}
	if im, ok := glyphCache.Load(k); ok {
		return im.(*image.RGBA)
	}
	im := image.NewRGBA(image.Rect(0, 0, w, h))
	if f := shapes[g]; f != nil {
		side := float64(min(w, h))
		for y := range h {
			for x := range w {
				u := (float64(x) + .5 - (float64(w)-side)/2) * 16 / side
				v := (float64(y) + .5 - (float64(h)-side)/2) * 16 / side
				if a := .5 - f(u, v)*side/16; a > 0 {
					im.Set(x, y, fade(k.c, math.Min(1, a)))
				}
			}
		}
	}
	glyphCache.Store(k, im)
	return im
}

// glyphRaster is a canvas object that draws what the functions return at the
// time of painting.
func glyphRaster(g func() Glyph, c func() color.Color) *canvas.Raster {
	r := canvas.NewRaster(func(w, h int) image.Image { return glyphImage(g(), w, h, c()) })
	r.ScaleMode = canvas.ImageScalePixels
	return r
}

// Sign shows one glyph in a named colour. It does nothing.
type Sign struct {
	widget.BaseWidget
	glyph Glyph
	color fyne.ThemeColorName
	size  float32
}

// NewSign makes a sign; size is its side in units of the design (12 beside
// text of 13).
func NewSign(g Glyph, c fyne.ThemeColorName, size float32) *Sign {
	s := &Sign{glyph: g, color: c, size: size}
	s.ExtendBaseWidget(s)
	return s
}

// Set changes glyph and colour.
func (s *Sign) Set(g Glyph, c fyne.ThemeColorName) {
	if s.glyph != g || s.color != c {
		s.glyph, s.color = g, c
		s.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (s *Sign) CreateRenderer() fyne.WidgetRenderer {
	ras := glyphRaster(func() Glyph { return s.glyph }, func() color.Color { return Color(s.color) })
	return &renderer{
		of:     s,
		objs:   []fyne.CanvasObject{ras},
		layout: func(z fyne.Size) { put(ras, 0, 0, z.Width, z.Height) },
		min:    func() fyne.Size { return fyne.NewSize(Px(s.size), Px(s.size)) },
	}
}

// newGlyphPart is a sign inside another widget, in a named colour.
func newGlyphPart(g func() Glyph, c func() fyne.ThemeColorName) *canvas.Raster {
	return glyphRaster(g, func() color.Color { return Color(c()) })
}
