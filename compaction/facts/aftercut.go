package facts

import "sort"

// Again is something that was done before a cut and again after it.
type Again struct {
	ID
	Fact
	Before int // history position of the last time before the cut
	After  int // of the first time after it
	Times  int // after it
}

// Behaviour is what an agent did from a cut to the next one or to the end.
type Behaviour struct {
	At, To   int
	Read     int     // different files read
	Reread   []Again // of these, those that had been read before the cut
	Run      int     // different commands run
	Rerun    []Again // of these, those that had been run before the cut
	Messages int
}

// AfterCut returns for each cut which files the agent read and which commands it
// ran again afterwards. Cuts are history positions, ascending, such as the
// [palimpsest/model.Found] of a thread. Files are read and commands run again
// without any compaction too: to judge the figures, ask for positions where none
// was.
func (x *Index) AfterCut(cuts []int) []Behaviour {
	out := make([]Behaviour, len(cuts))
	for k, at := range cuts {
		to := x.Messages()
		if k+1 < len(cuts) {
			to = min(to, cuts[k+1])
		}
		at = min(max(0, at), to)
		b := Behaviour{At: at, To: to, Messages: to - at}
		b.Read, b.Reread = x.again(Read, at, to)
		b.Run, b.Rerun = x.again(Run, at, to)
		out[k] = b
	}
	return out
}

// again counts the different facts that were read or run in the messages
// [at, to), and lists those that had been before.
func (x *Index) again(did Where, at, to int) (all int, again []Again) {
	place := map[ID]int{} // place in again, -1: not done before
	for m := at; m < to; m++ {
		for k := x.from[m]; k < x.from[m+1]; k++ {
			if x.marks[k]&did == 0 {
				continue
			}
			id := x.list[k]
			i, met := place[id]
			if !met {
				all++
				if i = -1; x.last(id, did, at) >= 0 {
					i = len(again)
					again = append(again, Again{ID: id, Fact: x.facts[id], Before: x.last(id, did, at), After: m})
				}
				place[id] = i
			}
			if i >= 0 {
				again[i].Times++
			}
		}
	}
	sort.SliceStable(again, func(i, j int) bool { return again[i].Times > again[j].Times })
	return all, again
}

// last is the last message before at in which a fact was read or run; -1: none.
func (x *Index) last(id ID, did Where, at int) int {
	end, _ := x.between(id, at, at+1)
	for k := int(end) - 1; k >= int(x.starts[id]); k-- {
		if x.wheres[k]&did != 0 {
			return int(x.msgs[k])
		}
	}
	return -1
}
