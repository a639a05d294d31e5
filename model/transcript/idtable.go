package transcript

import "hash/maphash"

// idTable numbers ids in the order in which they were added, from 0 on. A large
// history has some hundred thousand of them, each looked up once or twice: a slot
// holds a part of the hash beside the number and no pointer, so that a look-up
// waits for memory less often than that of a map, and the garbage collector has
// nothing to visit in it. The zero table is empty.
type idTable struct {
	seed  maphash.Seed
	slots []uint64 // the hash above, the number plus one below; 0: free
	ids   []string // by number
}

const (
	idTableMin   = 64 // slots; a power of two
	idNumberBits = 32
)

// roomFor prepares an empty table for so many ids.
func (t *idTable) roomFor(n int) {
	t.seed = maphash.MakeSeed()
	size := idTableMin
	for size < 2*n {
		size *= 2
	}
	t.slots, t.ids = make([]uint64, size), make([]string, 0, n)
}

// find is the number of an id, -1 if it was not added.
func (t *idTable) find(id string) int32 {
	if len(t.ids) == 0 {
		return -1
	}
	slot := t.slots[t.place(uint32(maphash.String(t.seed, id)), id)]
	return int32(uint32(slot)) - 1
}

// findBytes is find for an id that is not copied.
func (t *idTable) findBytes(id []byte) int32 { return t.find(viewOf(id)) }

// add numbers an id that is not in the table.
func (t *idTable) add(id string) int32 {
	if 2*len(t.ids) >= len(t.slots) {
		t.grow()
	}
	hash := uint32(maphash.String(t.seed, id))
	t.ids = append(t.ids, id)
	t.slots[t.place(hash, id)] = uint64(hash)<<idNumberBits | uint64(len(t.ids))
	return int32(len(t.ids) - 1)
}

// place is the slot of an id, or the free one where it would stand.
func (t *idTable) place(hash uint32, id string) int {
	mask := len(t.slots) - 1
	for at := int(hash) & mask; ; at = (at + 1) & mask {
		slot := t.slots[at]
		if slot == 0 || uint32(slot>>idNumberBits) == hash && t.ids[uint32(slot)-1] == id {
			return at
		}
	}
}

func (t *idTable) grow() {
	if t.slots == nil {
		t.roomFor(0)
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
