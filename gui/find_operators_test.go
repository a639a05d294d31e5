package gui

import (
	"testing"

	"palimpsest/gui/desk"
	"palimpsest/model/query"
)

// freeValues are values of the operators that have no list of their own.
var freeValues = map[query.Key]string{query.Tool: ":Bash", query.Tokens: ">100", query.File: ":/", query.Message: ":3..40"}

// Every operator finds the same in the window in both languages, with each of its values;
// and every operator finds something.
func TestTheWindowKnowsEveryOperator(t *testing.T) {
	s := newStage(t)
	count := func(q string) int {
		s.Desk.SetFilter(desk.Filter{Text: q})
		s.settle()
		n, _, _ := s.Desk.Hits()
		return n
	}
	for _, k := range query.Keys {
		words, total := "", 0
		if k.Key == query.In || k.Key == query.Match {
			words = " the" // what the clause is about
		}
		same := func(clauses ...string) {
			n := count(clauses[0] + words)
			total += n
			for _, c := range clauses[1:] {
				if got := count(c + words); got != n {
					t.Errorf("%s finds %d, %s %d", clauses[0], n, c, got)
				}
			}
		}
		zh := k.Also[0]
		if v := freeValues[k.Key]; v != "" {
			same(string(k.Key)+v, zh+v)
		}
		for _, v := range k.Values {
			clauses := []string{string(k.Key) + ":" + v.Name}
			for _, also := range v.Also {
				clauses = append(clauses, zh+"："+also)
			}
			same(clauses...)
		}
		if total == 0 {
			t.Errorf("%s finds nothing", k.Key)
		}
	}
}
