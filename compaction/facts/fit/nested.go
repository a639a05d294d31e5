package main

import (
	"math"

	"palimpsest/compaction/facts"
)

// folds is how many parts the sessions that a fit may see are cut into, to
// choose among features by sessions that this fit did not see.
const folds = 4

// chosen gives each session the score of weights that no other session's
// features were chosen by either: for each session the features are chosen anew
// on the others, and the weights fitted to these. A feature is left out when the
// others are told better without it, each fold by a fit to the other folds.
func chosen(sessions []*session, examples [][]example) (score func(i int) facts.Score, left []int) {
	scores := make([]facts.Score, len(sessions))
	for i := range sessions {
		var others [][]example
		for j := range sessions {
			if otherSession(sessions[i], sessions[j]) {
				others = append(others, examples[j])
			}
		}
		without := worthless(others)
		w := fit(others, without)
		scores[i] = w.Score()
		n := features
		for f := range features {
			n -= int(without >> f & 1)
		}
		left = append(left, n)
	}
	return func(i int) facts.Score { return scores[i] }, left
}

// worthless is the features, as bits, without each of which sessions unseen are
// told at least as well.
func worthless(sessions [][]example) (without uint64) {
	all := lossUnseen(sessions, 0)
	for f := range features {
		if lossUnseen(sessions, 1<<f) <= all {
			without |= 1 << f
		}
	}
	return without
}

// lossUnseen is the mean log loss of sessions under weights fitted to the other
// folds; sessions weigh as they do in a fit.
func lossUnseen(sessions [][]example, without uint64) float64 {
	loss, total := 0.0, 0.0
	for k := range folds {
		var in, out [][]example
		for j, list := range sessions {
			if j%folds == k {
				out = append(out, list)
			} else {
				in = append(in, list)
			}
		}
		w := fit(in, without)
		for _, list := range out {
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
				weight := e.weight / math.Sqrt(float64(n))
				loss -= weight * math.Log(max(chance, 1e-12))
				total += weight
			}
		}
	}
	return loss / total
}
