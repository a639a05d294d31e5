package chart

import (
	"math"
	"strconv"
)

// ticks gives round values from lo to hi, at most n and at least one apart from
// the ends where that is possible.
func ticks(lo, hi float64, n int) []float64 {
	if n < 1 || !(hi > lo) || math.IsInf(hi-lo, 0) {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/float64(n))))
	for _, f := range []float64{1, 2, 2.5, 5, 10, 20} {
		if first := math.Ceil(lo/(step*f)) * step * f; math.Floor((hi-first)/(step*f))+1 <= float64(n) {
			step *= f
			break
		}
	}
	var out []float64
	for v := math.Ceil(lo/step) * step; v <= hi+step*1e-9 && len(out) < n; v += step {
		if math.Abs(v) < step*1e-9 {
			v = 0
		}
		out = append(out, v)
	}
	return out
}

// trimNumber writes a number with no more digits than it has.
func trimNumber(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// apart leaves out the ticks that are written as the one before: they are nearer to each
// other than the numbers are exact.
func apart(list []float64, format func(float64) string) (out []float64) {
	said := ""
	for _, v := range list {
		if f := format(v); f != said || f == "" {
			out, said = append(out, v), f
		}
	}
	return out
}

// worded leaves out the ticks of which there are no words: no value lies there.
func worded(list []float64, format func(float64) string) (out []float64) {
	for _, v := range list {
		if format == nil || format(v) != "" {
			out = append(out, v)
		}
	}
	return out
}
