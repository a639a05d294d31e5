package main

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/internal/realdata"
)

// On answers that were drawn by known weights the fit finds these weights.
func TestFitFindsKnownWeights(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	want := facts.Weights{Base: -1}
	want.Features[facts.Used], want.Features[facts.Age] = 1.5, -0.8
	var list []example
	for range 20000 {
		var e example
		e.weight = 1
		e.evidence[facts.Used], e.evidence[facts.Age], e.evidence[facts.Near] = rnd.Float64()*3, rnd.Float64()*5, rnd.Float64()
		e.needed = rnd.Float64() < want.Chance(&e.evidence)
		list = append(list, e)
	}
	got := fit([][]example{list}, 0)
	for f, w := range want.Features {
		if math.Abs(got.Features[f]-w) > 0.25 {
			t.Errorf("%v: %.3f, drawn with %.3f", facts.Feature(f), got.Features[f], w)
		}
	}
	p := newProblem([][]example{list})
	b := p.least(vector{features: -4}, 0)
	lacking := p.lacking(&b)
	for _, f := range []facts.Feature{facts.Near, facts.Used} {
		near, exact := lacking[f], p.least(vector{features: -4}, 1<<f)
		if away, gone := p.loss(&near)-p.loss(&exact), p.loss(&exact)-p.loss(&b); near[f] != 0 || away < -1e-6*p.loss(&b) || away > max(0.1*gone, 1e-3) {
			t.Errorf("without %v the loss is %.4f above the smallest, which is %.4f above that with it", f, away, gone)
		}
	}
	if without := fit([][]example{list}, 1<<facts.Used); without.Features[facts.Used] != 0 || without.Features[facts.Age] == 0 {
		t.Errorf("left out, it weighs %v", without.Features[facts.Used])
	}
}

// The weights in use are those of the sessions that they name, and hold the bar
// on sessions that they were not fitted to.
func TestTheWeightsInUseAreFittedToTheData(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of reading whole sessions")
	}
	sessions, err := load(context.Background(), realdata.Transcripts(t), facts.Standard, long)
	if err != nil {
		t.Fatal(err)
	}
	examples := make([][]example, len(sessions))
	for i, s := range sessions {
		examples[i] = s.examples()
	}
	w := fit(examples, 0)
	for f := range facts.Features {
		if off := math.Abs(w.Features[f] - facts.Fitted.Features[f]); off > 0.01 {
			t.Errorf("%v weighs %.4f, in use is %.4f: go run ./compaction/facts/fit -write", f, w.Features[f], facts.Fitted.Features[f])
		}
	}
	bar := map[int]float64{500: 0.73, 1000: 0.82, 2000: 0.88}
	score := unseen(sessions, examples, otherSession)
	for _, budget := range budgets {
		r := over(sessions, budget, by(budget, score))
		t.Logf("%d tokens: %v", budget, r)
		if r.mean() < bar[budget] {
			t.Errorf("the bar at %d tokens is %.2f", budget, bar[budget])
		}
	}
}
