package cli

import (
	"fmt"
	"strconv"
	"strings"

	"palimpsest/compaction/replay"
	"palimpsest/model"
)

// axisFlag is "trigger=50..95/9", "tail=2k..32k/7", "batch=0,10,20msgs".
type axisFlag struct{ replay.Axis }

// usualValues is how many values a range has when it says nothing.
const usualValues = 7

// UnmarshalText reads the axis.
func (x *axisFlag) UnmarshalText(b []byte) error {
	name, rest, ok := strings.Cut(strings.ReplaceAll(string(b), " ", ""), "=")
	if !ok || rest == "" {
		return fmt.Errorf("%q is no axis, as in trigger=50..95/9 or tail=2k,8k,20k; there are %v", b, replay.Params())
	}
	param := replay.Param(strings.ToLower(name))
	n := usualValues
	if span, count, ok := strings.Cut(rest, "/"); ok {
		var err error
		if n, err = strconv.Atoi(count); err != nil {
			return fmt.Errorf("%q is no number of values", count)
		}
		rest = span
	}
	from, to, isRange := strings.Cut(rest, "..")
	parts := strings.Split(rest, ",")
	if isRange {
		parts = []string{from, to}
	}
	values, unit, err := axisValues(param, parts)
	if err != nil {
		return err
	}
	if isRange {
		x.Axis, err = replay.NewAxis(param, unit, values[0], values[1], n)
	} else {
		x.Axis, err = replay.AxisOf(param, unit, values)
	}
	return err
}

// axisValues reads values that may carry a unit, which must be the same. Plain
// numbers of a trigger are percent up to 100 and tokens above.
func axisValues(param replay.Param, parts []string) ([]float64, model.Unit, error) {
	values, unit, top := make([]float64, len(parts)), model.Unit(""), 0.0
	for i, text := range parts {
		u := model.Unit("")
		if share, ok := strings.CutSuffix(text, "%"); ok {
			f, err := strconv.ParseFloat(share, 64)
			if err != nil {
				return nil, "", fmt.Errorf("%q is no share", text)
			}
			values[i], u = f, replay.Percent
		} else if f, err := strconv.ParseFloat(text, 64); err == nil {
			values[i] = f
		} else {
			a, err := parseAmount(text)
			if err != nil {
				return nil, "", err
			}
			values[i], u = float64(a.N), a.Unit
		}
		top = max(top, values[i])
		if u != "" && unit != "" && u != unit {
			return nil, "", fmt.Errorf("an axis has one unit, not %s and %s", unit, u)
		}
		if u != "" {
			unit = u
		}
	}
	if param == replay.AxisTrigger && unit == "" && top > 100 {
		unit = model.Tokens
	}
	return values, unit, nil
}

// in is the axis with the unit that the policy gives it where it has none.
func (x axisFlag) in(p model.Policy) replay.Axis {
	a := x.Axis
	if a.Unit != "" {
		return a
	}
	switch a.Param {
	case replay.AxisTail:
		a.Unit = p.Tail.Unit
	case replay.AxisBatch:
		a.Unit = p.Batch.Unit
	case replay.AxisBudget:
		a.Unit = p.Budget.Unit
	case replay.AxisLayer:
		a.Unit = p.LayerBudget.Unit
	}
	return a
}
