package facts

import (
	"context"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
	"pgregory.net/rapid"
)

// The words before a figure explain it: those of its clause, in its line, whole.
func TestWordsBeforeAFigure(t *testing.T) {
	for before, want := range map[string]string{
		"leak rate ":                             "leak rate",
		"in 600 s; leak rate = ":                 "leak rate",
		"**Offset after cleaning** ~":            "Offset after cleaning",
		"first line\n":                           "",
		"It failed. ":                            "",
		"Wall time: ":                            "Wall time",
		"| ":                                     "",
		"| hold | 5 ms | ":                       "",
		"run --step 1 --hold ":                   "--step 1 --hold",
		"Found it! Line ":                        "Line",
		"◦ Working ":                             "Working",
		"- retries, 3, ":                         "",
		"| hold | ":                              "hold",
		"测得 5 个点，渗透系数 ":                          "渗透系数",
		"a quite long row of words before this ": "words before this",
		"averylongwordthatnobodywouldwantinalist ":                "",
		strings.Repeat("x", leadBytes-len(" costs ")) + " costs ": "costs",
		"\xa4\xe5 takes ": "takes",
	} {
		if got := lead(before); got != want {
			t.Errorf("%q: %q, want %q", before, got, want)
		}
	}
}

// Whatever a lead is made of, the fact behind it stands by the rule of the package.
func TestAFigureBehindItsLeadStands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.StringOf(rapid.OneOf(rapid.RuneFrom([]rune("ab Z9.,:=-~$/_#%约在（é\u200d")), rapid.Rune())).Draw(t, "before")
		said := Message{Author: Tool, Parts: []model.Part{{Kind: model.PartResult, Text: before + " 12 MB"}}}
		x, err := Build(context.Background(), 1, func(int) (Message, error) { return said, nil })
		if err != nil {
			t.Fatal(err)
		}
		for id := range ID(x.Len()) {
			f := x.Fact(id)
			if f.Kind != Number {
				continue
			}
			if text := literal(x, id, true); !slices.Contains(x.FactsIn(text), id) {
				t.Fatalf("%q does not stand in %q", f.Text, text)
			}
		}
	})
}

// What a tool says of itself is in no list, at no budget.
func TestWhatAToolTellsOfItselfIsNotListed(t *testing.T) {
	said := Message{Author: Tool, Parts: []model.Part{{Kind: model.PartResult, Text: "Chunk ID: 2ee46b\nWall time: 1.0011 seconds\nOutput:\nbuilt in 2.75 seconds at commit 7be7031"}}}
	x, err := Build(context.Background(), 1, func(int) (Message, error) { return said, nil })
	if err != nil {
		t.Fatal(err)
	}
	for budget, want := range map[int]string{
		leadBudget - 1: "[Fact ledger: strings from the earlier context, word for word]\nIDs: 7be7031\nNumbers: 2.75 seconds",
		leadBudget:     "[Fact ledger: strings from the earlier context, word for word]\nIDs: seconds at commit 7be7031\nNumbers: built in 2.75 seconds",
	} {
		got := x.Lister(func(s string) int { return len(strings.Fields(s)) }).Ledger(LedgerRequest{At: 1, Removed: []model.Range{{To: 1}}, Budget: budget})
		if got != want {
			t.Errorf("%d: %q, want %q", budget, got, want)
		}
	}
}
