package tokens

// pieces remembers how many tokens pieces have, by their bytes. It holds the
// last of the short pieces that share a slot, and the last two of the longer
// ones, which cost more to count: the last one first.
type pieces struct {
	short  [1 << shortBits]uint64
	medium [1 << (mediumBits - 1)][2]mediumSlot
}

// A slot for a piece of at most maxShort bytes is, from the lowest bit: the
// bytes (56 bits), their number (3), the tokens (3); 0 if it is free.
const (
	maxShort    = 7
	shortBits   = 15
	shortLength = 8 * maxShort
	shortCount  = shortLength + 3
)

// mediumSlot is for a piece of more than maxShort and at most maxMedium bytes:
// the first 8 and, in rest, the others (56 bits), the bytes beyond maxShort (4),
// the tokens (4); 0 if it is free.
type mediumSlot struct{ head, rest uint64 }

const (
	maxMedium   = 8 + maxShort
	mediumBits  = 14
	mediumCount = shortLength + 4
)

const (
	hashFactor  = 0x9E3779B97F4A7C15 // 2^64 / golden ratio
	hashFactor2 = 0xC2B2AE3D27D4EB4F // odd, without pattern
)

// shortBytes is s[i:end], at most maxShort bytes, as a number.
func shortBytes(s string, i, end int) (key uint64) {
	n := end - i
	if i+8 <= len(s) {
		return load64(s, i) & (1<<(8*n&63) - 1)
	}
	for k := end - 1; k >= i; k-- {
		key = key<<8 | uint64(s[k])
	}
	return key
}

func load64(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
