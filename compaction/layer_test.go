package compaction

import (
	"testing"

	"palimpsest/model"
)

// layered is a system prompt, two summaries of records of so many code points,
// and the rest of a talk, 100 tokens a message, 80 a summary.
func layered(chars int) *Line {
	th := talkThread("SUAUAUA")
	items := []model.Item{{Msg: 0}, {Msg: -1, Record: "a"}, {Msg: -1, Record: "b"}}
	for i := 1; i < 7; i++ {
		items = append(items, model.Item{Msg: int32(i)})
	}
	return NewLine(Source{
		Thread: th, At: 7, Items: items, Tokens: func(int32, bool) int32 { return 100 },
		SummaryTokens: func(string) int32 { return 80 }, SummaryChars: func(model.Item) int { return chars },
	})
}

// The layer is measured in the unit of its budget: code points are counted, not
// guessed from tokens. While it holds, the former summaries stand; when it would
// overflow they go into one that may fill it.
func TestLayerHoldsOrIsMerged(t *testing.T) {
	chars := func(n int) model.Amount { return model.Amount{N: n, Unit: model.Chars} }
	tokens := func(n int) model.Amount { return model.Amount{N: n, Unit: model.Tokens} }
	for _, c := range []struct {
		name          string
		size          int
		budget, layer model.Amount
		strategy      model.Strategy
		want          string
		wantBudget    model.Amount
	}{
		{name: "holds", size: 348, budget: chars(300), layer: chars(1000), want: "KKKSSSSKK", wantBudget: chars(300)},
		{name: "one code point too many", size: 349, budget: chars(300), layer: chars(1000), want: "KSSSSSSKK", wantBudget: chars(1000)},
		{name: "unlimited", size: 1 << 20, budget: chars(300), want: "KKKSSSSKK", wantBudget: chars(300)},
		{name: "the budget alone overflows", size: 1, budget: chars(2000), layer: chars(1000), want: "KSSSSSSKK", wantBudget: chars(1000)},
		{name: "no budget of its own", size: 300, layer: chars(1000), want: "KKKSSSSKK", wantBudget: chars(333)},
		{name: "tokens hold", size: 1, budget: tokens(40), layer: tokens(200), want: "KKKSSSSKK", wantBudget: tokens(40)},
		{name: "tokens overflow", size: 1, budget: tokens(41), layer: tokens(200), want: "KSSSSSSKK", wantBudget: tokens(200)},
		{name: "budget in another unit", size: 1, budget: chars(120), layer: tokens(200), want: "KKKSSSSKK", wantBudget: tokens(40)},
		{name: "drop adds nothing", size: 400, budget: chars(300), layer: chars(1000), strategy: model.Drop, want: "KKKDDDDKK", wantBudget: chars(300)},
	} {
		t.Run(c.name, func(t *testing.T) {
			pl := layered(c.size).Plan(model.Policy{
				Tail: model.Amount{N: 2, Unit: model.Messages}, Former: model.LayerFormer,
				Budget: c.budget, LayerBudget: c.layer, Strategy: c.strategy,
			}, Options{Manual: true})
			if got := spelling(pl); got != c.want || pl.Budget != c.wantBudget {
				t.Errorf("%s with %v, want %s with %v", got, pl.Budget, c.want, c.wantBudget)
			}
		})
	}
}

// A pinned summary can't be merged, so the new one gets what it leaves.
func TestLayerWithAPinnedSummary(t *testing.T) {
	th := talkThread("SUUAUAUA")
	th.Messages[1] = model.Message{Kind: model.KindSummary}
	th.Messages[2] = model.Message{Kind: model.KindSummary}
	pl := NewLine(Source{Thread: th, At: 8, Tokens: func(int32, bool) int32 { return 100 }}).Plan(model.Policy{
		Tail: model.Amount{N: 2, Unit: model.Messages}, Former: model.LayerFormer, Pins: []model.Range{{From: 1, To: 2}},
		Budget: model.Amount{N: 80, Unit: model.Tokens}, LayerBudget: model.Amount{N: 250, Unit: model.Tokens},
	}, Options{Manual: true})
	if got := spelling(pl); got != "KPSSSSKK" || pl.Budget.N != 150 {
		t.Errorf("%s with %v", got, pl.Budget)
	}
}
