package compaction

import (
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
