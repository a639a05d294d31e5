package chart

import (
	"fmt"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"palimpsest/gui/kit"
)

func grid(nx, ny int) HeatData {
	d := HeatData{XName: "x", YName: "y", Current: -1}
	for x := range nx {
		d.Columns = append(d.Columns, fmt.Sprint(x))
	}
	for y := range ny {
		d.Rows = append(d.Rows, fmt.Sprint(y))
	}
	for i := range nx * ny {
		d.Cells = append(d.Cells, HeatCell{Shade: float64(i) / float64(nx*ny), Text: fmt.Sprint(i)})
	}
	return d
}

func shownHeat(t *testing.T, d HeatData, w, h float32) *HeatMap {
	t.Helper()
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	m := NewHeatMap()
	win := test.NewTempWindow(t, m)
	win.SetPadded(false)
	win.Resize(fyne.NewSize(w, h))
	m.Set(d)
	return m
}

// Cells never overlap, stay inside the map, and a click in one finds it.
func TestEveryCellOfAHeatMapIsFoundWhereItIsDrawn(t *testing.T) {
	m := shownHeat(t, grid(1, 1), 600, 400)
	rapid.Check(t, func(t *rapid.T) {
		nx, ny := rapid.IntRange(1, 40).Draw(t, "nx"), rapid.IntRange(1, 40).Draw(t, "ny")
		m.Set(grid(nx, ny))
		for i := range nx * ny {
			b := m.box(i)
			if a := m.area; b.x < a.x || b.y < 0 || b.x+b.w > a.x+a.w+1 || b.y+b.h > a.h+1 {
				t.Fatalf("%d×%d: cell %d lies outside: %+v of %+v", nx, ny, i, b, a)
			}
			if got := m.at(fyne.NewPos(float32(b.x+b.w/2), float32(b.y+b.h/2))); got != i {
				t.Fatalf("%d×%d: cell %d is found as %d", nx, ny, i, got)
			}
		}
	})
}

func TestHeatMapKeysStayInside(t *testing.T) {
	m := shownHeat(t, grid(3, 2), 300, 200)
	var told, opened []int
	m.OnSelect = func(i int) { told = append(told, i) }
	m.OnOpen = func(i int) { opened = append(opened, i) }
	for _, k := range []fyne.KeyName{fyne.KeyRight, fyne.KeyRight, fyne.KeyRight, fyne.KeyUp, fyne.KeyUp, fyne.KeyHome, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn} {
		m.TypedKey(&fyne.KeyEvent{Name: k})
	}
	if want := "[1 2 2 5 5 3 0 0] [0]"; fmt.Sprint(told, opened) != want {
		t.Errorf("%v, want %v", fmt.Sprint(told, opened), want)
	}
	m.Set(HeatData{Current: -1})
	m.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight}) // nothing to move in
	if m.Selected() != -1 {
		t.Errorf("%d is chosen of none", m.Selected())
	}
}

func TestHeatMapShadesAndNumbers(t *testing.T) {
	d := grid(4, 1)
	d.Cells[1].State, d.Cells[2].Flag = HeatImpossible, true
	m := shownHeat(t, d, 500, 120)
	im := m.raster.Generator(500, 120)
	at := func(i int) color.NRGBA {
		b := m.box(i)
		return color.NRGBAModel.Convert(im.At(int(b.x+b.w/2), int(b.y+b.h-3))).(color.NRGBA)
	}
	if at(1) != named(kit.ColorRaised) || at(0) == at(3) {
		t.Errorf("shades %v %v %v", at(0), at(1), at(3))
	}
	b := m.box(2)
	if got := color.NRGBAModel.Convert(im.At(int(b.x)+2, int(b.y)+2)); got != named(kit.ColorWarning) {
		t.Errorf("the flag is %v", got)
	}
	words := func() map[string]bool {
		out := map[string]bool{}
		for _, x := range m.over.texts[:m.over.used] {
			out[x.Text] = true
		}
		return out
	}
	if w := words(); !w["×"] || !w["3"] || !w["x"] {
		t.Errorf("words %v", w)
	}
	d.Stale = "changed"
	m.Set(d)
	if w := words(); w["×"] {
		t.Errorf("words %v with shades only", w)
	}
}

