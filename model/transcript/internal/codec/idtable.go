package codec

import (
	"hash/maphash"
)

// IDTable numbers ids in the order in which they were added, from 0 on. A large
// history has some hundred thousand of them, each looked up once or twice: a slot
// holds a part of the hash beside the number and no pointer, so that a look-up
// waits for memory less often than that of a map, and the garbage collector has
// nothing to visit in it. The zero table is empty. It is for one goroutine.
type IDTable struct {
	seed  maphash.Seed
	slots []uint64 // the hash above, the number plus one below; 0: free
	IDs   []string // by number
	last  int32    // the number found or given last: mostly the one that is asked for next
}

const (
	idTableMin   = 64 // slots; a power of two
	idNumberBits = 32
)

// Reserve prepares an empty table for so many ids.
func (t *IDTable) Reserve(n int) {
	t.seed = maphash.MakeSeed()
	size := idTableMin
	for size < 2*n {
		size *= 2
	}
	t.slots, t.IDs = make([]uint64, size), make([]string, 0, n)
}

// Find is the number of an id, -1 if it was not added.
func (t *IDTable) Find(id string) int32 {
	if len(t.IDs) == 0 {
		return -1
	}
	if t.IDs[t.last] == id {
		return t.last
	}
	n := numberIn(t.slots[t.slot(t.hash(id), id)])
	if n >= 0 {
		t.last = n
	}
	return n
}

// FindBytes is find for an id that is not copied.
func (t *IDTable) FindBytes(id []byte) int32 { return t.Find(ViewOf(id)) }

// FindOrAdd is the number of an id, which is added if it is new: a copy of it that
// is kept among texts, if they are given.
func (t *IDTable) FindOrAdd(id string, texts *TextArena) (n int32, fresh bool) {
	if len(t.IDs) > 0 && t.IDs[t.last] == id {
		return t.last, false
	}
	if 2*len(t.IDs) >= len(t.slots) {
		t.grow()
	}
	hash := t.hash(id)
	at := t.slot(hash, id)
	if n := numberIn(t.slots[at]); n >= 0 {
		t.last = n
		return n, false
	}
	if texts != nil {
		id = texts.Keep(id)
	}
	t.last = int32(len(t.IDs))
	t.IDs = append(t.IDs, id)
	t.slots[at] = uint64(hash)<<idNumberBits | uint64(len(t.IDs))
	return t.last, true
}

func (t *IDTable) hash(id string) uint32 { return uint32(maphash.String(t.seed, id)) }

// numberIn is the number that a slot holds, -1 if it is free.
func numberIn(slot uint64) int32 { return int32(uint32(slot)) - 1 }

// slot is the slot of an id, or the free one where it would be.
func (t *IDTable) slot(hash uint32, id string) int {
	mask := len(t.slots) - 1
	for at := int(hash) & mask; ; at = (at + 1) & mask {
		slot := t.slots[at]
		if slot == 0 || uint32(slot>>idNumberBits) == hash && t.IDs[uint32(slot)-1] == id {
			return at
		}
	}
}

func (t *IDTable) grow() {
	if t.slots == nil {
		t.Reserve(0)
		return
	}
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	mask := len(t.slots) - 1
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		at := int(slot>>idNumberBits) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = slot
	}
}
