package facts

import "math"

var WordsOf, KinOf = parts, kinOf

// PlainKin is the uses of each folder and family before a position, fresh ones more.
func PlainKin(x *Index, at int) map[string]float64 {
	out := map[string]float64{}
	for m := range at {
		for e := x.from[m]; e < x.from[m+1]; e++ {
			if key := kinOf(x.facts[x.list[e]]); key != "" && x.used(m, x.marks[e]) {
				out[key] += math.Exp((float64(x.blocks[m]) - float64(x.blocks[at])) / freshBlocks)
			}
		}
	}
	return out
}
