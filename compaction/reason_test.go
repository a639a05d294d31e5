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
	if got, want := r.Text(Sizes{true, true}), "the result (≥ ~34,624 tokens) still reaches the threshold (8,000): it fires again at once"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What a record keeps of a reason leads back to it, for every code, number and mark.
func TestAReasonIsReadBackFromItsSentence(t *testing.T) {
	for _, code := range ReasonCodes() {
		for _, n := range [][2]int64{{0, 0}, {1, 1}, {1, 160_000}, {2_345, 7}, {7, 1_234_567}} {
			for _, z := range []Sizes{{}, {Estimated: true}, {AtLeast: true}, {Estimated: true, AtLeast: true}} {
				text := Reason{code, n[0], n[1]}.Text(z)
				r, sizes, ok := ReasonIn(text)
				if !ok || r.Code != code || r.Text(sizes) != text {
					t.Errorf("%s of %v: %q is read as %+v %+v", code, n, text, r, sizes)
				}
			}
		}
	}
	if r, _, ok := ReasonIn("the server failed (status 500): boom"); ok {
		t.Errorf("a failure is %+v", r)
	}
}
