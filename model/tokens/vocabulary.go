package tokens

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

var (
	//go:embed vocab/o200k_base.zst
	packedO200k []byte
	//go:embed vocab/cl100k_base.zst
	packedCl100k []byte
)

// vocabulary holds what counting needs of an encoding. Tokens are named by
// their rank: the lower one merges first. All but the trie is there from the
// beginning and does not change; see [vocabulary.begin].
type vocabulary struct {
	trie   trie
	begun  sync.Once
	built  atomic.Bool   // the trie is there
	few    atomic.Int64  // bytes of pieces that were counted without it
	words  *sortedTokens // what it is built from; nil once it is there
	single [256]int32    // the token of each byte
	tokens []token
	merges []uint32 // a hash table of pairs: the rank they merge to and, above, bits of the hash; 0: free
	shift  uint     // of the hash
}

// Both vocabularies have fewer than 2^rankBits tokens. The last rank of so many
// bits is none's.
const (
	rankBits = 18
	rankMask = 1<<rankBits - 1
	none     = rankMask
)

// pair is two tokens, the left one in the lower bits.
type pair uint64

func newPair(left, right int32) pair { return pair(left) | pair(right)<<rankBits }

// token is what is known of one, in as few bytes as it takes, for the nearer
// caches hold no more than a part of a vocabulary: from the lowest bit its
// length in bytes (8 bits), the longest token that it begins with other than
// itself, or none, and the pair whose merge makes it; a single byte is twice
// itself.
type token uint64

const (
	prefixShift = 8
	pairShift   = prefixShift + rankBits
)

func newToken(p pair, prefix int32, length int) token {
	return token(p)<<pairShift | token(prefix)<<prefixShift | token(length)
}

func (t token) pair() pair    { return pair(t >> pairShift) }
func (t token) left() int32   { return int32(t >> pairShift & rankMask) }
func (t token) right() int32  { return int32(t >> (pairShift + rankBits)) }
func (t token) prefix() int32 { return int32(t >> prefixShift & rankMask) }
func (t token) length() int   { return int(t & (1<<prefixShift - 1)) }

// sortedTokens are the tokens of a vocabulary in byte order, by column.
type sortedTokens struct {
	shared []byte // how many bytes it has in common with the one before
	added  []byte // how many more it has
	cut    []byte // the length of the first token of the merge that makes it; 0: a single byte
	ranks  column24
	rights column24 // the second token of that merge, or itself
	bytes  []byte   // those added, one token behind the other
}

func (t *sortedTokens) number() int      { return len(t.shared) }
func (t *sortedTokens) length(i int) int { return int(t.shared[i]) + int(t.added[i]) }

// sharedAfter is how many bytes the token has in common with the one behind it.
func (t *sortedTokens) sharedAfter(i int) byte {
	if i+1 < len(t.shared) {
		return t.shared[i+1]
	}
	return 0
}

// states is the number of states that a trie of the tokens needs.
func (t *sortedTokens) states() (n int) {
	for i, shared := range t.shared {
		alone := int(max(shared, t.sharedAfter(i))) // up to here another token goes the same way
		n += min(t.length(i), alone+1) - int(shared)
	}
	return n
}

// unpack reads the form that vocab/README.md describes.
func unpack(packed []byte) (*sortedTokens, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	raw, err := dec.DecodeAll(packed, nil)
	if err != nil {
		return nil, err
	}
	const columns = 9
	if len(raw) < 4 {
		return nil, fmt.Errorf("%d bytes", len(raw))
	}
	n := int(binary.LittleEndian.Uint32(raw))
	raw = raw[4:]
	if n >= 1<<rankBits || len(raw) < columns*n {
		return nil, fmt.Errorf("%d tokens in %d bytes", n, len(raw))
	}
	column := func(k int) []byte { return raw[k*n : (k+1)*n] }
	t := &sortedTokens{
		shared: column(0),
		added:  column(1),
		cut:    column(2),
		ranks:  column24{column(3), column(4), column(5)},
		rights: column24{column(6), column(7), column(8)},
		bytes:  bytes.Clone(raw[columns*n:]), // they outlive the columns
	}
	return t, t.check()
}

