package chart

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"palimpsest/gui/kit"
)

// ramp is a curve with a drop in the middle.
func ramp(n int) []Point {
	p := make([]Point, 0, n)
	for i := range n {
		y := float64(i) * 200000 / float64(n)
		if i > n/2 {
			y -= 60000
		}
		p = append(p, Point{float64(i), y})
	}
	return p
}

func sample(n int) Data {
	return Data{
		XMax: float64(n - 1), YMax: 220000, Base: []Base{{Y: 14000, Tag: "fixed part 14.0K"}},
		Series: []Series{{Points: ramp(n), Color: kit.ColorText}, {Points: ramp(n), Color: kit.ColorSummarised, Dotted: true}},
		Levels: []Level{{Value: 200000, Label: "window", Color: kit.ColorError},
			{ID: "trigger", Value: 160000, Label: "trigger", Color: kit.ColorAccent, Dashed: true, Tag: true, Drag: true}},
		Bands: []Band{{ID: "tail", From: float64(n) * .3, To: float64(n) * .4, Color: kit.ColorKept, Drag: true}},
		Marks: []Mark{{X: float64(n / 2), Label: "1"}},
	}
}

func shown(t *testing.T, d Data) *Timeline {
	t.Helper()
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	c := NewTimeline()
	w := test.NewTempWindow(t, c)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(1000, 180))
	c.Set(d)
	return c
}

func at(c *Timeline, x, y float64) color.NRGBA {
	im := c.raster.Generator(1000, 180)
	return color.NRGBAModel.Convert(im.At(int(c.px(x)), int(math.Round(c.py(y))))).(color.NRGBA)
}

func named(n fyne.ThemeColorName) color.NRGBA {
	return color.NRGBAModel.Convert(kit.Color(n)).(color.NRGBA)
}

func near(a, b color.NRGBA) bool {
	d := func(x, y uint8) int { return int(math.Abs(float64(x) - float64(y))) }
	return d(a.R, b.R)+d(a.G, b.G)+d(a.B, b.B) < 150
}

// hasNear reports whether a colour is to be seen within two units of a value.
func hasNear(c *Timeline, x, y float64, n fyne.ThemeColorName) bool {
	im := c.raster.Generator(1000, 180)
	for dy := -2; dy <= 2; dy++ {
		for dx := -1; dx <= 1; dx++ {
			p := im.At(int(c.px(x))+dx, int(math.Round(c.py(y)))+dy)
			if near(color.NRGBAModel.Convert(p).(color.NRGBA), named(n)) {
				return true
			}
		}
	}
	return false
}

func TestCurvesAndLimitsAreWhereTheirValuesAre(t *testing.T) {
	c := shown(t, sample(481))
	for _, i := range []int{100, 200, 400} {
		if p := c.data.Series[0].Points[i]; !hasNear(c, p.X, p.Y, kit.ColorText) {
			t.Errorf("no curve at %v", p)
		}
	}
	if !hasNear(c, 20, 200000, kit.ColorError) {
		t.Error("no limit line")
	}
	if got := at(c, 300, 190000); got != named(kit.ColorPanel) {
		t.Errorf("empty ground: %v", got)
	}
	kit.Use(fyne.CurrentApp(), kit.Light, 1)
	if got := at(c, 300, 190000); got != named(kit.ColorPanel) {
		t.Errorf("ground after a change of theme: %v", got)
	}
}

func TestPictureIsUsedAgainAndNothingIsAllocated(t *testing.T) {
	c := shown(t, sample(100000))
	a := c.raster.Generator(1000, 180)
	if b := c.raster.Generator(1000, 180); a != b {
		t.Error("a new picture for the same size")
	}
	if n := testing.AllocsPerRun(10, func() { c.picture(1000, 180) }); n > 60 {
		t.Errorf("%v allocations a frame", n)
	}
	if n := len(c.paint.path); n > 4*1000 {
		t.Errorf("%d points were drawn of 100000 in 1000 columns", n)
	}
}

