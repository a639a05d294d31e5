package chart

import (
	"math"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
)

// LaneScale is the axis that lanes share: Unix milliseconds, or plain numbers.
type LaneScale struct {
	From, To float64
	Timed    bool
}

// laneTicks is the most ticks of the axis of lanes.
const laneTicks = 9

// laneMargin is left free at both ends of a lane, in units of the canvas.
const laneMargin = 6

// at is the column of a value in a picture w pixels wide.
func (s LaneScale) at(v, w, scale float64) float64 {
	if s.To <= s.From {
		return w / 2
	}
	return (v-s.From)/(s.To-s.From)*(w-2*laneMargin*scale) + laneMargin*scale
}

// timeSteps are the distances of round times.
var timeSteps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// step is the distance of the ticks of a time axis.
func (s LaneScale) step() time.Duration {
	span := time.Duration(s.To-s.From) * time.Millisecond
	for _, d := range timeSteps {
		if span/d < laneTicks {
			return d
		}
	}
	day := timeSteps[len(timeSteps)-1]
	return day * (span/(day*laneTicks) + 1)
}

// Ticks are the values with a line and a label: round numbers, or times
// that are round in the local time zone.
func (s LaneScale) Ticks() []float64 {
	if !s.Timed {
		return ticks(s.From, s.To, laneTicks)
	}
	if !(s.To > s.From) || math.IsInf(s.To-s.From, 0) {
		return nil
	}
	step := float64(s.step().Milliseconds())
	_, offset := time.UnixMilli(int64(s.From)).Zone()
	shift := float64(offset) * 1000
	var out []float64
	for v := math.Ceil((s.From+shift)/step)*step - shift; v <= s.To && len(out) < laneTicks; v += step {
		out = append(out, v)
	}
	return out
}

// Label is what a tick is called: no finer than the ticks are apart.
func (s LaneScale) Label(v float64) string {
	if !s.Timed {
		return trimNumber(v)
	}
	t := time.UnixMilli(int64(v)).Local()
	switch step := s.step(); {
	case step < time.Minute:
		return t.Format("15:04:05")
	case step < 6*time.Hour && s.To-s.From < float64((24*time.Hour).Milliseconds()): // a time comes once
		return t.Format("15:04")
	case step < 24*time.Hour:
		return t.Format("01-02 15:04")
	}
	return t.Format("2006-01-02")
}

// LaneAxis labels the columns of a stack of lanes, below it.
type LaneAxis struct {
	plot
	scale LaneScale
}

// NewLaneAxis makes an axis without numbers.
func NewLaneAxis() *LaneAxis {
	a := &LaneAxis{}
	a.init(a)
	return a
}

// Set shows the numbers of a scale.
func (a *LaneAxis) Set(s LaneScale) {
	a.scale = s
	a.Refresh()
}

// MinSize implements fyne.WidgetRenderer.
func (a *LaneAxis) MinSize() fyne.Size { return fyne.NewSize(kit.Px(100), kit.Px(18)) }

func (a *LaneAxis) measure()      {}
func (a *LaneAxis) draw(*painter) {}

func (a *LaneAxis) place(o *overlay) {
	s := a.Size()
	o.along(levelAxis{a.scale.Label, 0, float64(s.Width), float64(s.Height)/2 - float64(kit.Px(8))}, a.scale.Ticks(),
		func(v float64) float64 { return a.scale.at(v, float64(s.Width), 1) })
}