// check looks whether the columns fit each other.
func (t *sortedTokens) check() error {
	before, size := 0, 0
	for i, keep := range t.shared {
		length := t.length(i)
		if int(keep) > before || t.added[i] == 0 || int(t.cut[i]) >= length || length >= 1<<prefixShift {
			return fmt.Errorf("token %d is cut off", i)
		}
		if max(t.ranks.at(i), t.rights.at(i)) >= int32(t.number()) {
			return fmt.Errorf("token %d has no rank", i)
		}
		before = length
		size += int(t.added[i])
	}
	if size != len(t.bytes) {
		return fmt.Errorf("tokens of %d bytes in %d", size, len(t.bytes))
	}
	return nil
}

// column24 holds numbers of 24 bits, by byte from the lowest.
type column24 struct{ low, mid, high []byte }

func (c *column24) at(i int) int32 {
	return int32(c.low[i]) | int32(c.mid[i])<<8 | int32(c.high[i])<<16
}

func newVocabulary(packed []byte) (*vocabulary, error) {
	words, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	v := &vocabulary{words: words}
	v.addTokens(words)
	v.addMerges()
	return v, nil
}

// begin builds the trie, which takes as long as all else of a vocabulary. A
// program that counts a small file and ends does without: see [vocabulary.early].
func (v *vocabulary) begin() {
	v.begun.Do(func() {
		v.trie = newTrie(v.words)
		v.words = nil
		v.built.Store(true)
	})
}

// addTokens fills tokens.
func (v *vocabulary) addTokens(words *sortedTokens) {
	n := words.number()
	v.tokens = make([]token, n)
	// In byte order the tokens that a token begins with are on a stack: by
	// length, and the lengths.
	var byLength [256]int32
	var lengths []int
	from := 0 // in the bytes of the tokens
	for i := range n {
		rank := words.ranks.at(i)
		for len(lengths) > 0 && lengths[len(lengths)-1] > int(words.shared[i]) {
			lengths = lengths[:len(lengths)-1]
		}
		p, prefix, length := newPair(rank, rank), int32(none), words.length(i)
		if length == 1 {
			v.single[words.bytes[from]] = rank
		}
		if len(lengths) > 0 {
			prefix = byLength[lengths[len(lengths)-1]]
		}
		lengths = append(lengths, length)
		byLength[length] = rank
		if cut := words.cut[i]; cut > 0 {
			p = newPair(byLength[cut], words.rights.at(i))
		}
		v.tokens[rank] = newToken(p, prefix, length)
		from += int(words.added[i])
	}
}

// addMerges fills merges with those of tokens. It looks at the places of a batch
// before it fills any: then the processor fetches them all at once, and the time
// is not spent on waiting for one after the other.
func (v *vocabulary) addMerges() {
	size := bits.Len(uint(len(v.tokens))) + 1 // between a quarter and a half full
	v.merges = make([]uint32, 1<<size)
	v.shift = uint(64 - size)
	const batch = 16
	var seen [batch]uint32
	for from := 0; from < len(v.tokens); from += batch {
		tokens := v.tokens[from:min(from+batch, len(v.tokens))]
		for i, t := range tokens {
			at, _ := v.place(t.pair())
			seen[i] = v.merges[at]
		}
		for i, t := range tokens {
			if t.length() == 1 {
				continue
			}
			at, mark := v.place(t.pair())
			if seen[i] != 0 {
				at++
			}
			for ; v.merges[at&uint64(len(v.merges)-1)] != 0; at++ {
			}
			v.merges[at&uint64(len(v.merges)-1)] = mark | uint32(from+i)
		}
	}
}

// place is where the search for the pair begins, and the part of a slot of
// merges that distinguishes it from most others without a look at the token.
func (v *vocabulary) place(p pair) (at uint64, mark uint32) {
	h := uint64(p) * hashFactor
	return h >> v.shift, uint32(h>>26) << rankBits
}

// merged is the token that the pair merges to, or none.
func (v *vocabulary) merged(p pair) int32 {
	at, mark := v.place(p)
	for ; v.merges[at] != 0; at = (at + 1) & uint64(len(v.merges)-1) {
		slot := v.merges[at]
		if slot&^rankMask == mark && v.tokens[slot&rankMask].pair() == p {
			return int32(slot & rankMask)
		}
	}
	return none
}
