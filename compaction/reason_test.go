package compaction

import (
	"strings"
	"testing"
)

// Numbers that were measured on a history of estimated tokens carry the mark of an
// estimate, whole contexts without a fixed part that of a bound, limits that a person
// has set neither, and no placeholder is left over.
func TestReasonsMarkEstimatesAndBounds(t *testing.T) {
	marked := 0
	for _, code := range ReasonCodes() {
		for _, n := range []int64{1, 34624} {
			r := Reason{Code: code, N: n, M: 8000}
			exact, estimated := r.String(), r.Text(Sizes{Estimated: true, AtLeast: true})
			if strings.ContainsAny(exact, "{}~≥") || strings.ContainsAny(estimated, "{}") {
				t.Errorf("%s: %q, %q", code, exact, estimated)
			}
			if strings.NewReplacer("~", "", "≥ ", "").Replace(estimated) != exact {
				t.Errorf("%s: %q is not %q but for its marks", code, estimated, exact)
			}
			byN, byM := r.Measured()
			want, bounds := 0, 0
			for _, m := range []Measure{byN, byM} {
				if m != Given {
					want++
				}
				if m == WholeContext {
					bounds++
				}
			}
			if got, least := strings.Count(estimated, "~"), strings.Count(estimated, "≥"); got != want || least != bounds {
				t.Errorf("%s has %d and %d marks, want %d and %d: %q", code, got, least, want, bounds, estimated)
			}
			marked += want
		}
	}
	if marked < 20 {
		t.Errorf("only %d numbers are measured", marked)
	}
	r := Reason{Code: "fires-again", N: 34624, M: 8000}
	if got, want := r.Text(Sizes{true, true}), "the result (≥ ~34,624 tokens) still reaches the trigger (8,000): it fires again at once"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
