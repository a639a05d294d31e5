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
	if !v.built.Load() {
		if n, ok := v.early(s); ok {
			return n
		}
	}
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

// As long as few bytes were counted, and no long piece, the pieces are merged pair by
// pair. So many take as long as building the trie.
const (
	fewBytes  = 16 << 10
	longPiece = 128
)

// early counts a piece of at least two bytes without the trie; false if it should be there
// by now, and it is.
func (v *vocabulary) early(s string) (count int, ok bool) {
	if len(s) > longPiece || v.few.Add(int64(len(s))) > fewBytes {
		v.begin()
		return 0, false
	}
	return v.mergePairs(s), true
}

// mergePairs is the definition with the table of merges alone: two neighbours whose bytes are
// a token are always the pair that makes it.
func (v *vocabulary) mergePairs(s string) int {
	var parts [longPiece]int32
	var merged [longPiece]int32 // of a part and the next one
	n := len(s)
	for i := range n {
		parts[i] = v.single[s[i]]
	}
	for i := range n - 1 {
		merged[i] = v.merged(newPair(parts[i], parts[i+1]))
	}
	for {
		at := 0
		for i := 1; i < n-1; i++ {
			if merged[i] < merged[at] {
				at = i
			}
		}
		if merged[at] == none {
			return n
		}
		parts[at] = merged[at]
		copy(parts[at+1:], parts[at+2:n])
		copy(merged[at+1:], merged[at+2:n])
		if n--; n == 1 {
			return 1
		}
		if at > 0 {
			merged[at-1] = v.merged(newPair(parts[at-1], parts[at]))
		}
		if at < n-1 {
			merged[at] = v.merged(newPair(parts[at], parts[at+1]))
		}
	}
}
