package summarize

import (
	"context"
	"testing"

	"palimpsest/model"
)

// FuzzParts makes summaries of messages whose texts, names and arguments are
// anything, in every strategy and at a narrow and a wide budget.
func FuzzParts(f *testing.F) {
	for i, a := range nastyArgs {
		f.Add(nasty[i%len(nasty)], a, nasty[(i+5)%len(nasty)], nasty[(i+9)%len(nasty)], "Bash", uint16(i*60))
	}
	f.Fuzz(func(t *testing.T, user, args, result, former, tool string, budget uint16) {
		h := &history{}
		if former != "" {
			h.entries = append(h.entries, Entry{Former: former})
		}
		h.typed(user)
		h.does(tool, args, result)
		h.says(result).observed(user)
		h.step(1, user, result, args)
		for _, s := range strategies {
			for _, b := range []model.Amount{{}, {N: int(budget) + 1, Unit: model.Chars}, {N: int(budget)/4 + 1, Unit: model.Tokens}} {
				r := Request{Entries: h.entries, Strategy: s, Budget: b, Count: roughTokens}
				res, err := Make(context.Background(), r)
				if err != nil {
					t.Fatal(err)
				}
				checkText(t, r, res)
				checkBudget(t, r, res)
			}
		}
	})
}
