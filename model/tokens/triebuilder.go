package tokens

import "math/bits"

// trieBuilder places the states of a trie in one walk over the tokens in byte
// order: a state is placed when the last token that goes through it was seen, for
// then all its children are known. Free slots and bases in use are bit sets, so
// that 64 places are tried at a time.
type trieBuilder struct {
	slots  []uint64
	taken  []uint64 // slots
	bases  []uint64
	starts [9]int // by number of children, the block from which a place may be free

	open     []openState // by depth: the states on the way to the token that is looked at
	children []uint64    // a stack: the slots of the open states' children, which have no place yet
}

// openState is one that further tokens may go through.
type openState struct {
	slot  uint64 // without its base, which is not known yet
	first int    // of its children
}

func newTrie(words *sortedTokens) trie {
	b := &trieBuilder{open: []openState{{}}}
	states := words.states()
	b.grow(states + states/4)
	for i := range b.starts {
		b.starts[i] = 256 / 64
	}
	from := 0 // in the bytes of the tokens
	for i, keep := range words.shared {
		add, token := int(words.added[i]), uint64(words.ranks.at(i)+1)<<tokShift
		b.add(words.bytes[from:from+add], int(keep), int(words.sharedAfter(i)), from, token)
		from += add
	}
	return trie{slots: b.slots, root: b.place(b.open[0]), bytes: words.bytes}
}

// add enters what a token adds to the one before it, with which it shares keep
// bytes. after is how many it shares with the next one, and from is the place of
// the added bytes.
func (b *trieBuilder) add(added []byte, keep, after, from int, token uint64) {
	alone := max(after-keep, 0) // from here no other token goes the same way
	for k, c := range added[:min(alone, len(added))] {
		s := openState{occupied | uint64(c), len(b.children)}
		if k == len(added)-1 {
			s.slot |= token
		}
		b.open = append(b.open, s)
	}
	if alone < len(added) {
		slot := occupied | uint64(added[alone]) | token
		if rest := len(added) - alone - 1; rest > 0 {
			slot |= tail | uint64(rest)<<tailShift | uint64(from+alone+1)<<baseShift
		}
		b.children = append(b.children, slot)
	}
	for last := len(b.open) - 1; last > after; last-- {
		slot := b.place(b.open[last])
		b.children = append(b.children, slot)
		b.open = b.open[:last]
	}
}

// place places the children of a state, takes them off the stack and returns the
// state's slot.
func (b *trieBuilder) place(s openState) uint64 {
	children := b.children[s.first:]
	base := b.free(children)
	for _, slot := range children {
		at := base + int(slot&0xFF)
		b.slots[at] = slot
		b.taken[at/64] |= 1 << (at % 64)
	}
	b.children = b.children[:s.first]
	return s.slot | uint64(base)<<baseShift
}

// free finds a base with all slots of the children free, and takes it.
func (b *trieBuilder) free(children []uint64) int {
	class := min(len(children), len(b.starts)-1)
	for block := b.starts[class]; ; block++ {
		if (block+1)*64+256 >= len(b.slots) {
			b.grow(len(b.slots) + 1<<16)
		}
		ok := ^b.bases[block]
		for _, slot := range children {
			if ok == 0 {
				break
			}
			at := block*64 + int(slot&0xFF)
			w, shift := at/64, at%64
			ok &^= b.taken[w]>>shift | b.taken[w+1]<<(64-shift)
		}
		if ok == 0 {
			b.starts[class] = block + 1
			continue
		}
		b.bases[block] |= ok & -ok
		return block*64 + bits.TrailingZeros64(ok)
	}
}

func (b *trieBuilder) grow(n int) {
	n = (n + 256 + 127) &^ 63 // a block is read with the word behind it
	b.slots = append(b.slots, make([]uint64, n-len(b.slots))...)
	b.taken = append(b.taken, make([]uint64, n/64-len(b.taken))...)
	b.bases = append(b.bases, make([]uint64, n/64-len(b.bases))...)
}
