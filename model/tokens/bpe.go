package tokens

// scratch is the working memory of a count. Its caches outlive the count,
// for agents' texts repeat themselves, and hold for one encoding.
type scratch struct {
	pieces
	pairs  [1 << pairBits]uint64 // a pair, shifted by 2, and what is known of it
	tokens []int32
	dead   []uint64 // by bit: no valid tokenisation has a boundary here
}

const (
	pairBits    = 15
	pairUnknown = 0
	pairValid   = 1
	pairInvalid = 2

	// maxKeep bounds the memory a scratch keeps after an extreme piece.
	maxKeep = 1 << 20
)

// encode counts the tokens of a piece that is more than one byte.
//
// It goes from left to right and takes the longest token that may come after
// the one before it. Two tokens may be neighbours if merging their bytes
// from scratch gives the two back; a sequence in which all neighbours may is
// what byte-pair encoding makes of the bytes, and there is only one. Where no
// token fits the position is dead and the token before it is undone. A position dies
// once, so the time is linear, unlike that of merging pair by pair.
// The method is that of the crate bpe in github/rust-gems (MIT).
func (v *vocabulary) encode(w *scratch, s string) int {
	if !v.built.Load() {
		if n, ok := v.early(s); ok {
			return n
		}
	}
	token := v.trie.longest(s)
	if v.tokens[token].length() == len(s) {
		return 1
	}
	w.reset(len(s))
	pos := 0
	for {
		last := int32(none)
		if n := len(w.tokens); n > 0 {
			last = w.tokens[n-1]
		}
		for token != none {
			end := pos + v.tokens[token].length()
			if w.dead[end>>6]&(1<<(end&63)) == 0 && (last == none || v.mayFollow(w, newPair(last, token))) {
				break
			}
			token = v.tokens[token].prefix()
		}
		if token == none { // undo; a first token never comes here: single bytes can always be merged from
			w.dead[pos>>6] |= 1 << (pos & 63)
			w.tokens = w.tokens[:len(w.tokens)-1]
			pos -= v.tokens[last].length()
			token = last
			continue
		}
		w.tokens = append(w.tokens, token)
		pos += v.tokens[token].length()
		if pos == len(s) {
			return len(w.tokens)
		}
		token = v.trie.longest(s[pos:])
	}
}

func (w *scratch) reset(n int) {
	words := n>>6 + 1
	if cap(w.tokens) > maxKeep && n <= maxKeep {
		w.tokens, w.dead = nil, nil
	}
	if cap(w.dead) < words {
		w.dead = make([]uint64, words)
	}
	w.dead = w.dead[:words]
	clear(w.dead)
	w.tokens = w.tokens[:0]
}

// mayFollow is valid, remembered.
func (v *vocabulary) mayFollow(w *scratch, p pair) bool {
	key := uint64(p) << 2
	slot := &w.pairs[key*hashFactor>>(64-pairBits)]
	if *slot&^3 == key && *slot&3 != pairUnknown {
		return *slot&3 == pairValid
	}
	if v.valid(p) {
		*slot = key | pairValid
		return true
	}
	*slot = key | pairInvalid
	return false
}

// valid reports whether byte-pair encoding leaves a boundary between the two
// tokens. It undoes their merges, the latest first, and looks for a merge
// across the boundary that would have come earlier than the one undone.
func (v *vocabulary) valid(p pair) bool {
	left, right := int32(p&rankMask), int32(p>>rankBits)
	limit := int32(none) // above all ranks, and what merged has for none
	for {
		if v.merged(newPair(left, right)) < limit {
			return false
		}
		// Of equal ranks the left one merges first, hence the + 1.
		if left > right {
			limit = left
			if left = v.tokens[left].right(); left != limit {
				continue
			}
			limit = right + 1
			if right = v.tokens[right].left(); right+1 == limit {
				return true
			}
		} else {
			limit = right + 1
			if right = v.tokens[right].left(); right+1 != limit {
				continue
			}
			limit = left
			if left = v.tokens[left].right(); left == limit {
				return true
			}
		}
	}
}
