package tokens

// scratch is the working memory of a count. Its cache outlives the count, for agents'
// texts repeat themselves, and holds for one encoding.
type scratch struct {
	pieces
	parts []part
	queue []merge
}

// maxKeep bounds the memory a scratch keeps after an extreme piece.
const maxKeep = 1 << 20

// longPiece is the length up to which the neighbours of a piece are looked through for each
// merge: a queue of them is quicker from there.
const longPiece = 128

// countPiece counts the tokens of a piece of at least two bytes by the definition of byte-pair
// encoding: of all neighbours the pair whose bytes are the token of the lowest rank merges,
// of equal ones the left, until none is a token.
func (v *vocabulary) countPiece(w *scratch, s string) int {
	if len(s) > longPiece {
		return v.mergeLong(w, s)
	}
	return v.mergePairs(s)
}

// mergePairs merges with the table of merges alone: two neighbours whose bytes are a token
// are always the pair that makes it.
func (v *vocabulary) mergePairs(s string) int {
	var parts [longPiece]int32
	var merged [longPiece]int32 // of a part and the next one
	n := len(s)
	for i := range n {
		parts[i] = v.single[s[i]]
	}
	for i := range n - 1 {
		merged[i] = v.merged(newPair(parts[i], parts[i+1]))
	}
	for {
		at := 0
		for i := 1; i < n-1; i++ {
			if merged[i] < merged[at] {
				at = i
			}
		}
		if merged[at] == none {
			return n
		}
		parts[at] = merged[at]
		copy(parts[at+1:], parts[at+2:n])
		copy(merged[at+1:], merged[at+2:n])
		if n--; n == 1 {
			return 1
		}
		if at > 0 {
			merged[at-1] = v.merged(newPair(parts[at-1], parts[at]))
		}
		if at < n-1 {
			merged[at] = v.merged(newPair(parts[at], parts[at+1]))
		}
	}
}

// part is a token of a long piece, between its neighbours.
type part struct {
	token, merged int32 // merged: with the next part; none where there is none
	before, next  int32
}

// merge is a merge that may be due: its rank and, below, the place of its left part. The
// lowest one is the next.
type merge uint64

// mergeLong is mergePairs with a queue: in a long piece most merges leave most neighbours
// as they are.
func (v *vocabulary) mergeLong(w *scratch, s string) int {
	n := int32(len(s))
	if cap(w.parts) > maxKeep {
		w.parts, w.queue = nil, nil
	}
	w.queue = w.queue[:0]
	w.parts = w.parts[:0]
	for i := range n {
		w.parts = append(w.parts, part{v.single[s[i]], none, i - 1, i + 1})
	}
	look := func(i int32) {
		p := &w.parts[i]
		if p.merged = none; p.next < n {
			if p.merged = v.merged(newPair(p.token, w.parts[p.next].token)); p.merged != none {
				w.push(merge(p.merged)<<32 | merge(i))
			}
		}
	}
	for i := range n {
		look(i)
	}
	left := int(n)
	for len(w.queue) > 0 {
		m := w.pop()
		i := int32(m)
		p := &w.parts[i]
		if p.merged != int32(m>>32) { // it has merged otherwise since
			continue
		}
		gone := &w.parts[p.next]
		gone.merged = none
		p.token, p.next = p.merged, gone.next
		if left--; p.next < n {
			w.parts[p.next].before = i
		}
		look(i)
		if p.before >= 0 {
			look(p.before)
		}
	}
	return left
}

// push puts a merge into the queue, which is a binary heap.
func (w *scratch) push(m merge) {
	w.queue = append(w.queue, m)
	q, i := w.queue, len(w.queue)-1
	for ; i > 0 && q[(i-1)/2] > m; i = (i - 1) / 2 {
		q[i] = q[(i-1)/2]
	}
	q[i] = m
}

// pop takes the lowest merge out of the queue.
func (w *scratch) pop() merge {
	q := w.queue
	first, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	w.queue = q
	i := 0
	for {
		child := 2*i + 1
		if child >= len(q) {
			break
		}
		if child+1 < len(q) && q[child+1] < q[child] {
			child++
		}
		if q[child] >= last {
			break
		}
		q[i] = q[child]
		i = child
	}
	if len(q) > 0 {
		q[i] = last
	}
	return first
}
