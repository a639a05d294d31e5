package chart

import (
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
)

// laneLabels are the texts at the top of a lane: what a mark says, what an agent
// was called for, where its result went. Texts without room are left out;
// the list of tasks names them all.
type laneLabels struct {
	o     *overlay
	taken []laneSpan
	size  fyne.Size
}

// laneSpan is a range of x at the top of a lane that is taken.
type laneSpan struct{ from, to float64 }

// The room that words ask for, in units of the canvas.
const (
	wordGap   = 7  // from what they belong to
	wordLeast = 44 // a text that would be shorter is left out
	wordMost  = 240
)

// place writes the words of the lane.
func (l *Lane) place(o *overlay) {
	d, s := &l.data, l.Size()
	w := &laneLabels{o: o, size: s}
	if s.Width <= 0 || float64(s.Height) < roof() {
		return
	}
	x := func(v float64) float64 { return d.Scale.at(v, float64(s.Width), 1) }
	for _, m := range d.Marks { // what must not be written over
		w.taken = append(w.taken, laneSpan{x(m.X) - wordGap, x(m.X) + wordGap})
	}
	for _, a := range d.Arrows {
		if a.Part != ArrowCaller {
			w.taken = append(w.taken, laneSpan{x(a.X) - wordGap + 1, x(a.X) + wordGap - 1})
		}
	}
	for _, a := range d.Arrows { // a result's words are short and say where to look
		if a.Part == ArrowCalled && a.Back && !w.write(a.Label, kit.ColorMuted, x(a.X)-wordGap, true, false) {
			w.write(a.Label, kit.ColorMuted, x(a.X)+wordGap, false, false)
		}
	}
	for _, m := range d.Marks {
		w.write(m.Label, m.Color, x(m.X)+wordGap, false, true)
	}
	for _, a := range d.Arrows {
		if a.Part == ArrowCalled && !a.Back {
			w.write(a.Label, kit.ColorMuted, x(a.X)+wordGap, false, true)
		}
	}
}

// write puts a text to the right of a column, or to its left, where there is
// room; cut reports whether a part of it will do.
func (w *laneLabels) write(text string, c fyneColor, at float64, left, cut bool) bool {
	if text == "" {
		return true
	}
	full := float64(fyne.MeasureText(text, kit.FontPx(11), fyne.TextStyle{}).Width)
	lo, hi := 0.0, float64(w.size.Width)
	for _, t := range w.taken {
		if t.to <= at+.5 {
			lo = math.Max(lo, t.to)
		} else if t.from >= at-.5 {
			hi = math.Min(hi, t.from)
		} else {
			return false
		}
	}
	room := math.Min(hi-at, wordMost)
	if left {
		room = math.Min(at-lo, wordMost)
	}
	if room < full {
		if !cut || room < wordLeast {
			return false
		}
		text = kit.Ellipsize(text, float32(room), kit.FontPx(11), fyne.TextStyle{})
		full = room
	}
	l := w.o.text(text, c, 11, false)
	w.o.put(l, at, float64(laneGap)+(roof()-float64(l.MinSize().Height))/2, left)
	from := at
	if left {
		from = at - full
	}
	w.taken = append(w.taken, laneSpan{from - wordGap, from + full + wordGap})
	return true
}
