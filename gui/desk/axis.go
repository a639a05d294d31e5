package desk

import (
	"context"
	"fmt"
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

// FirstAxes are the axes that a sweep of the history looked at begins with.
func (d *study) FirstAxes() (x, y replay.Axis) {
	return replay.FirstAxes(context.Background(), d.desk.Session().History(), d.desk.Params())
}

// AxisAround is an axis with values that the history looked at reaches, around the
// one that is set.
func (d *study) AxisAround(param replay.Param, u model.Unit) replay.Axis {
	return replay.AxisAround(d.desk.Session().History(), param, u, d.desk.Params())
}
