package main

import (
	"math"

	"palimpsest/compaction/facts"
)

// example is a fact that a firing took away.
type example struct {
	facts.Evidence
	needed bool
	weight float64
}

const (
	least       = 10000 // tokens from which on a session gives examples
	tooFew      = 5     // needs below which a session says nothing
	mostFirings = 10    // of one setting that are looked at, spread evenly
	oneUnused   = 8     // of facts that were not used, one in so many stands for the others
	shownShare  = 0.35  // what a use counts that something else had brought back, of a need
)

// examples are the facts that firings of some settings took away, and that the context did
// not hold afterwards. A session weighs as much as the square root of its needs.
func (s *session) examples() (out []example) {
	needs, unused := 0, 0
	for _, set := range s.settings() {
		firings := s.replay(set, 1000, nothing)
		for k := 0; k < len(firings); k += 1 + len(firings)/mostFirings {
			c, used := firings[k], map[facts.ID]facts.Use{}
			for _, u := range s.index.UsedAfter(firings, k) {
				used[u.ID] = u
			}
			for id := range s.index.Removed(c) {
				e := example{Evidence: s.index.Evidence(id, c.At), weight: oneUnused}
				if u, is := used[id]; !is {
					if unused++; unused%oneUnused != 0 {
						continue
					}
				} else if e.needed, e.weight = true, shownShare; u.Strict() {
					needs++
					e.weight = 1
				}
				out = append(out, e)
			}
		}
	}
	if needs < tooFew {
		return nil
	}
	for i := range out {
		out[i].weight /= math.Sqrt(float64(needs))
	}
	return out
}

// settings are those that examples of a session are taken from: the measured one, an earlier
// one, and one like those of real engines, which fire late and keep next to nothing; of a
// short session, in proportion.
func (s *session) settings() []setting {
	if s.total <= leastTokens {
		return []setting{{s.total * 4 / 15, s.total / 15}, {s.total / 6, s.total / 24}}
	}
	out := []setting{measured, {24000, 6000}}
	if s.total > 130000 {
		out = append(out, setting{110000, 2000})
	}
	return out
}

const (
	inputs = len(facts.Evidence{})
	rounds = 12   // of Newton's method
	ridge  = 1e-2 // keeps a weight that nothing speaks for at 0
)

// learn sets the weights of the rule to those that make the examples likeliest: logistic
// regression by Newton's method.
func learn(examples []example) {
	for i := range facts.Weights {
		facts.Weights[i].Weight = 0
	}
	for range rounds {
		for i, step := range newton(examples) {
			facts.Weights[i].Weight += step
		}
	}
}

// newton is one step from the weights in use: what solves curvature · step = slope.
func newton(examples []example) [inputs]float64 {
	var m [inputs][inputs + 1]float64 // the curvature, and the slope in the last column
	for i := range inputs {
		m[i][i], m[i][inputs] = ridge, -ridge*facts.Weights[i].Weight
	}
	for i := range examples {
		e := &examples[i]
		p := e.Chance()
		off := -p
		if e.needed {
			off = 1 - p
		}
		for r, x := range e.Evidence {
			for c, y := range e.Evidence {
				m[r][c] += e.weight * p * (1 - p) * x * y
			}
			m[r][inputs] += e.weight * off * x
		}
	}
	return solve(&m)
}

// solve is Gauss's elimination. The ridge keeps the pivots above 0.
func solve(m *[inputs][inputs + 1]float64) (out [inputs]float64) {
	for i := range m {
		for r := range m {
			if r == i {
				continue
			}
			f := m[r][i] / m[i][i]
			for c := i; c <= inputs; c++ {
				m[r][c] -= f * m[i][c]
			}
		}
	}
	for i := range m {
		out[i] = m[i][inputs] / m[i][i]
	}
	return out
}
