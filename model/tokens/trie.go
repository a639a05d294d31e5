package tokens

import (
	"bytes"
	"math/bits"
)

// trie finds the longest token at the start of a text. It is a double array:
// the child of a state by byte c stands at slot base+c of that state, and the
// slot repeats c. As no two states share a base, that is proof of parentage.
// No base is below 256, so that a state without children (base 0) finds none.
// Where only one token goes on, a state is a tail: what is left of that token
// is compared with the text at once, not looked up byte by byte.
//
// A slot is, from the lowest bit: c (8 bits), occupied (1), tail (1), the base
// or, of a tail, where in bytes it begins (22), token+1 (18; 0: none), the
// length of the tail (8).
type trie struct {
	slots []uint64
	root  uint64
	bytes []byte
}

const (
	occupied  = 1 << 8
	checkMask = 1<<9 - 1
	tail      = 1 << 9
	baseShift = 10
	baseMask  = 1<<22 - 1
	tokShift  = 32
	tailShift = tokShift + rankBits
)

// longest is the longest token that s begins with, or none.
func (t *trie) longest(s string) int32 {
	state := t.root
	token := uint64(none + 1)
	for i := range len(s) {
		c := uint64(s[i])
		state = t.slots[state>>baseShift&baseMask+c]
		if state&checkMask != occupied|c {
			break
		}
		if state&tail != 0 {
			rest, at := s[i+1:], int(state>>baseShift&baseMask)
			n := int(state >> tailShift)
			if len(rest) >= n && rest[:n] == string(t.bytes[at:at+n]) {
				token = state >> tokShift & rankMask
			}
			break
		}
		if tok := state >> tokShift; tok != 0 {
			token = tok
		}
	}
	return int32(token) - 1
}

// prefixes gives the token that each beginning of s is, by its length, or none.
func (t *trie) prefixes(s string, ranks *[maxShort + 1]int32) {
	*ranks = [...]int32{none, none, none, none, none, none, none, none}
	state := t.root
	for i := range len(s) {
		c := uint64(s[i])
		state = t.slots[state>>baseShift&baseMask+c]
		if state&checkMask != occupied|c {
			return
		}
		length := i + 1
		if state&tail != 0 {
			rest, at := s[i+1:], int(state>>baseShift&baseMask)
			n := int(state >> tailShift)
			if len(rest) < n || rest[:n] != string(t.bytes[at:at+n]) {
				return
			}
			length += n
		}
		if tok := int32(state >> tokShift & rankMask); tok != 0 {
			ranks[length] = tok - 1
		}
		if state&tail != 0 {
			return
		}
	}
}

// trieBuilder places the states of a trie. Free slots and bases in use are bit
// sets, so that 64 places are tried at a time.
type trieBuilder struct {
	words  *sortedTokens
	slots  []uint64
	taken  []uint64 // slots
	bases  []uint64
	starts [9]int // by number of children, the block from which a place may be free

	// A stack: the states on the way to the one that is placed, with the
	// children that are still to do and the first word of each.
	children []byte
	from     []int32
}

func newTrie(words *sortedTokens) trie {
	b := &trieBuilder{words: words}
	states := words.states()
	b.grow(states + states/4)
	for i := range b.starts {
		b.starts[i] = 256 / 64
	}
	base, _ := b.place(0, words.number(), 0)
	return trie{slots: b.slots, root: uint64(base) << baseShift, bytes: words.bytes}
}

// states is the number of states that the trie needs.
func (t *sortedTokens) states() (n int) {
	for i, shared := range t.shared {
		alone := shared // up to here another token goes the same way
		if i+1 < len(t.shared) {
			alone = max(alone, t.shared[i+1])
		}
		n += min(t.length(i), int(alone)+1) - int(shared)
	}
	return n
}

func (b *trieBuilder) grow(n int) {
	n = (n + 256 + 127) &^ 63 // a block is read with the word behind it
	b.slots = append(b.slots, make([]uint64, n-len(b.slots))...)
	b.taken = append(b.taken, make([]uint64, n/64-len(b.taken))...)
	b.bases = append(b.bases, make([]uint64, n/64-len(b.bases))...)
}

// place gives the base for the children of the state that words lo to hi share
// at depth, after placing them, and the token that ends at the state itself.
func (b *trieBuilder) place(lo, hi, depth int) (base int, token uint64) {
	if b.words.length(lo) == depth {
		token = uint64(b.words.ranks.at(lo)) + 1
		lo++
	}
	if lo == hi {
		return 0, token
	}
	// The words agree up to depth, so that a word that shares no more than that
	// with the one before it begins the next child.
	first := len(b.children)
	for at := lo; ; {
		b.children = append(b.children, b.words.at(at, depth))
		b.from = append(b.from, int32(at))
		step := bytes.IndexByte(b.words.shared[at+1:hi], byte(depth))
		if step < 0 {
			break
		}
		at += 1 + step
	}
	n := len(b.children)
	base = b.free(b.children[first:])
	for k := n - 1; k >= first; k-- { // each takes itself off the stack
		c, at := b.children[k], int(b.from[k])
		b.children, b.from = b.children[:k], b.from[:k]
		b.slots[base+int(c)] = b.state(at, hi, depth+1) | occupied | uint64(c)
		hi = at
	}
	return base, token
}

// state makes the slot of the state that words lo to hi share at depth, but for
// the byte that leads to it.
func (b *trieBuilder) state(lo, hi, depth int) uint64 {
	if rest := b.words.length(lo) - depth; lo+1 == hi && rest > 0 {
		return uint64(rest)<<tailShift | uint64(b.words.ranks.at(lo)+1)<<tokShift |
			uint64(b.words.start(lo)+depth)<<baseShift | tail
	}
	base, token := b.place(lo, hi, depth)
	return token<<tokShift | uint64(base)<<baseShift
}

// free finds a base with all slots of the children free, and takes them.
func (b *trieBuilder) free(children []byte) int {
	class := min(len(children), len(b.starts)-1)
	for block := b.starts[class]; ; block++ {
		if (block+1)*64+256 >= len(b.slots) {
			b.grow(len(b.slots) + 1<<16)
		}
		ok := ^b.bases[block]
		for _, c := range children {
			if ok == 0 {
				break
			}
			at := block*64 + int(c)
			w, shift := at/64, at%64
			ok &^= b.taken[w]>>shift | b.taken[w+1]<<(64-shift)
		}
		if ok == 0 {
			b.starts[class] = block + 1
			continue
		}
		base := block*64 + bits.TrailingZeros64(ok)
		b.bases[block] |= ok & -ok
		for _, c := range children {
			at := base + int(c)
			b.taken[at/64] |= 1 << (at % 64)
		}
		return base
	}
}
