package compaction

import (
	"strings"
	"testing"
)

// Numbers that were measured on a history of estimated tokens carry the mark of an
// estimate, limits that a person has set do not, and no placeholder is left over.
func TestReasonsMarkEstimates(t *testing.T) {
	marked := 0
	for _, code := range ReasonCodes() {
		for _, n := range []int64{1, 34624} {
			r := Reason{Code: code, N: n, M: 8000}
			exact, estimated := r.String(), r.Text(true)
			if strings.ContainsAny(exact, "{}~") || strings.ContainsAny(estimated, "{}") {
				t.Errorf("%s: %q, %q", code, exact, estimated)
			}
			if strings.ReplaceAll(estimated, "~", "") != exact {
				t.Errorf("%s: %q is not %q but for its marks", code, estimated, exact)
			}
			byN, byM := r.Measured()
			want := 0
			for _, measured := range []bool{byN, byM} {
				if measured {
					want++
				}
			}
			if got := strings.Count(estimated, "~"); got != want {
				t.Errorf("%s has %d marks, want %d: %q", code, got, want, estimated)
			}
			marked += want
		}
	}
	if marked < 20 {
		t.Errorf("only %d numbers are measured", marked)
	}
	r := Reason{Code: "fires-again", N: 34624, M: 8000}
	if got, want := r.Text(true), "the result (~34,624 tokens) still reaches the trigger (8,000): it fires again at once"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
