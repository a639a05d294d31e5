package chart

import (
	"fmt"
	"slices"
	"testing"
)

// No two ticks are written the same.
func TestTicksThatAreWrittenTheSame(t *testing.T) {
	whole := func(v float64) string { return fmt.Sprintf("%.0f", v) }
	if got := apart([]float64{98.9, 99.1, 99.3, 99.6, 100}, whole); !slices.Equal(got, []float64{98.9, 99.6}) {
		t.Error(got)
	}
	none := func(float64) string { return "" }
	if got := apart([]float64{1, 2}, none); len(got) != 2 {
		t.Error(got)
	}
}

// A line is drawn where something can lie.
func TestTicksWithoutWordsAreNotDrawn(t *testing.T) {
	share := func(v float64) string {
		if v > 1 {
			return ""
		}
		return fmt.Sprint(v)
	}
	if got := worded([]float64{.5, 1, 1.5}, share); !slices.Equal(got, []float64{.5, 1}) {
		t.Error(got)
	}
	if got := worded([]float64{.5, 1, 1.5}, nil); len(got) != 3 {
		t.Error(got)
	}
}