func TestReducedCurveReachesTheSameHeights(t *testing.T) {
	pts := make([]Point, 50000)
	for i := range pts {
		pts[i] = Point{float64(i), 100000 + 50000*math.Sin(float64(i)*.7)}
	}
	pts[25000].Y = 210000 // one call alone
	c := shown(t, Data{XMax: 49999, YMax: 220000, Series: []Series{{Points: pts, Color: kit.ColorText}}})
	if !hasNear(c, 25000, 206000, kit.ColorText) {
		t.Error("the peak is missing")
	}
}

func TestOddDataDoesNoHarm(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for i, d := range []Data{
		{}, {Unknown: "no usage"}, {Series: []Series{{}}},
		{XMax: 10, Series: []Series{{Points: []Point{{0, nan}, {1, 5}, {2, inf}, {3, 7}}, Color: kit.ColorText, Dotted: true}}},
		{XMax: 0, Series: []Series{{Points: []Point{{0, 5}}, Color: kit.ColorText}}},
		{XMin: 5, XMax: 1, YMax: -3}, {XMax: 10, YMax: 1, Levels: []Level{{Value: 1e12}}, Bands: []Band{{From: 20, To: -5}}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			c := shown(t, d)
			c.raster.Generator(1000, 180)
			c.raster.Generator(1, 1)
			c.MouseMoved(mouse(500, 50))
			c.SetCursor(3)
			c.zoom(5, .5)
			c.DoubleTapped(nil)
		})
	}
}

func mouse(x, y float32) *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}, Button: desktop.MouseButtonPrimary}
}

func drag(c *Timeline, from, to fyne.Position) {
	c.MouseDown(mouse(from.X, from.Y))
	mid := fyne.NewPos((from.X+to.X)/2, (from.Y+to.Y)/2)
	for _, s := range [][2]fyne.Position{{from, mid}, {mid, to}} {
		c.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: s[1]},
			Dragged: fyne.NewDelta(s[1].X-s[0].X, s[1].Y-s[0].Y)})
	}
	c.MouseUp(mouse(to.X, to.Y))
	c.DragEnd()
}

func TestClickSelects(t *testing.T) {
	c := shown(t, sample(481))
	got := -1.0
	c.OnSelect = func(x float64) { got = x; c.SetCursor(x) }
	c.MouseDown(mouse(float32(c.px(212)), 90))
	c.MouseUp(mouse(float32(c.px(212)), 90))
	if got != 212 {
		t.Errorf("selected %v", got)
	}
	c.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if got != 213 {
		t.Errorf("the arrow key selected %v", got)
	}
	c.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	c.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if got != 480 {
		t.Errorf("beyond the end: %v", got)
	}
}

func TestDragsMoveWhatIsUnderThem(t *testing.T) {
	c := shown(t, sample(481))
	var log []string
	c.OnDragLevel = func(id string, v float64, end bool) { log = append(log, fmt.Sprintf("%s %.0fK %v", id, v/1000, end)) }
	c.OnDragBand = func(id string, v float64, end bool) { log = append(log, fmt.Sprintf("%s %.0f %v", id, v, end)) }
	selected := false
	c.OnSelect = func(float64) { selected = true }
	y := float32(c.py(160000))
	drag(c, fyne.NewPos(400, y), fyne.NewPos(400, float32(c.py(120000))))
	x := float32(c.px(c.data.Bands[0].From))
	drag(c, fyne.NewPos(x, 120), fyne.NewPos(float32(c.px(100)), 120))
	want := []string{"trigger 140K false", "trigger 120K false", "trigger 120K true", "tail 122 false", "tail 100 false", "tail 100 true"}
	if fmt.Sprint(log) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", log, want)
	}
	if selected {
		t.Error("a drag selected")
	}
	if c.target(fyne.NewPos(400, y)).kind != dragLevel || c.target(fyne.NewPos(700, 60)).kind != dragZoom {
		t.Error("the pointer's shape is wrong")
	}
}

