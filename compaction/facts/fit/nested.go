package main

import (
	"math"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"palimpsest/compaction/facts"
)

// folds is how many parts the sessions that a fit may see are cut into, to
// choose among features by sessions that this fit did not see.
const folds = 4

// chosen returns for each session the score of weights that no other session's
// features were chosen by, either: for each session the features are chosen again
// on the others, and the weights fitted to these. A feature is left out when the
// others are predicted better without it, each fold by a fit to the other folds.
func chosen(sessions []*session, examples [][]example) (score func(i int) facts.Score, left []int) {
	scores := make([]facts.Score, len(sessions))
	left = make([]int, len(sessions))
	each(len(sessions), func(i int) {
		others := othersOf(sessions, examples, i)
		without := worthless(others)
		scores[i] = fit(others, without).Score()
		left[i] = features - bits.OnesCount64(without)
	})
	return func(i int) facts.Score { return scores[i] }, left
}

// each runs work for 0 … n-1 on all processors.
func each(n int, work func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				work(i)
			}
		})
	}
	wg.Wait()
}

// othersOf are the examples of all sessions but one.
func othersOf(sessions []*session, examples [][]example, i int) (others [][]example) {
	for j := range sessions {
		if otherSession(sessions[i], sessions[j]) {
			others = append(others, examples[j])
		}
	}
	return others
}

// worthless is the features, as bits, without each of which unseen sessions are
// predicted at least as well.
func worthless(sessions [][]example) (without uint64) {
	all, less := lossUnseen(sessions)
	for f := range features {
		if less[f] <= all {
			without |= 1 << f
		}
	}
	return without
}

// lossUnseen is the log loss of sessions under weights fitted to the other folds,
// with all features and without each; sessions weigh as they do in a fit. The weights
// without a feature are those of [problem.lacking]: a fit for each would take a
// quarter of an hour.
func lossUnseen(sessions [][]example) (all float64, without [features]float64) {
	for k := range folds {
		var in, out [][]example
		for j, list := range sessions {
			if j%folds == k {
				out = append(out, list)
			} else {
				in = append(in, list)
			}
		}
		p := newProblem(in)
		b := p.least(vector{features: -4}, 0)
		all += lossOf(p.weights(&b), out)
		for f, less := range p.lacking(&b) {
			without[f] += lossOf(p.weights(&less), out)
		}
	}
	return all, without
}

// lossOf is the log loss of sessions under weights, summed.
func lossOf(w facts.Weights, sessions [][]example) (loss float64) {
	for _, list := range sessions {
		n := needs(list)
		if n < tooFew {
			continue
		}
		for i := range list {
			e := &list[i]
			chance := w.Chance(&e.evidence)
			if !e.needed {
				chance = 1 - chance
			}
			loss -= e.weight / math.Sqrt(float64(n)) * math.Log(max(chance, 1e-12))
		}
	}
	return loss
}
