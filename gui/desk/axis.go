package desk

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"palimpsest/compaction/replay"
	"palimpsest/model"
)

// ReadAxis reads the values of an axis in a chosen unit as a person writes them:
// "60..92/9", "60–92", "8k, 12k, 20k".
func ReadAxis(p replay.Param, u model.Unit, text string) (replay.Axis, error) {
	return replay.ReadAxis(p, u, strings.NewReplacer("–", "..", "…", "..").Replace(text))
}

// AxisText writes the values of an axis so that ReadAxis reads them again.
func AxisText(a replay.Axis) string {
	v := a.Values
	if n := len(v); n > 3 {
		if even, err := replay.NewAxis(a.Param, a.Unit, v[0], v[n-1], n); err == nil && slices.Equal(even.Values, v) {
			return fmt.Sprintf("%s..%s/%d", axisValue(v[0]), axisValue(v[n-1]), n)
		}
	}
	parts := make([]string, len(v))
	for i := range v {
		parts[i] = axisValue(v[i])
	}
	return strings.Join(parts, ",")
}

// axisValue spells a number without losing any of it.
func axisValue(v float64) string {
	if v >= 1000 && v == float64(int64(v)/1000*1000) {
		return strconv.FormatInt(int64(v)/1000, 10) + "K"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// FirstAxes are what a sweep begins with: trigger and recent tail around what
// parameters have.
func FirstAxes(p model.Policy) (x, y replay.Axis) {
	unit := model.Percent
	if _, u, one := replay.AxisTrigger.Row().Number(&p); one {
		unit = u
	}
	if unit == model.Percent && p.Window == 0 {
		unit = model.Tokens
	}
	tail := replay.Axis{Param: replay.AxisTail}.In(p)
	return AxisAround(replay.AxisTrigger, unit, p), AxisAround(replay.AxisTail, tail.Unit, p)
}

// AxisAround is an axis of a parameter with values around the one that
// parameters have, which is among them.
func AxisAround(param replay.Param, u model.Unit, p model.Policy) replay.Axis {
	a := replay.Axis{Param: param, Unit: u}
	if u == "" {
		a.Unit = model.Tokens
	}
	now, set := a.At(p)
	switch usual := param.Row().Usual[a.Unit]; {
	case usual != nil:
		a.Values = slices.Clone(usual)
	case set && now > 0:
		a.Values = around(now)
	case a.Unit == model.Tokens:
		a.Values = around(40e3)
	default:
		a.Values = around(10)
	}
	if set && now > 0 && !slices.Contains(a.Values, now) {
		a.Values = append(a.Values, now)
		slices.Sort(a.Values)
	}
	return a
}

// around is whole values below and above one.
func around(n float64) []float64 {
	var out []float64
	for _, f := range []float64{.25, .5, .75, 1, 1.5, 2, 3} {
		if v := math.Max(1, math.Round(n*f)); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
