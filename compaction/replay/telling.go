package replay

import "sort"

// Telling is the call whose check tells most, where a reader of the log begins:
// the last firing before history position at or there, else the first one; without
// firings the last call that would have fired and did not; else the largest one.
// at −1 stands for the end of the history. −1: there are no calls.
func (t *Timeline) Telling(at int) int {
	if n := len(t.Firings); n > 0 {
		k := n
		if at >= 0 {
			k = sort.Search(n, func(i int) bool { return t.Firings[i].At > at })
		}
		return t.Firings[max(0, k-1)].Call
	}
	if n := len(t.Refusals); n > 0 {
		return int(t.Refusals[n-1].Call)
	}
	best := -1
	for i := range t.Calls {
		if best < 0 || t.Calls[i].Tokens > t.Calls[best].Tokens {
			best = i
		}
	}
	return best
}
