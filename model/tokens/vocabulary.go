package tokens

import (
	_ "embed"
	"fmt"
	"math/bits"

	"github.com/klauspost/compress/zstd"
)

var (
	//go:embed vocab/o200k_base.zst
	packedO200k []byte
	//go:embed vocab/cl100k_base.zst
	packedCl100k []byte
)

// vocabulary holds what counting needs of an encoding. Tokens are named by
// their rank: the lower one merges first. It is immutable.
type vocabulary struct {
	trie   trie
	length []uint8
	prefix []int32 // the longest token that a token begins with, other than itself; -1: none
	split  []pair  // the last merge that makes a token; a single byte twice itself
	merges []int32
	shift  uint // of the hash that finds a pair in merges
}

type pair struct{ left, right int32 }

const rankBits = 18 // of a rank; both vocabularies have fewer than 2^18 tokens

// sortedTokens are the tokens of a vocabulary in byte order.
type sortedTokens struct {
	bytes  []byte
	ends   []uint32
	rank   []int32
	split  []byte // length of the left part of the last merge; 0: a single byte
	shared []byte // how many bytes a token has in common with the one before
	states int    // of the trie: bytes that are not shared
}

func (t sortedTokens) len() int { return len(t.rank) }

func (t sortedTokens) start(i int) int {
	if i == 0 {
		return 0
	}
	return int(t.ends[i-1])
}

func (t sortedTokens) length(i int) int     { return int(t.ends[i]) - t.start(i) }
func (t sortedTokens) at(i, depth int) byte { return t.bytes[t.start(i)+depth] }
func (t sortedTokens) token(i int) []byte   { return t.bytes[t.start(i):t.ends[i]] }

// unpack reads the form that vocab/README.md describes.
func unpack(packed []byte) (sortedTokens, error) {
	var t sortedTokens
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return t, err
	}
	defer dec.Close()
	raw, err := dec.DecodeAll(packed, nil)
	if err != nil {
		return t, err
	}
	if len(raw) < 4 {
		return t, fmt.Errorf("%d bytes", len(raw))
	}
	n := int(raw[0]) | int(raw[1])<<8 | int(raw[2])<<16 | int(raw[3])<<24
	raw = raw[4:]
	if n >= 1<<rankBits || len(raw) < 6*n {
		return t, fmt.Errorf("%d tokens in %d bytes", n, len(raw))
	}
	shared, extra, r0, r1, r2, rest := raw[:n], raw[n:2*n], raw[3*n:4*n], raw[4*n:5*n], raw[5*n:6*n], raw[6*n:]
	t.split = raw[2*n : 3*n]
	t.shared, t.states = shared, len(rest)
	t.ends = make([]uint32, n)
	t.rank = make([]int32, n)
	t.bytes = make([]byte, 0, 4*len(rest))
	start := 0
	for i := range n {
		keep, add := int(shared[i]), int(extra[i])
		if keep > len(t.bytes)-start || add > len(rest) {
			return t, fmt.Errorf("token %d is cut off", i)
		}
		here := len(t.bytes)
		t.bytes = append(append(t.bytes, t.bytes[start:start+keep]...), rest[:add]...)
		rest = rest[add:]
		start = here
		t.ends[i] = uint32(len(t.bytes))
		t.rank[i] = int32(r0[i]) | int32(r1[i])<<8 | int32(r2[i])<<16
	}
	return t, nil
}

func newVocabulary(packed []byte) (*vocabulary, error) {
	words, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	n := words.len()
	v := &vocabulary{
		trie:   newTrie(words),
		length: make([]uint8, n),
		prefix: make([]int32, n),
		split:  make([]pair, n),
	}
	size := bits.Len(uint(n)) + 1 // between a quarter and a half full
	v.merges = make([]int32, 1<<size)
	v.shift = uint(64 - size)

	// In byte order the tokens that a token begins with are on a stack.
	var stack []int
	for i := range n {
		token, rank := words.token(i), words.rank[i]
		for len(stack) > 0 && words.length(stack[len(stack)-1]) > int(words.shared[i]) {
			stack = stack[:len(stack)-1]
		}
		v.length[rank], v.prefix[rank] = uint8(len(token)), -1
		if len(stack) > 0 {
			v.prefix[rank] = words.rank[stack[len(stack)-1]]
		}
		stack = append(stack, i)
		cut := int(words.split[i])
		if cut == 0 {
			v.split[rank] = pair{rank, rank}
			continue
		}
		p := pair{-1, v.trie.exact(string(token[cut:]))}
		for _, k := range stack {
			if words.length(k) == cut {
				p.left = words.rank[k]
			}
		}
		if p.left < 0 || p.right < 0 {
			return nil, fmt.Errorf("token %d is not made of two tokens", rank)
		}
		v.split[rank] = p
		v.addMerge(p, rank)
	}
	return v, nil
}

const hashFactor = 0x9E3779B97F4A7C15 // 2^64 / golden ratio

func (p pair) key() uint64 { return uint64(p.left)<<rankBits | uint64(p.right) }

func (v *vocabulary) addMerge(p pair, rank int32) {
	mask := uint64(len(v.merges) - 1)
	at := p.key() * hashFactor >> v.shift
	for v.merges[at] != 0 {
		at = (at + 1) & mask
	}
	v.merges[at] = rank
}

// merged is the token that the pair merges to, and -1 if there is none.
func (v *vocabulary) merged(p pair) int32 {
	mask := uint64(len(v.merges) - 1)
	for at := p.key() * hashFactor >> v.shift; ; at = (at + 1) & mask {
		rank := v.merges[at]
		if rank == 0 {
			return -1
		}
		if v.split[rank] == p {
			return rank
		}
	}
}