// Black or white, whichever is taken, is easy to read on every shade.
func TestInkIsReadable(t *testing.T) {
	for _, mode := range []kit.Mode{kit.Dark, kit.Light} {
		kit.Use(test.NewTempApp(t), mode, 1)
		for i := range 101 {
			ground := shadeOf(float64(i) / 100)
			if c := kit.Contrast(ground, ink(ground)); c < 4 {
				t.Errorf("%s: contrast %.1f at %d %%", mode, c, i)
			}
		}
	}
}

func TestScatterFindsTheNearestDot(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	c := NewScatter()
	win := test.NewTempWindow(t, c)
	win.SetPadded(false)
	win.Resize(fyne.NewSize(500, 300))
	told := -1
	c.OnSelect = func(id int) { told = id }
	c.Tapped(&fyne.PointEvent{Position: fyne.NewPos(10, 10)}) // nothing there yet
	d := ScatterData{Dots: []Dot{{0, 0, 7}, {10, 5, 8}, {5, 5, 9}}, XMore: false, YMore: true}
	d.Front = []Dot{d.Dots[0], d.Dots[2]}
	d.Current = &d.Dots[1]
	c.Set(d)
	for _, dot := range d.Dots {
		x, y := c.at(dot)
		c.Tapped(&fyne.PointEvent{Position: fyne.NewPos(float32(x)+3, float32(y)-2)})
		if told != dot.ID {
			t.Errorf("dot %d is found as %d", dot.ID, told)
		}
	}
	told = -1
	x, y := c.at(Dot{X: 2.5, Y: 2.5})
	if c.Tapped(&fyne.PointEvent{Position: fyne.NewPos(float32(x), float32(y))}); told != -1 {
		t.Errorf("dot %d is found where none is", told)
	}
	// The steps run along the worse sides: down from the first, then across.
	im := c.raster.Generator(500, 300)
	x0, _ := c.at(d.Dots[0])
	x1, y1 := c.at(d.Dots[2])
	_, y0 := c.at(d.Dots[0])
	kept := func(x, y float64) bool {
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				if color.NRGBAModel.Convert(im.At(int(x)+dx, int(y)+dy)) == named(kit.ColorKept) {
					return true
				}
			}
		}
		return false
	}
	if !kept((x0+x1)/2, y0) || !kept(x1, (y0+y1)/2) || kept((x0+x1)/2, y1) {
		t.Error("the steps do not follow what the front beats")
	}
}

func TestScatterOfOneDotAndOfNone(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	c := NewScatter()
	win := test.NewTempWindow(t, c)
	win.Resize(fyne.NewSize(300, 200))
	for _, d := range []ScatterData{{}, {Dots: []Dot{{3, 3, 1}}, Front: []Dot{{3, 3, 1}}}} {
		c.Set(d)
		if im := c.raster.Generator(300, 200); im.Bounds().Dx() != 300 {
			t.Errorf("%v", im.Bounds())
		}
	}
	if !(c.xlo < 3 && c.xhi > 3 && c.ylo < 3 && c.yhi > 3) {
		t.Errorf("the only dot lies outside %v–%v", c.xlo, c.xhi)
	}
}

func BenchmarkHeatMap(b *testing.B) {
	kit.Use(test.NewTempApp(b), kit.Dark, 1)
	m := NewHeatMap()
	win := test.NewTempWindow(b, m)
	win.Resize(fyne.NewSize(1000, 600))
	d := grid(50, 50)
	for b.Loop() {
		m.Set(d)
		m.raster.Generator(1000, 600)
	}
}