func TestALevelAboveTheAxisIsPulledDownByItsTag(t *testing.T) {
	d := sample(481)
	d.YMax, d.Levels[1].Value = 40000, 160000
	c := shown(t, d)
	tag, window := false, false
	for _, o := range c.over.texts[:c.over.used] {
		tag = tag || o.Text == "trigger ↑" && o.Position().Y >= float32(c.area.y)
		window = window || o.Text == "window"
	}
	if !tag || window {
		t.Fatalf("the trigger has a tag: %v; the window that nobody can drag is drawn: %v", tag, window)
	}
	var log []string
	c.OnDragLevel = func(id string, v float64, end bool) { log = append(log, fmt.Sprintf("%s %.0fK %v", id, v/1000, end)) }
	at := fyne.NewPos(80, float32(c.area.y)+kit.Px(9))
	if c.target(at).kind != dragLevel || c.target(at.AddXY(0, kit.Px(20))).kind != dragZoom || c.target(at.AddXY(500, 0)).kind != dragZoom {
		t.Fatal("the tag is not what can be taken hold of")
	}
	drag(c, at, fyne.NewPos(80, float32(c.py(20000))))
	drag(c, at, at.AddXY(0, 4)) // an unsteady hand moves nothing
	if len(log) != 4 || log[2] != "trigger 20K true" || log[3] != "trigger 160K true" {
		t.Errorf("%v", log)
	}
}

func TestZoom(t *testing.T) {
	c := shown(t, sample(481))
	views := 0
	c.OnView = func(float64, float64) { views++ }
	drag(c, fyne.NewPos(float32(c.px(100)), 20), fyne.NewPos(float32(c.px(200)), 20))
	if from, to := c.View(); math.Abs(from-100) > .01 || math.Abs(to-200) > .01 || views != 1 {
		t.Errorf("view %v–%v, told %d times", from, to, views)
	}
	c.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(float32(c.px(150)), 50)}, Scrolled: fyne.NewDelta(0, 25)})
	if from, to := c.View(); from <= 100 || to >= 200 || math.Abs((from+to)/2-150) > .5 {
		t.Errorf("view %v–%v after the wheel", from, to)
	}
	d := c.Data()
	d.Levels = d.Levels[:1]
	c.Set(d) // other settings over the same history keep the view
	if from, _ := c.View(); from <= 100 {
		t.Error("new data of the same range reset the view")
	}
	c.DoubleTapped(nil)
	if from, to := c.View(); from != 0 || to != 480 {
		t.Errorf("view %v–%v after the double click", from, to)
	}
	c.TypedRune('+')
	c.TypedRune('0')
	if from, to := c.View(); from != 0 || to != 480 {
		t.Errorf("view %v–%v after 0", from, to)
	}
}

func TestHoverDoesNotDrawTheCurvesAgain(t *testing.T) {
	c := shown(t, sample(481))
	c.Hover = func(x float64) []string { return []string{fmt.Sprintf("call %.0f", x)} }
	drawn := 0
	g := c.raster.Generator
	c.raster.Generator = func(w, h int) image.Image { drawn++; return g(w, h) }
	c.MouseMoved(mouse(float32(c.px(77)), 50))
	found := false
	for _, o := range c.over.texts[:c.over.used] {
		found = found || o.Text == "call 77"
	}
	if !found || drawn != 0 {
		t.Error("no words at the pointer")
	}
	c.MouseOut()
	for _, o := range c.over.texts[:c.over.used] {
		if o.Text == "call 77" {
			t.Error("the words stayed")
		}
	}
}

func TestTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e6, 1e6).Draw(t, "lo")
		w := rapid.Float64Range(1e-3, 1e9).Draw(t, "w")
		n := rapid.IntRange(1, 8).Draw(t, "n")
		got := ticks(lo, lo+w, n)
		if len(got) > n {
			t.Fatalf("%d ticks of %d", len(got), n)
		}
		for i, v := range got {
			if v < lo-w*1e-6 || v > lo+w*(1+1e-6) || i > 0 && v <= got[i-1] {
				t.Fatalf("%v in %v…%v", got, lo, lo+w)
			}
		}
		if n >= 4 && len(got) < 2 {
			t.Fatalf("only %v in %v…%v with %d", got, lo, lo+w, n)
		}
	})
	if got := fmt.Sprint(ticks(0, 208000, 5)); got != "[0 50000 100000 150000 200000]" {
		t.Error(got)
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, n := range []int{500, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			kit.Use(test.NewApp(), kit.Dark, 1)
			c := NewTimeline()
			c.Resize(fyne.NewSize(1000, 176))
			c.Set(sample(n))
			b.ReportAllocs()
			for b.Loop() {
				c.picture(1000, 176)
			}
		})
	}
}

// A simulated mark has a shape and a place of its own.
func TestSimulatedMarksStandOnTheAxis(t *testing.T) {
	d := sample(481)
	d.Series, d.Bands, d.Base = nil, nil, nil
	d.Marks = []Mark{{X: 100, Label: "1"}, {X: 300, Simulated: true, Color: kit.ColorSummarised}}
	c := shown(t, d)
	if !hasNear(c, 300, 3000, kit.ColorSummarised) || hasNear(c, 300, 100000, kit.ColorMuted) {
		t.Error("no triangle on the axis, or a line above it")
	}
	if hasNear(c, 100, 3000, kit.ColorSummarised) {
		t.Error("a found compaction looks simulated")
	}
}

// The band at the bottom has the height of each stretch of the history, and says it where
// there is room.
func TestTheBandHasAHeightForEachStretch(t *testing.T) {
	d := sample(500)
	d.Series, d.Bands, d.Marks = nil, nil, nil
	d.Base = []Base{{0, 90000, "before 90K"}, {20, 30000, "narrow 30K"}, {22, 0, "nothing"}, {200, 60000, "after 60K"}}
	c := shown(t, d)
	filled := at(c, 300, 13000)
	for _, p := range []struct {
		x, y float64
		in   bool
	}{{10, 85000, true}, {10, 95000, false}, {21, 25000, true}, {21, 35000, false}, {100, 5000, false}, {300, 55000, true}, {300, 65000, false}} {
		if (at(c, p.x, p.y) == filled) != p.in {
			t.Errorf("at %v, %v: filled %v", p.x, p.y, !p.in)
		}
	}
	tags := func() (found []string) {
		for _, l := range c.over.texts[:c.over.used] {
			if slices.ContainsFunc(d.Base, func(b Base) bool { return b.Tag == l.Text }) {
				found = append(found, l.Text)
			}
		}
		return found
	}
	if got := tags(); !slices.Equal(got, []string{"after 60K"}) {
		t.Errorf("tags %q", got)
	}
	c.SetView(0, 20.5)
	if got := tags(); !slices.Equal(got, []string{"before 90K"}) {
		t.Errorf("zoomed to the beginning: tags %q", got)
	}
}

// A click on the diamond or the triangle of a mark is shown beside its place; a
// click elsewhere on its line is not.
func TestClickOnAMark(t *testing.T) {
	d := sample(500)
	d.Marks = append(d.Marks, Mark{X: 300, Simulated: true, Color: kit.ColorSummarised})
	c := shown(t, d)
	var told []float64
	chosen := 0
	c.OnMark = func(m Mark) { told = append(told, m.X) }
	c.OnSelect = func(float64) { chosen++ }
	f := c.area
	for _, p := range []struct{ x, y float64 }{{250, f.y - markRise}, {300, f.y + f.h - triangleSize/2}, {300, f.y + f.h/2}} {
		c.MouseDown(mouse(float32(c.px(p.x)), float32(p.y)))
		c.MouseUp(mouse(float32(c.px(p.x)), float32(p.y)))
	}
	if len(told) != 2 || told[0] != 250 || told[1] != 300 || chosen != 3 {
		t.Errorf("marks %v, %d places", told, chosen)
	}
}

