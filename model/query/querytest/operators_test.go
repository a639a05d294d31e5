package querytest

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/model/query"
)

// Every operator has a value to be tried, each clause can be parsed under all of its names,
// and means the same under each.
func TestClausesCoverEveryOperator(t *testing.T) {
	for _, k := range query.Keys {
		list := clauses(k)
		if len(list) == 0 {
			t.Errorf("%s is not tried", k.Key)
		}
		for _, names := range list {
			for _, c := range names {
				if _, err := query.Parse(c + " the"); err != nil {
					t.Errorf("%s: %v", c, err)
				}
			}
			if slices.Contains(names[1:], names[0]) {
				t.Errorf("%s has no other name", names[0])
			}
		}
		if !strings.Contains(counts, "\n"+string(k.Key)) && !strings.HasPrefix(counts, string(k.Key)) {
			t.Errorf("counts.txt has nothing of %s", k.Key)
		}
	}
}
