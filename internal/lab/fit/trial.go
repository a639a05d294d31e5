package main

import (
	"sort"

	"palimpsest/compaction/facts"
)

// trial is what a list of facts by a forest meets in scenes: an estimate of what a
// ledger meets, without the text.
type trial struct {
	needs, met      [3]int // by budget; of needs that what stays does not meet
	first, firstMet [3]int // of these, facts that the agent had never used
}

// try fills each budget by chance per token.
func try(f *facts.Forest, scenes []scene) (t trial) {
	for i := range scenes {
		list := scenes[i].Facts
		order := make([]int, len(list))
		want := make([]float64, len(list))
		for k := range list {
			order[k] = k
			want[k] = f.Chance(&list[k].Steps) / float64(max(1, list[k].Cost))
		}
		sort.SliceStable(order, func(a, b int) bool { return want[order[a]] > want[order[b]] })
		for b, budget := range budgets {
			left := budget * 9 / 10 // headings and shares
			for _, k := range order {
				c := &list[k]
				if left -= int(c.Cost); left < 0 {
					break
				}
				if c.Needed == needed {
					t.met[b]++
					if c.First {
						t.firstMet[b]++
					}
				}
			}
			for k := range list {
				if list[k].Needed == needed {
					t.needs[b]++
					if list[k].First {
						t.first[b]++
					}
				}
			}
		}
	}
	return t
}
