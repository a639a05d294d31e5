package records

import (
	"slices"
	"testing"

	"palimpsest/model"
)

func TestWithoutRanges(t *testing.T) {
	r := func(n ...int) (out []model.Range) {
		for i := 0; i < len(n); i += 2 {
			out = append(out, model.Range{From: n[i], To: n[i+1]})
		}
		return out
	}
	for _, x := range []struct{ list, other, want []model.Range }{
		{r(0, 10), r(), r(0, 10)}, {r(0, 10), r(0, 10), nil}, {r(0, 10), r(3, 5), r(0, 3, 5, 10)},
		{r(0, 4, 6, 9), r(2, 7), r(0, 2, 7, 9)}, {r(5, 6), r(0, 9), nil}, {r(0, 3), r(3, 6), r(0, 3)},
	} {
		if got := without(x.list, x.other); !slices.Equal(got, x.want) {
			t.Errorf("%v without %v is %v, want %v", x.list, x.other, got, x.want)
		}
	}
}
