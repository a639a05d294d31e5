package kit

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// Where a unit is one and a half pixels, a rule is as thick wherever it is.
func TestRulesAreWholePixels(t *testing.T) {
	t.Cleanup(func() { pixels = 1 })
	pixels = 1.5
	for _, y := range []float32{1, 2, 3.4} {
		f := newFlat()
		f.put(0, y, 10, 1)
		if got := f.Size().Height; got*1.5 != 2 {
			t.Errorf("a rule at %v is %v pixels thick", y, got*1.5)
		}
	}
}

// What was laid out before it had a canvas is laid out once more when the canvas has
// another scale than that was done for, and not again.
func TestContentIsLaidOutForItsPixels(t *testing.T) {
	t.Cleanup(func() { pixels = 1 })
	rule := NewRule()
	w := show(t, rule, 100, 50)
	pixels = 2 // that it was laid out for
	h, was := w.Canvas().Content().(*Host), stamp
	h.scaled = false
	w.Canvas().Capture()
	if pixels != 1 || stamp != was+1 {
		t.Errorf("%v pixels to a unit, laid out %d times", pixels, stamp-was)
	}
	pixels = 2 // another window's
	w.Canvas().Capture()
	if pixels != 1 || stamp != was+1 {
		t.Errorf("%v pixels to a unit, laid out %d times", pixels, stamp-was)
	}
}

// A plate has its line around its fill, nothing beyond its round corners, and is not
// drawn without colours.
func TestPlate(t *testing.T) {
	show(t, Label(""), 10, 10)
	p := newPlate(4)
	p.set(Color(ColorError), Color(ColorText))
	im := p.draw(20, 12).(*image.RGBA)
	for _, x := range []struct {
		x, y int
		want color.Color
	}{{10, 6, Color(ColorError)}, {10, 0, Color(ColorText)}, {0, 6, Color(ColorText)}, {19, 6, Color(ColorText)}, {10, 11, Color(ColorText)}} {
		if got := im.At(x.x, x.y); color.NRGBAModel.Convert(got) != color.NRGBAModel.Convert(x.want) {
			t.Errorf("at %d, %d: %v, want %v", x.x, x.y, got, x.want)
		}
	}
	if a := im.RGBAAt(0, 0).A; a > 40 {
		t.Errorf("the corner is drawn, %d", a)
	}
	if p.draw(20, 12) != image.Image(im) {
		t.Error("what has not changed is drawn again")
	}
	p.set(Color(ColorAccent), nil)
	if got := p.draw(20, 12).At(10, 0); color.NRGBAModel.Convert(got) != color.NRGBAModel.Convert(Color(ColorAccent)) {
		t.Errorf("%v where the line was", got)
	}
	p.set(fade(Color(ColorText), 0), nil)
	if p.Visible() {
		t.Error("a plate without colours is drawn")
	}
}

// Each pixel of a plate is what its distance to the edge says, whatever its size: most of
// them are copied from those beside, above and across.
func TestEachPixelOfAPlate(t *testing.T) {
	show(t, Label(""), 10, 10)
	t.Cleanup(func() { pixels = 1 })
	for _, c := range []struct {
		w, h          int
		radius, scale float32
		fill, stroke  color.Color
	}{{86, 24, 4, 1, Color(ColorPanel), Color(ColorLine)}, {20, 17, 9, 1, Color(ColorAccent), nil}, {21, 13, 4, 1.5, Color(ColorError), Color(ColorText)},
		{7, 4, 2, 1, Color(ColorAccent), nil}, {31, 9, 6, 2, fade(Color(ColorText), .3), Color(ColorLine)}, {1, 1, 4, 1, Color(ColorText), nil}} {
		pixels = c.scale
		p := newPlate(c.radius)
		p.set(c.fill, c.stroke)
		im := p.draw(c.w, c.h)
		line := 0.
		if c.stroke != nil {
			line = math.Max(1, math.Round(float64(pixels)))
		}
		r := math.Min(float64(c.radius*pixels), float64(min(c.w, c.h))/2)
		for y := range c.h {
			v := math.Max(0, math.Abs(float64(y)+.5-float64(c.h)/2)-float64(c.h)/2+r)
			for x := range c.w {
				u := math.Max(0, math.Abs(float64(x)+.5-float64(c.w)/2)-float64(c.w)/2+r)
				out := math.Hypot(u, v) - r
				want := c.fill
				if c.stroke != nil {
					want = over(c.fill, c.stroke, beyond(out+line))
				}
				want = color.RGBAModel.Convert(fade(want, beyond(-out)))
				if math.Sqrt2*math.Max(u, v) < r-line-1 {
					want = color.RGBAModel.Convert(c.fill)
				}
				if got := im.At(x, y); got != want {
					t.Fatalf("%+v: at %d, %d %v, want %v", c, x, y, got, want)
				}
			}
		}
	}
}
