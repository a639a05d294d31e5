package main

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/internal/realdata"
)

// keepWeights puts the weights of the rule back after a test.
func keepWeights(t *testing.T) {
	was := facts.Weights
	t.Cleanup(func() { facts.Weights = was })
}

// Examples that were drawn by known weights give these weights back.
func TestTheWeightsAreFound(t *testing.T) {
	keepWeights(t)
	want := [inputs]float64{1.5, -1, -0.5, 0.25, -0.75, 2}
	for i := range want {
		facts.Weights[i].Weight = want[i]
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	var examples []example
	for range 20000 {
		e := example{weight: 1}
		for i := range e.Evidence {
			e.Evidence[i] = 2*rnd.Float64() - 1
		}
		e.needed = rnd.Float64() < e.Chance()
		examples = append(examples, e)
	}
	learn(examples)
	for i, w := range facts.Weights {
		if math.Abs(w.Weight-want[i]) > 0.1 {
			t.Errorf("%s: %.3f, drawn by %v", w.Of, w.Weight, want[i])
		}
	}
}

// On the long transcripts ledgers hold the bar, each by weights that were learned from the
// transcripts of other projects alone.
func TestUnseenProjectsHoldTheBar(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of reading whole sessions")
	}
	keepWeights(t)
	sessions, err := load(context.Background(), realdata.Transcripts(t), band{least, math.MaxInt})
	if err != nil {
		t.Fatal(err)
	}
	byProject := map[string][]example{}
	for _, s := range sessions {
		project := projectOf(s.name)
		byProject[project] = append(byProject[project], s.examples()...)
	}
	bar := map[int]float64{500: 0.75, 1000: 0.84, 2000: 0.90}
	means := map[int]*spread{500: {}, 1000: {}, 2000: {}}
	for project := range byProject {
		var others []example
		for other, examples := range byProject {
			if other != project {
				others = append(others, examples...)
			}
		}
		learn(others)
		for _, s := range sessions {
			for budget, mean := range means {
				if projectOf(s.name) != project || s.total <= leastTokens {
					continue
				}
				if r := s.recall(budget, s.ledger(budget)); r.Needs >= leastNeeds {
					mean.add(r.Share())
				}
			}
		}
	}
	for budget, mean := range means {
		t.Logf("%d tokens: %v", budget, mean)
		if mean.n < 10 || mean.mean() < bar[budget] {
			t.Errorf("the bar at %d tokens is %.2f, over %d sessions %.3f", budget, bar[budget], mean.n, mean.mean())
		}
	}
}
