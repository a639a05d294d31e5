package facts

// Use is a fact that had gone and that the agent used after a firing, needed or
// not: the messages after the firing may have held it before its first use.
type Use struct {
	ID
	Fact
	Last   int   // the last history position before the firing that held it; -1: a text that went did
	Before int   // messages before the firing that held it
	Shown  int   // the first position after the firing at which somebody else showed it, if before Uses[0]; -1: nobody did
	Uses   []int // history positions of the uses, up to the next firing
}

// Strict reports whether the use is a need: nobody brought the fact back before
// the agent used it. See [Index.NeededLater].
func (u *Use) Strict() bool { return u.Shown < 0 }

// UsedAfter lists the facts that firings up to number k took away and that the
// agent used between that firing and the next, in the order of their first uses.
//
//	firing k          tool result        the agent          next firing
//	────┼─────────────────┼──────────────────┼──────────────────┼───▶ history
//	    │              Shown, or −1       Uses[0] …             │
//
// Those of them that are [Use.Strict] are the needs of that firing.
func (x *Index) UsedAfter(firings []Change, k int) []Use {
	taken := x.set()
	for i := range firings[:k+1] {
		x.gone(&firings[i], taken, func(ID) {})
	}
	from, to := max(0, firings[k].At), x.Messages()
	if k+1 < len(firings) {
		to = min(to, firings[k+1].At)
	}
	var out []Use
	place := map[ID]int{} // in out
	shown := map[ID]int{} // by somebody else, and not used yet
	for m := from; m < to; m++ {
		for e := x.from[m]; e < x.from[m+1]; e++ {
			id := x.list[e]
			if !taken.has(id) {
				continue
			}
			i, known := place[id]
			switch {
			case !x.used(m, x.marks[e]):
				if _, again := shown[id]; !again && !known {
					shown[id] = m
				}
			case known:
				out[i].Uses = append(out[i].Uses, m)
			default:
				end, _ := x.between(id, from, from+1)
				u := Use{ID: id, Fact: x.facts[id], Last: x.lastBefore(id, from), Before: int(end - x.starts[id]), Shown: -1,
					Uses: []int{m}}
				if at, ok := shown[id]; ok {
					u.Shown = at
				}
				place[id] = len(out)
				out = append(out, u)
			}
		}
	}
	return out
}

// Holds returns a function that reports whether the context right after a change
// holds a fact.
func (x *Index) Holds(c Change) func(ID) bool {
	after := x.after(&c)
	return after.has
}
