package tokens

import (
	"fmt"
	"sync"
	"unsafe"
)

// Encoding names a vocabulary with its splitting pattern.
type Encoding string

// The encodings that are counted exactly.
const (
	O200k  Encoding = "o200k_base"
	Cl100k Encoding = "cl100k_base"
)

// encoder is an encoding, loaded.
type encoder struct {
	name    Encoding
	splitAt splitter
	classes *classPages
	vocabulary
	scratch sync.Pool
}

var (
	loadO200k  = sync.OnceValue(func() *encoder { return newEncoder(O200k, packedO200k, endO200k) })
	loadCl100k = sync.OnceValue(func() *encoder { return newEncoder(Cl100k, packedCl100k, endCl100k) })
)

func newEncoder(name Encoding, packed []byte, split splitter) *encoder {
	v, err := newVocabulary(packed)
	if err != nil {
		// The bytes are part of the program: only a broken build comes here.
		panic(fmt.Sprintf("tokens: embedded vocabulary %s: %v", name, err))
	}
	e := &encoder{name: name, splitAt: split, classes: loadClasses(), vocabulary: *v}
	e.scratch.New = func() any { return new(scratch) }
	return e
}

// encoder gives the loaded encoding; an unknown name means O200k.
func (e Encoding) encoder() *encoder {
	if e == Cl100k {
		return loadCl100k()
	}
	return loadO200k()
}

// Load makes the encoding ready, so that the first count does not wait for it.
func Load(e Encoding) { e.encoder() }

// Count is the number of tokens of the text in the encoding, exactly as
// openai/tiktoken's encode_ordinary has it. An unknown encoding counts as O200k.
func Count(e Encoding, text string) int { return e.encoder().count(text) }

// CountBytes is Count for bytes, which are not copied and must not change
// meanwhile.
func CountBytes(e Encoding, text []byte) int {
	return e.encoder().count(unsafe.String(unsafe.SliceData(text), len(text)))
}

func (e *encoder) count(s string) int {
	w := e.scratch.Get().(*scratch)
	n := 0
	for i := 0; i < len(s); {
		end := e.splitAt(e.classes, s, i)
		n += e.piece(w, s, i, end)
		i = end
	}
	e.scratch.Put(w)
	return n
}

const pieceBits = 13

// pieceSlot remembers the count of a piece of at most 16 bytes: its first and
// its last 8 bytes with its length tell it from all others.
type pieceSlot struct {
	head, tail    uint64
	length, count uint32
}

// piece counts the tokens of s[i:end].
func (e *encoder) piece(w *scratch, s string, i, end int) int {
	n := end - i
	if n == 1 {
		return 1
	}
	if n > 16 {
		return e.encode(w, s[i:end])
	}
	var head, tail uint64
	switch {
	case n >= 8:
		head, tail = load64(s, i), load64(s, end-8)
	case i+8 <= len(s):
		head = load64(s, i) & (1<<(8*n) - 1)
	default:
		for k := end - 1; k >= i; k-- {
			head = head<<8 | uint64(s[k])
		}
	}
	slot := &w.pieces[(head*hashFactor+(tail+uint64(n))*hashFactor2)>>(64-pieceBits)]
	if slot.head == head && slot.tail == tail && slot.length == uint32(n) {
		return int(slot.count)
	}
	count := e.encode(w, s[i:end])
	*slot = pieceSlot{head, tail, uint32(n), uint32(count)}
	return count
}

const hashFactor2 = 0xC2B2AE3D27D4EB4F // odd, without pattern

func load64(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
