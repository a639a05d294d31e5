package compaction

import "slices"

// notes are results of a line's shared stretch that were cleared. The stretch stays that of
// the history: no message is copied because a result among them is a note now.
//
//	history   m10 r11 m12 r13 m14 r15 m16 …
//	at            r11     r13
//	freed         90      240                 by all of them up to this one
type notes struct {
	at    []int32 // history positions, ascending
	freed []int64
}

func (n *notes) reset() { n.at, n.freed = n.at[:0], n.freed[:0] }

// index is how many lie before a position. Most are asked for behind the last one.
func (n *notes) index(p int) int {
	if k := len(n.at); k == 0 || int(n.at[k-1]) < p {
		return k
	}
	return firstAtLeast(n.at, p)
}

// before is what those before a position free.
func (n *notes) before(p int) int64 {
	if k := n.index(p); k > 0 {
		return n.freed[k-1]
	}
	return 0
}

// all is what all of them free.
func (n *notes) all() int64 {
	if k := len(n.freed); k > 0 {
		return n.freed[k-1]
	}
	return 0
}

// last is the last of them; -1: there is none.
func (n *notes) last() int {
	if k := len(n.at); k > 0 {
		return int(n.at[k-1])
	}
	return -1
}

func (n *notes) has(p int) bool {
	k := n.index(p)
	return k < len(n.at) && int(n.at[k]) == p
}

// add makes a note of a result, which frees so much.
func (n *notes) add(p int, frees int64) {
	if p > n.last() {
		n.at, n.freed = append(n.at, int32(p)), append(n.freed, n.all()+frees)
		return
	}
	k, before := n.index(p), n.before(p)
	n.at, n.freed = slices.Insert(n.at, k, int32(p)), slices.Insert(n.freed, k, before)
	for ; k < len(n.freed); k++ {
		n.freed[k] += frees
	}
}

// cut forgets those before a position.
func (n *notes) cut(p int) {
	if len(n.at) == 0 || int(n.at[0]) >= p {
		return
	}
	k := n.index(p)
	gone := n.freed[k-1]
	n.at, n.freed = slices.Delete(n.at, 0, k), slices.Delete(n.freed, 0, k)
	for i := range n.freed {
		n.freed[i] -= gone
	}
}