// However close marks are, no label covers another one or on a diamond.
func TestLabelsOfMarksKeepApart(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := sample(500)
		d.Marks = nil
		x := 0.0
		for x < 480 {
			x += rapid.Float64Range(.5, 60).Draw(r, "gap")
			d.Marks = append(d.Marks, Mark{X: x, Label: rapid.SampledFrom([]string{"1", "12", "R-0007", ""}).Draw(r, "label")})
		}
		c := shown(t, d)
		f := c.area
		type span struct{ from, to float64 }
		var labels []span
		for _, l := range c.over.texts[:c.over.used] {
			if p := l.Position(); float64(p.Y) < f.y-1 && float64(p.X) > f.x {
				labels = append(labels, span{float64(p.X), float64(p.X + l.Size().Width)})
			}
		}
		for i, a := range labels {
			for _, b := range labels[i+1:] {
				if a.from < b.to && b.from < a.to {
					r.Fatalf("labels %v and %v", a, b)
				}
			}
			for _, m := range d.Marks {
				if x := c.px(m.X); m.X <= d.XMax && x > a.from && x < a.to {
					r.Fatalf("label %v on the diamond at %.1f", a, x)
				}
			}
		}
	})
}

// A curve that stayed is not stroked again, and nothing of that is seen: the picture is
// the one that a new chart draws of the same.
func TestACurveThatStaysIsDrawnFromItsTrace(t *testing.T) {
	first := sample(4000)
	curve := func(k float64, dotted bool) Series {
		pts := make([]Point, 3000)
		for i := range pts {
			pts[i] = Point{float64(i), 90000 + 40000*math.Sin(float64(i)*k)}
		}
		return Series{Points: pts, Color: kit.ColorSummarised, Dotted: dotted}
	}
	recorded := first.Series
	with := func(s ...Series) (d Data) {
		d = first
		d.Series = append(slices.Clone(recorded), s...)
		return d
	}
	same := curve(.3, true)
	c := shown(t, first)
	for name, change := range map[string]func(c *Timeline){
		"another curve beside it": func(c *Timeline) { c.Set(with(curve(.7, true))) },
		"that curve again":        func(c *Timeline) { c.Set(with(same)) },
		"not dotted":              func(c *Timeline) { d := with(same); d.Series[len(recorded)].Dotted = false; c.Set(d) },
		"a part of it":            func(c *Timeline) { d := with(same); d.Series[0].Points = d.Series[0].Points[:900]; c.Set(d) },
		"another axis":            func(c *Timeline) { d := with(same); d.YMax = 400000; c.Set(d) },
		"a closer view":           func(c *Timeline) { c.Set(with(same)); c.SetView(200, 900) },
		"all of it":               func(c *Timeline) { c.Set(with(same)); c.SetView(0, 1e9) },
		"a colour": func(c *Timeline) {
			d := with()
			d.Series = slices.Clone(d.Series)
			d.Series[0].Color = kit.ColorError
			c.Set(d)
		},
		"fewer": func(c *Timeline) { c.Set(Data{XMax: first.XMax, Series: []Series{curve(.2, false)}}) },
	} {
		change(c)
		from, to := c.View()
		got := slices.Clone(c.picture(1000, 180).(*image.RGBA).Pix)
		fresh := shown(t, c.Data())
		fresh.SetView(from, to)
		if want := fresh.picture(1000, 180).(*image.RGBA).Pix; !slices.Equal(got, want) {
			t.Errorf("%s: it is not what a new chart draws", name)
		}
	}
}
