package codec

import "strings"

// IDTable numbers ids in the order in which they were added, from 0 on. The zero table is
// empty.
type IDTable struct {
	numbers map[string]int32
	IDs     []string // by number
}

// Find is the number of an id, -1 if it was not added.
func (t *IDTable) Find(id string) int32 {
	if n, ok := t.numbers[id]; ok {
		return n
	}
	return -1
}

// FindBytes is [IDTable.Find] for an id that is not copied.
func (t *IDTable) FindBytes(id []byte) int32 { return t.Find(ViewOf(id)) }

// FindOrAdd is the number of an id, of which a copy is added if it is new.
func (t *IDTable) FindOrAdd(id string) (n int32, fresh bool) {
	if n, ok := t.numbers[id]; ok {
		return n, false
	}
	if t.numbers == nil {
		t.numbers = map[string]int32{}
	}
	id = strings.Clone(id)
	n = int32(len(t.IDs))
	t.numbers[id] = n
	t.IDs = append(t.IDs, id)
	return n, true
}
