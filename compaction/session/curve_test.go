package session

import (
	"testing"
)

func TestDriftIsTheWidestGapWithItsSign(t *testing.T) {
	for _, c := range []struct {
		points []Point
		want   float64
	}{
		{nil, 0},
		{[]Point{{Counted: 500}}, 0}, // nothing is reported
		{[]Point{{Recorded: 100, Counted: 110}, {Recorded: 100, Counted: 75}, {Counted: 900}}, -.25},
		{[]Point{{Recorded: 200, Counted: 250}, {Recorded: 100, Counted: 90}}, .25},
	} {
		if got := Drift(c.points); got != c.want {
			t.Errorf("%v: %v, not %v", c.points, got, c.want)
		}
	}
}
