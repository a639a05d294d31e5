// Package querytest checks that every operator of a query works wherever queries are
// asked: in the window and in the verbs.
package querytest

import (
	_ "embed"
	"os"
	"strconv"
	"strings"
	"testing"

	"palimpsest/model/query"
)

// freeValues are values of the operators that have no list of their own; they find
// something in the first sample.
var freeValues = map[query.Key]string{query.Tool: ":Bash", query.Tokens: ">100", query.File: ":/", query.Message: ":3..40"}

// counts are how many messages of the first sample meet each value of each operator, the
// same wherever it is asked.
//
//go:embed counts.txt
var counts string

// Operators checks that every operator finds something in the first sample, that each of
// its values finds as much in every language, and as much as everywhere else. count is
// how many messages meet a query, planned as the sample is planned when it is opened.
func Operators(t *testing.T, count func(q string) int) {
	t.Helper()
	var found strings.Builder
	for _, k := range query.Keys {
		words, total := "", 0
		if k.Key == query.In || k.Key == query.Match {
			words = " the" // what the clause is about
		}
		for _, names := range clauses(k) {
			n := count(names[0] + words)
			found.WriteString(names[0] + words + " " + strconv.Itoa(n) + "\n")
			total += n
			for _, c := range names[1:] {
				if got := count(c + words); got != n {
					t.Errorf("%s finds %d, %s %d", names[0], n, c, got)
				}
			}
		}
		if total == 0 {
			t.Errorf("%s finds nothing", k.Key)
		}
	}
	if path := os.Getenv("QUERYTEST_UPDATE"); path != "" { // writes counts.txt anew
		_ = os.WriteFile(path, []byte(found.String()), 0o600)
		return
	}
	if found.String() != counts {
		t.Errorf("found\n%s\nwhat others find is in counts.txt:\n%s", found.String(), counts)
	}
}

// clauses are the values of an operator, each under its names in every language.
func clauses(k query.KeyInfo) (list [][]string) {
	if v := freeValues[k.Key]; v != "" {
		list = append(list, []string{string(k.Key) + v, k.Also[0] + v})
	}
	for _, v := range k.Values {
		names := []string{string(k.Key) + ":" + v.Name}
		for _, also := range v.Also {
			names = append(names, k.Also[0]+"："+also)
		}
		list = append(list, names)
	}
	return list
}
