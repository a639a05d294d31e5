package main

import (
	"sort"

	"palimpsest/compaction/facts"
)

// oracle is what a list of facts could meet of the needs at best: at each firing
// it holds the needs that nothing kept meets, the shortest first, as far as they
// fit a budget. All needs count the same, so that no other list of whole facts
// within the budget meets more; headings are left out of account. The texts
// that the firings leave count for nothing here. count gives the tokens of a
// text.
func oracle(x *facts.Index, firings []facts.Change, budget int, count func(string) int) facts.Recall {
	blind := make([]facts.Change, len(firings))
	for i, c := range firings {
		c.Remaining = nil
		blind[i] = c
	}
	n := x.NeededLater(blind)
	costs := make([][]int, len(firings))
	for _, m := range n.Misses {
		costs[m.Firing] = append(costs[m.Firing], count(m.Text)+1)
	}
	best := n.Recall
	for _, list := range costs {
		sort.Ints(list)
		left := budget
		for _, c := range list {
			if left -= c; left < 0 {
				break
			}
			best.Met++
		}
	}
	return best
}
