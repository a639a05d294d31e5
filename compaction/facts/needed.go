package facts

// Recall counts needs. Add those of several histories to pool them; compare
// settings by both numbers, for those that fire at different places have
// different needs.
type Recall struct {
	Needs, Met int
}

// Share is met ÷ needs; 1 without a need.
func (r Recall) Share() float64 {
	if r.Needs == 0 {
		return 1
	}
	return float64(r.Met) / float64(r.Needs)
}

func (r *Recall) count(met bool) {
	r.Needs++
	if met {
		r.Met++
	}
}

// Needs is what an agent needed after compactions.
type Needs struct {
	Recall
	Kinds   [Kinds]Recall
	Firings []Recall  // by firing
	Halves  [2]Recall // by fact, in two parts
	Misses  []Miss    // needs not met, in the order of their uses
}

// Miss is a need that was not met.
type Miss struct {
	ID
	Fact
	Firing int // index of the firing that the use came after
	Use    int // history position of the use
	Last   int // the last history position before the firing that held the fact; -1: a summary that went did
}

// NeededLater returns what the agent needed after each firing in a finished history,
// and whether the context still held it.
//
// Let t be the position of the last firing at or before message i (a firing at i
// happens before message i is written). Message i needs fact f when the agent
// uses f in it, f occurred in something that the firings up to that one took
// away, and no message from t to i−1 holds f, whoever wrote it. So there is one
// need per fact and firing; a fact that anybody brings back is no need again
// until a later firing. The need is met when the context holds f right after
// the firing: in what it keeps or in the texts that remain.
//
// Firings are ascending by At; of several at one position the last is the one
// that uses come after.
func (x *Index) NeededLater(firings []Change) Needs {
	n := Needs{Firings: make([]Recall, len(firings))}
	taken := x.set() // facts that occurred in what was taken away so far
	seen := make([]int32, len(x.facts))
	for k := range firings {
		c := &firings[k]
		x.gone(c, taken, func(ID) {})
		to := x.Messages()
		if k+1 < len(firings) {
			to = min(to, firings[k+1].At)
		}
		if c.At >= to {
			continue
		}
		after := x.after(c)
		for m := max(0, c.At); m < to; m++ {
			for e := x.from[m]; e < x.from[m+1]; e++ {
				id := x.list[e]
				if seen[id] == int32(k)+1 {
					continue
				}
				seen[id] = int32(k) + 1
				if !taken.has(id) || !x.used(m, x.marks[e]) {
					continue
				}
				met := after.has(id)
				n.count(met)
				n.Kinds[x.facts[id].Kind].count(met)
				n.Firings[k].count(met)
				n.Halves[id%2].count(met)
				if !met {
					n.Misses = append(n.Misses, Miss{ID: id, Fact: x.facts[id], Firing: k, Use: m, Last: x.lastBefore(id, c.At)})
				}
			}
		}
	}
	return n
}

// used reports whether an occurrence at where in message m is a use.
func (x *Index) used(m int, where Where) bool {
	return Occurrence{Author: x.author(uint32(m), where), Where: where}.Used()
}

// lastBefore is the last message before at that holds a fact; -1: none.
func (x *Index) lastBefore(id ID, at int) int {
	k, _ := x.between(id, at, at+1)
	if k == x.starts[id] {
		return -1
	}
	return int(x.msgs[k-1])
}
