package compaction

import (
	"slices"
	"testing"

	"palimpsest/model"
)

// A compaction that only its provider can read stays under every policy, with what belongs to
// its group; each plan says that its size is not known.
func TestSealedStays(t *testing.T) {
	th := talkThread("SUAUAUAUA")
	for i, kind := range map[int]model.Kind{3: model.KindSummary, 5: model.KindUser} {
		th.Messages[i].Kind, th.Messages[i].Sealed = kind, true
	}
	line := NewLine(Source{Thread: th, At: len(th.History), Tokens: func(int32, bool) int32 { return 100 }})
	for _, p := range []model.Policy{
		{},
		{Former: model.LayerFormer, LayerBudget: model.Amount{N: 10, Unit: model.Tokens}},
		{Strategy: model.Drop},
		{Batch: model.Amount{N: 4, Unit: model.Messages}},
	} {
		p.Tail = model.Amount{N: 2, Unit: model.Messages}
		pl := line.Plan(p, Options{Manual: true})
		if pl.Outcome != WouldApply {
			t.Fatalf("%+v: %s, %v", p, pl.Outcome, pl.Why)
		}
		for _, i := range []int{3, 5} {
			if fate, why := pl.FateAt(i); fate != model.Kept || why.Code != "sealed" {
				t.Errorf("%+v: entry %d is %s, %s", p, i, fate, why.Code)
			}
		}
		if w := pl.Warnings[0]; w.Code != "sealed-live" || w.N != 2 {
			t.Errorf("%+v: warnings %v", p, pl.Warnings)
		}
	}
}

// The person lets it go: without a word of what it said, or for the messages before it, where
// the history has some. Neither is called a summary that was merged.
func TestSealedGoes(t *testing.T) {
	th := talkThread("SUAUAUAUA")
	th.Messages = append(th.Messages, model.Message{Kind: model.KindSummary, Sealed: true})
	th.Found = []model.Found{{At: 3, Summary: 9}}
	items := []model.Item{{Msg: 0}, {Msg: 9}, {Msg: 3}, {Msg: 4}, {Msg: 5}, {Msg: 6}, {Msg: 7}, {Msg: 8}}
	size := func(int32, bool) int32 { return 100 }
	line := NewLine(Source{Thread: th, At: 9, Items: items, Tokens: size})
	other := *th
	other.Found = []model.Found{{At: 0, Summary: 9}}
	bare := NewLine(Source{Thread: &other, At: 9, Items: items, Tokens: size})
	for _, c := range []struct {
		line      *Line
		set       model.Checkpoints
		strategy  model.Strategy
		former    model.Former
		fate      model.Fate
		why, said string
		originals int
	}{
		{line, model.LoseCheckpoints, model.Extract, model.MergeFormer, model.Dropped, "sealed-lost", "sealed-gone", 0},
		{line, model.LoseCheckpoints, model.Extract, model.LayerFormer, model.Dropped, "sealed-lost", "sealed-gone", 0},
		{line, model.FromOriginals, model.Extract, model.MergeFormer, model.Summarised, "sealed-originals", "originals-read", 2},
		{line, model.FromOriginals, model.Drop, model.MergeFormer, model.Dropped, "sealed-lost", "sealed-gone", 0},
		{bare, model.FromOriginals, model.Extract, model.MergeFormer, model.Kept, "sealed", "originals-missing", 0},
		{bare, model.LoseCheckpoints, model.Extract, model.MergeFormer, model.Dropped, "sealed-lost", "sealed-gone", 0},
		{line, "", model.Extract, model.MergeFormer, model.Kept, "sealed", "sealed-live", 0},
	} {
		p := model.Policy{Checkpoints: c.set, Strategy: c.strategy, Former: c.former, Tail: model.Amount{N: 2, Unit: model.Messages}}
		pl := c.line.Plan(p, Options{Manual: true})
		fate, why := pl.FateAt(1)
		if pl.Outcome != WouldApply || fate != c.fate || why.Code != c.why || len(pl.Originals()) != c.originals {
			t.Errorf("%+v: %s, %s, %s, %v", p, pl.Outcome, fate, why.Code, pl.Originals())
		}
		if !slices.ContainsFunc(pl.Warnings, func(r Reason) bool { return r.Code == c.said }) {
			t.Errorf("%+v: warnings %v", p, pl.Warnings)
		}
		if sum := (pl.Insert >= 0); sum != (c.strategy != model.Drop) {
			t.Errorf("%+v: summary at %d", p, pl.Insert)
		}
	}
	alone := NewLine(Source{Thread: th, At: 9, Items: []model.Item{{Msg: 0}, {Msg: 9}, {Msg: 8}}, Tokens: size})
	for set, after := range map[model.Checkpoints]int{model.LoseCheckpoints: 2, model.FromOriginals: 3} {
		pl := alone.Plan(model.Policy{Checkpoints: set, Tail: model.Amount{N: 1, Unit: model.Messages}}, Options{Manual: true})
		if pl.Outcome != WouldApply || pl.After.Messages != after {
			t.Errorf("%s alone: %s, %d messages after", set, pl.Why, pl.After.Messages)
		}
	}
}
