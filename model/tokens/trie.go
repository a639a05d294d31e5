package tokens

// trie finds the longest token at the start of a text. It is a double array:
// the child of a state by byte c is in slot base+c of that state, and the
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

// prefixes returns the token that each beginning of s is, by its length, or none.
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
