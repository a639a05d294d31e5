package chart

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"palimpsest/gui/kit"
)

// Wherever the pointer is, what is shown there and what a click selects are of
// the same place, and it is the one that the curve was asked to snap to.
func TestWordsAndClickMeanTheSamePlace(t *testing.T) {
	c := shown(t, sample(481))
	c.Snap = func(x float64) float64 { return math.Round(x/7) * 7 }
	told, selected := -1.0, -2.0
	c.Hover = func(x float64) []string { told = x; return []string{"here"} }
	c.OnSelect = func(x float64) { selected = x }
	for _, view := range [][2]float64{{0, 480}, {100, 130}, {301, 303}} {
		c.SetView(view[0], view[1])
		f := c.area
		rapid.Check(t, func(t *rapid.T) {
			e := mouse(float32(f.x+rapid.Float64Range(0, f.w).Draw(t, "x")), 100)
			c.MouseMoved(e)
			c.MouseDown(e)
			c.MouseUp(e)
			want := math.Min(480, c.Snap(c.valueX(e.Position.X)))
			if math.Min(480, told) != selected || selected != want {
				t.Fatalf("told of %v, selected %v, nearest %v", told, selected, want)
			}
		})
	}
}

// The tag of the current dot is in the plane, and covers no dot while there is a
// place for it that covers none.
func TestTagKeepsOffTheDots(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	c := NewScatter()
	win := test.NewTempWindow(t, c)
	win.SetPadded(false)
	win.Resize(fyne.NewSize(600, 360))
	size := fyne.NewSize(110, 15)
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(0, 100)
		dots := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Dot { return Dot{X: value.Draw(t, "x"), Y: value.Draw(t, "y")} }), 2, 12).Draw(t, "dots")
		c.Set(ScatterData{Dots: dots, Current: &dots[0], CurrentTag: "current"})
		r := c.tagFrame(size)
		if a := c.area; r.x < a.x || r.y < a.y || r.x+r.w > a.x+a.w || r.y+r.h > a.y+a.h {
			t.Fatalf("%+v lies outside %+v", r, a)
		}
		if x, y := c.at(dots[0]); r.near(x, y, currentSize) {
			t.Fatalf("%+v covers its own dot at %v, %v", r, x, y)
		}
	})
	// A dot right behind the current one: the tag goes to its other side.
	dots := []Dot{{X: 50, Y: 50}, {X: 58, Y: 50}, {X: 0, Y: 0}, {X: 100, Y: 100}}
	c.Set(ScatterData{Dots: dots, Current: &dots[0], CurrentTag: "current"})
	if n := c.covers(c.tagFrame(size)); n != 0 {
		t.Errorf("the tag covers %v though there is room", n)
	}
}

// The median of a row is a line in the row's colour.
func TestAMedianIsALineOfItsRow(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	s := NewStrips()
	win := test.NewTempWindow(t, s)
	win.SetPadded(false)
	win.Resize(fyne.NewSize(400, 160))
	row := StripRow{Dots: []Dot{{X: .2, ID: 0}, {X: .9, ID: 1}}, Worst: -1, Quarter: .3, Median: .5, Upper: .8}
	s.Set(StripsData{Rows: []StripRow{row, row}, Format: func(float64) string { return "" }})
	im := s.raster.Generator(400, 160)
	for i, want := range []fyne.ThemeColorName{kit.ColorText, kit.ColorAccent} {
		y := int(s.area.y + s.pitch()*(float64(i)+.5))
		for x := int(s.x(row.Median)) - 1; x < int(s.x(row.Median))+1; x++ {
			if got := color.NRGBAModel.Convert(im.At(x, y)); got != named(want) {
				t.Errorf("row %d at %d: %v, want %v", i, x, got, named(want))
			}
		}
	}
}
