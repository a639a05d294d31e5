package tokens

// mergeShort counts the tokens of a piece of 2 to maxShort bytes as the
// definition has it: of all neighbours the pair whose bytes are the token of the
// lowest rank merges, of equal ones the left, until none is a token. So few
// bytes have few substrings: their ranks are looked up first, each start in one
// walk that waits for no other.
//
//	a b c d      starts 0 1 2 3 4   the pair of lowest rank is b c: its second
//	a [b c] d    starts 0 1 3 4     start goes, and one part with it
//	a [bc d]     starts 0 1 4       until no pair is a token: 2 parts are 2 tokens
func (v *vocabulary) mergeShort(s string) int {
	var ranks [maxShort + 1][maxShort + 1]int32 // by first byte and length
	n := len(s)
	for i := range n - 1 {
		v.trie.prefixes(s[i:], &ranks[i])
		if i == 0 && ranks[0][n] != none {
			return 1
		}
	}
	starts := uint64(0x0706050403020100) // of the parts, and the end, a byte each
	for parts := n; ; parts-- {
		best, at := int32(none), 0
		for k := range parts - 1 {
			from, to := starts>>(8*k&63)&7, starts>>(8*(k+2)&63)&7
			if r := ranks[from][(to-from)&7]; r < best {
				best, at = r, k
			}
		}
		if best == none {
			return parts
		}
		keep := uint64(1)<<(8*(at+1)&63) - 1
		starts = starts&keep | starts>>8&^keep
	}
}
