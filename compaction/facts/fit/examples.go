package main

import "palimpsest/compaction/facts"

// example is a fact that a firing took away.
type example struct {
	evidence facts.Evidence
	needed   bool // by the agent, before the next firing
	weight   float64
}

// oneOf is how many of the facts that were not needed, which are nearly all,
// share one example; it counts for them.
const oneOf = 8

// examples returns for every fact that the firings of the settings removed, and
// that the context did not hold afterwards, whether it was needed.
func (s *session) examples() []example {
	var out []example
	for _, set := range settings {
		firings := s.replay(set, 1000, nothing)
		needed := make([]map[facts.ID]bool, len(firings))
		for _, m := range s.index.NeededLater(firings).Misses {
			if needed[m.Firing] == nil {
				needed[m.Firing] = map[facts.ID]bool{}
			}
			needed[m.Firing][m.ID] = true
		}
		for k, c := range firings {
			s.index.Taken(c, func(id facts.ID, e facts.Evidence) {
				switch {
				case needed[k][id]:
					out = append(out, example{e, true, 1})
				case (int(id)*7919+k*31)%oneOf == 0:
					out = append(out, example{e, false, oneOf})
				}
			})
		}
	}
	return out
}

// needs counts the examples that were needed.
func needs(list []example) (n int) {
	for i := range list {
		if list[i].needed {
			n++
		}
	}
	return n
}
