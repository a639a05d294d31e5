package chart

import (
	"image/color"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"palimpsest/gui/kit"
)

// The ticks of times are within the axis, equally far apart, at round times of
// the place, and no two are called the same.
func TestTicksOfTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Int64Range(0, 4e12).Draw(t, "from")
		span := rapid.Int64Range(5000, 5e11).Draw(t, "span")
		s := LaneScale{From: float64(from), To: float64(from + span), Timed: true}
		got := s.Ticks()
		if len(got) == 0 && span > s.step().Milliseconds() || len(got) > laneTicks {
			t.Fatalf("%d ticks for %v", len(got), time.Duration(span)*time.Millisecond)
		}
		seen := map[string]bool{}
		for i, v := range got {
			if v < s.From || v > s.To {
				t.Fatalf("%v is not between %v and %v", v, s.From, s.To)
			}
			if i > 0 && v-got[i-1] != float64(s.step().Milliseconds()) {
				t.Fatalf("%v apart, not %v", v-got[i-1], s.step())
			}
			if l := s.Label(v); seen[l] {
				t.Fatalf("%q stands twice", l)
			} else {
				seen[l] = true
			}
			if local := time.UnixMilli(int64(v)).Local(); s.step() >= time.Minute && local.Second() != 0 {
				t.Fatalf("%v is not round", local)
			}
		}
	})
}

// Words in the roof of a lane stay inside it, and off marks, arrows and each
// other.
func TestLaneWordsStandApart(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		size := fyne.NewSize(float32(rapid.IntRange(60, 1600).Draw(t, "width")), float32(rapid.IntRange(24, 90).Draw(t, "height")))
		at := func(name string) float64 { return rapid.Float64Range(0, 100).Draw(t, name) }
		d := LaneData{Scale: LaneScale{To: 100}}
		if rapid.Bool().Draw(t, "called") {
			d.Arrows = append(d.Arrows, LaneArrow{X: at("call"), Part: ArrowCalled, Label: rapid.StringMatching(`[a-z ]{0,60}`).Draw(t, "task")})
			d.Arrows = append(d.Arrows, LaneArrow{X: at("back"), Part: ArrowCalled, Back: true, Label: "→ lead #88"})
		}
		for range rapid.IntRange(0, 4).Draw(t, "through") {
			d.Arrows = append(d.Arrows, LaneArrow{X: at("other"), Part: ArrowThrough, Label: "not here"})
		}
		for range rapid.IntRange(0, 3).Draw(t, "marks") {
			d.Marks = append(d.Marks, LaneMark{X: at("mark"), Label: "1 · tester had not returned", Color: kit.ColorWarning})
		}
		l, o := NewLane(), overlay{}
		l.data = d
		l.Resize(size)
		l.place(&o)
		for i, label := range o.objs {
			l, r := label.Position().X, label.Position().X+label.Size().Width
			if l < -.5 || r > size.Width+.5 {
				t.Fatalf("from %v to %v in a lane %v wide", l, r, size.Width)
			}
			for _, p := range o.objs[:i] {
				if l < p.Position().X+p.Size().Width && r > p.Position().X {
					t.Fatalf("%v–%v is written over %v", l, r, p.Position().X)
				}
			}
			for _, m := range d.Marks {
				if x := float32(d.Scale.at(m.X, float64(size.Width), 1)); l < x && x < r {
					t.Fatalf("a mark at %v stands in %v–%v", x, l, r)
				}
			}
		}
	})
}

// An arrow that passes a lane runs from its upper edge to its lower one, so that
// it meets the parts in the lanes beside it; the ends stop in their lanes.
func TestArrowsRunThroughLanes(t *testing.T) {
	test.NewTempApp(t)
	const w, h = 200, 60
	inked := func(part ArrowPart) (top, bottom bool) {
		l := NewLane()
		l.Resize(fyne.NewSize(w, h))
		l.data = LaneData{Scale: LaneScale{To: 100}, Arrows: []LaneArrow{{X: 50, Part: part}}}
		img := l.picture(w, h)
		at := func(y int) bool {
			for x := w/2 - 1; x <= w/2+1; x++ {
				if r, g, b, _ := img.At(x, y).RGBA(); isInk(r, g, b) {
					return true
				}
			}
			return false
		}
		return at(0), at(h - 1)
	}
	for part, want := range map[ArrowPart][2]bool{ArrowThrough: {true, true}, ArrowCaller: {false, true}, ArrowCalled: {true, false}} {
		if top, bottom := inked(part); top != want[0] || bottom != want[1] {
			t.Errorf("part %d: at the upper edge %v, at the lower %v", part, top, bottom)
		}
	}
}

// isInk reports whether a pixel is near the colour of a call.
func isInk(r, g, b uint32) bool {
	c := rgba(kit.ColorAdded)
	near := func(a uint32, b uint8) bool { d := int(a>>8) - int(b); return d > -40 && d < 40 }
	return near(r, c.R) && near(g, c.G) && near(b, c.B)
}

// A dotted curve of few calls is dotted all along, also between calls that are far
// apart.
func TestADottedLaneHasNoHoles(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	l := NewLane()
	l.Resize(fyne.NewSize(400, 60))
	l.Set(LaneData{Scale: LaneScale{To: 100}, Top: 100, Dotted: true, Color: kit.ColorError,
		Points: []Point{{0, 10}, {30, 20}, {60, 40}, {100, 90}}})
	im := l.picture(400, 60)
	inked := func(x int) bool {
		for y := range 60 {
			if c := color.NRGBAModel.Convert(im.At(x, y)).(color.NRGBA); near(c, named(kit.ColorError)) {
				return true
			}
		}
		return false
	}
	hole := 0
	from, to := int(l.data.Scale.at(0, 400, 1)), int(l.data.Scale.at(100, 400, 1))
	for x := from; x < to; x++ {
		if hole++; inked(x) {
			hole = 0
		}
		if hole > 8 {
			t.Fatalf("nothing is drawn before column %d of %d–%d", x, from, to)
		}
	}
}
