package tokens

// mergeShort counts the tokens of a piece of 2 to maxShort bytes as the
// definition has it: of all neighbours the pair whose bytes are the token of the
// lowest rank merges, of equal ones the left, until none is a token. So few
// bytes have few substrings: their ranks are looked up first, each start in one
// walk that waits for no other.
func (v *vocabulary) mergeShort(s string) int {
	var ranks [maxShort][maxShort + 1]int32 // by first byte and length
	n := len(s)
	for i := range n - 1 {
		v.trie.prefixes(s[i:], &ranks[i])
		if i == 0 && ranks[0][n] != none {
			return 1
		}
	}
	var starts [maxShort + 1]uint8 // of the parts, and the end
	for i := range starts {
		starts[i] = uint8(i)
	}
	for parts := n; ; parts-- {
		best, at := int32(none), 0
		for k := range parts - 1 {
			from, to := starts[k], starts[k+2]
			if r := ranks[from][to-from]; r < best {
				best, at = r, k
			}
		}
		if best == none {
			return parts
		}
		copy(starts[at+1:parts], starts[at+2:parts+1])
	}
}
