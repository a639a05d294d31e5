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

// usualValues is how many values a range has when it does not say.
const usualValues = 7

// ReadAxis reads the values of an axis as a person writes them: a range with the
// number of values ("60..92/9", "60–92"), or a list ("8k, 12k, 20k"). Commas
// part values; K and M stand for thousands and millions.
func ReadAxis(p replay.Param, u model.Unit, text string) (replay.Axis, error) {
	text = strings.NewReplacer(" ", "", "%", "", "–", "..", "…", "..").Replace(text)
	n := usualValues
	if span, count, ok := strings.Cut(text, "/"); ok {
		var err error
		if n, err = strconv.Atoi(count); err != nil {
			return replay.Axis{}, fmt.Errorf("%q is no number of values", count)
		}
		text = span
	}
	from, to, ranged := strings.Cut(text, "..")
	parts := []string{from, to}
	if !ranged {
		parts = strings.Split(text, ",")
	}
	values := make([]float64, len(parts))
	for i, s := range parts {
		var err error
		if values[i], err = axisNumber(s); err != nil {
			return replay.Axis{}, err
		}
	}
	if ranged {
		return replay.NewAxis(p, u, values[0], values[1], n)
	}
	return replay.AxisOf(p, u, values)
}

func axisNumber(s string) (float64, error) {
	times := 1.0
	for _, k := range []struct {
		letters string
		times   float64
	}{{"kK", 1e3}, {"mM", 1e6}} {
		if rest := strings.TrimRight(s, k.letters); len(rest) == len(s)-1 {
			s, times = rest, k.times
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return v * times, nil
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

// AxisAt is the value that a policy has on an axis; false when its parameter is
// set in another unit, or not at all.
func AxisAt(a replay.Axis, p model.Policy) (float64, bool) {
	amount := func(x model.Amount) (float64, bool) {
		return float64(x.N), a.Unit == "" || a.Unit == x.Unit
	}
	switch a.Param {
	case replay.AxisTrigger:
		if len(p.Triggers) != 1 {
			return 0, false
		}
		c := p.Triggers[0]
		if a.Unit == replay.Percent {
			// As an axis rounds it, so that 0.07·100 is 7.
			r, err := replay.AxisOf(a.Param, a.Unit, []float64{c.Share * 100})
			if err != nil {
				return 0, false
			}
			return r.Values[0], c.Share > 0
		}
		return float64(c.At.N), c.Share == 0 && c.At.Unit == a.Unit
	case replay.AxisTail:
		return amount(p.Tail)
	case replay.AxisBatch:
		return amount(p.Batch)
	case replay.AxisTarget:
		return float64(p.Target), true
	case replay.AxisBudget:
		return amount(p.Budget)
	case replay.AxisLayer:
		return amount(p.LayerBudget)
	case replay.AxisWindow:
		return float64(p.Window), true
	case replay.AxisReserve:
		return float64(p.Reserve), true
	case replay.AxisKeep:
		return float64(p.Clear.Keep), p.Clear.On
	case replay.AxisAbove:
		return float64(p.Clear.Above), p.Clear.On
	case replay.AxisMinGain:
		return float64(p.MinGain.Messages), true
	case replay.AxisBackOff:
		return float64(p.BackOff), true
	}
	return 0, false
}

// FirstAxes are what a sweep begins with: trigger and recent tail around what
// parameters have.
func FirstAxes(p model.Policy) (x, y replay.Axis) {
	unit := replay.Percent
	switch {
	case len(p.Triggers) == 1 && p.Triggers[0].Share == 0:
		unit = p.Triggers[0].At.Unit
	case p.Window == 0:
		unit = model.Tokens
	}
	return AxisAround(replay.AxisTrigger, unit, p), AxisAround(replay.AxisTail, p.Tail.Unit, p)
}

// AxisAround is an axis of a parameter with values around the one that
// parameters have, which is among them.
func AxisAround(param replay.Param, u model.Unit, p model.Policy) replay.Axis {
	a := replay.Axis{Param: param, Unit: u}
	if u == "" {
		a.Unit = model.Tokens
	}
	now, set := AxisAt(a, p)
	switch {
	case a.Unit == replay.Percent:
		a.Values = []float64{50, 55, 60, 65, 70, 75, 80, 85, 90, 95}
	case param == replay.AxisTail && a.Unit == model.Tokens:
		a.Values = []float64{4e3, 8e3, 12e3, 20e3, 32e3, 48e3}
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
